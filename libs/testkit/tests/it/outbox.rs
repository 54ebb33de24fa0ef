//! How changes reach a bucket: many at a time, and none held up by another that fails.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use armada_runtime::{
    Database, Error, Result, Scope,
    bus::Bucket,
    db::Migration,
    outbox::{self, OutboxHandle, Relay},
};
use armada_testkit::{World, both_databases, eventually_equal};
use async_nats::jetstream::kv;
use futures::future::BoxFuture;
use sea_orm::{ConnectionTrait, Statement};
use sea_orm_migration::{
    MigrationTrait, MigratorTrait,
    prelude::{Expr, ExprTrait, Query},
};
use tokio_util::sync::CancellationToken;

const SOON: Duration = Duration::from_secs(20);
/// A bucket that fleet relays into, of which it may write the keys below `imei`.
const BUCKET: &str = "devices";

struct Outbox;

impl MigratorTrait for Outbox {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Migration {
            name: "outbox",
            up: |manager| Box::pin(outbox::create_table(manager)),
            down: |_| Box::pin(async { Ok(()) }),
            is_atomic: true,
        })]
    }
}

/// What the rows of a service would say: the text of a key, or that it cannot be read.
type Rows = Arc<Mutex<HashMap<String, std::result::Result<String, String>>>>;
type States = BoxFuture<'static, Result<HashMap<String, bytes::Bytes>>>;

struct Probe {
    db: Database,
    bucket: Bucket,
    handle: OutboxHandle,
    rows: Rows,
    shutdown: CancellationToken,
}

impl Probe {
    async fn new(world: &World) -> anyhow::Result<Self> {
        let db = world.database("probe").await;
        db.migrate::<Outbox>("probe").await?;
        world.bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), ..kv::Config::default() }).await?;
        let bucket = world.bucket_of("fleet", BUCKET).await;
        Ok(Self {
            db,
            bucket,
            handle: OutboxHandle::default(),
            rows: Rows::default(),
            shutdown: CancellationToken::new(),
        })
    }

    /// Says what a key is now, and marks it.
    async fn change(&self, keys: &[&str], value: std::result::Result<&str, &str>) -> anyhow::Result<()> {
        let value = value.map(str::to_owned).map_err(str::to_owned);
        self.rows.lock().unwrap().extend(keys.iter().map(|key| ((*key).to_owned(), value.clone())));
        let tx = self.db.write(&Scope::Platform).await?;
        outbox::mark(&tx, keys.iter().map(|key| (*key).to_owned())).await?;
        Ok(tx.commit().await?)
    }

    fn relay(&self) {
        let rows = self.rows.clone();
        self.relay_with(move |keys| {
            let rows = rows.clone();
            Box::pin(async move { read(&rows, keys) })
        });
    }

    fn relay_with(&self, states: impl Fn(Vec<String>) -> States + Send + Sync + 'static) {
        let relay = Relay { db: self.db.clone(), bucket: self.bucket.clone(), handle: self.handle.clone(), states };
        tokio::spawn(relay.run(self.shutdown.clone()));
    }

    async fn value(&self, key: &str) -> anyhow::Result<Option<String>> {
        Ok(self.bucket.get(key).await?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    async fn wait_for_value(&self, key: &str, value: &str) {
        eventually_equal(key, SOON, Some(value.to_owned()), async || self.value(key).await).await;
    }

    async fn marks(&self) -> anyhow::Result<i64> {
        let tx = self.db.read(&Scope::Platform).await?;
        let sql = Statement::from_string(self.db.backend(), "SELECT count(*) AS n FROM outbox");
        Ok(tx.query_one_raw(sql).await?.unwrap().try_get("", "n")?)
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

fn read(rows: &Rows, keys: Vec<String>) -> Result<HashMap<String, bytes::Bytes>> {
    let rows = rows.lock().unwrap();
    let mut states = HashMap::new();
    for key in keys {
        match rows.get(&key) {
            Some(Ok(text)) => drop(states.insert(key, text.clone().into())),
            Some(Err(why)) => return Err(Error::internal(why.clone())),
            None => {}
        }
    }
    Ok(states)
}

both_databases! {
    /// The first keys of the first batch fail; thousands behind them arrive.
    async fn failing_key_does_not_block_others(world: World) -> anyhow::Result<()> {
        let probe = Probe::new(&world).await?;
        let too_large = "x".repeat(world.bus.client.server_info().max_payload + 1);
        probe.change(&["imei.large"], Ok(&too_large)).await?;
        probe.change(&["imei.unreadable"], Err("no such value")).await?;
        let many: Vec<String> = (0..1_200).map(|number| format!("imei.{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        probe.change(&many, Ok("first")).await?;
        probe.relay();
        eventually_equal("all others have arrived", SOON, 2, async || probe.marks().await).await;
        for key in [many[0], many[1_199]] {
            assert_eq!(probe.value(key).await?.as_deref(), Some("first"), "{key}");
        }
        // While they fail, what is changed goes on arriving; and they do as soon as they can.
        probe.change(&["imei.later"], Ok("later")).await?;
        probe.handle.flush().await;
        probe.wait_for_value("imei.later", "later").await;
        probe.change(&["imei.large", "imei.unreadable"], Ok("mended")).await?;
        probe.wait_for_value("imei.large", "mended").await;
        probe.wait_for_value("imei.unreadable", "mended").await;
        eventually_equal("no mark is left behind", SOON, 0, async || probe.marks().await).await;
        Ok(())
    }

    /// Who changes one thing waits for that alone.
    async fn nobody_waits_for_many(world: World) -> anyhow::Result<()> {
        let probe = Probe::new(&world).await?;
        let many: Vec<String> = (0..1_200).map(|number| format!("imei.{number}")).collect();
        probe.change(&many.iter().map(String::as_str).collect::<Vec<_>>(), Ok("many")).await?;
        probe.change(&["imei.one"], Ok("one")).await?;
        let (rows, order) = (probe.rows.clone(), Arc::<Mutex<Vec<String>>>::default());
        let asked = order.clone();
        probe.relay_with(move |keys| {
            asked.lock().unwrap().extend(keys.iter().cloned());
            let rows = rows.clone();
            Box::pin(async move { read(&rows, keys) })
        });
        eventually_equal("all have arrived", SOON, 0, async || probe.marks().await).await;
        assert_eq!(order.lock().unwrap().first().map(String::as_str), Some("imei.one"));
        Ok(())
    }

    /// As many as there are, or none.
    async fn statement_marks_selected_keys(world: World) -> anyhow::Result<()> {
        let probe = Probe::new(&world).await?;
        probe.change(&["imei.1", "imei.2", "imei.3"], Ok("present")).await?;
        for (keys, marks) in [("imei.3", 4), ("imei.4", 4)] {
            let mut selected = Query::select();
            selected.column("key").from("outbox").and_where(Expr::col("key").eq(keys));
            let tx = probe.db.write(&Scope::Platform).await?;
            outbox::mark_selected(&tx, selected, Vec::new()).await?;
            tx.commit().await?;
            assert_eq!(probe.marks().await?, marks, "{keys}");
        }
        probe.relay();
        probe.wait_for_value("imei.3", "present").await;
        eventually_equal("no mark is left behind", SOON, 0, async || probe.marks().await).await;
        Ok(())
    }

    /// Nobody's change marks it again: it is tried by itself.
    async fn failed_deliveries_are_retried(world: World) -> anyhow::Result<()> {
        let probe = Probe::new(&world).await?;
        probe.change(&["imei.1"], Err("not yet")).await?;
        let (rows, failed) = (probe.rows.clone(), Arc::new(AtomicBool::new(false)));
        let seen = failed.clone();
        probe.relay_with(move |keys| {
            let (rows, seen) = (rows.clone(), seen.clone());
            Box::pin(async move {
                let states = read(&rows, keys);
                seen.fetch_or(states.is_err(), Ordering::Relaxed);
                states
            })
        });
        eventually_equal("it fails", SOON, true, async || Ok(failed.load(Ordering::Relaxed))).await;
        probe.rows.lock().unwrap().insert("imei.1".to_owned(), Ok("now".to_owned()));
        probe.wait_for_value("imei.1", "now").await;
        Ok(())
    }

    /// Somebody else writes a key between the look at it and the write, another process of the service or somebody who is
    /// not its owner: the present state wins, whatever they wrote.
    async fn conflict_resolves_to_the_current_state(world: World) -> anyhow::Result<()> {
        let probe = Probe::new(&world).await?;
        let many: Vec<String> = (0..50).map(|number| format!("imei.{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        probe.change(&many, Ok("present")).await?;
        let (rows, interfered) = (probe.rows.clone(), Arc::new(AtomicBool::new(false)));
        let (owner, stranger) = (world.bucket_of("fleet", BUCKET).await, world.bus.bucket(BUCKET).await?);
        probe.relay_with(move |keys| {
            let (rows, interfered) = (rows.clone(), interfered.clone());
            let (owner, stranger) = (owner.clone(), stranger.clone());
            Box::pin(async move {
                if !interfered.swap(true, Ordering::Relaxed) {
                    owner.put("imei.7", "another process's".into()).await.unwrap();
                    stranger.put("imei.8", "somebody else's".into()).await.unwrap();
                }
                read(&rows, keys)
            })
        });
        eventually_equal("all have arrived", SOON, 0, async || probe.marks().await).await;
        for key in many {
            assert_eq!(probe.value(key).await?.as_deref(), Some("present"), "{key}");
        }
        Ok(())
    }

    /// A key of a later kind may tell others to look, so that what they look at must be there.
    async fn kinds_go_one_after_the_other(world: World) -> anyhow::Result<()> {
        let probe = Probe::new(&world).await?;
        let keys: Vec<String> = (0..150).map(|number| format!("imei.{number}")).collect();
        let keys: Vec<&str> = std::iter::once("tenant.1").chain(keys.iter().map(String::as_str)).collect();
        probe.change(&keys, Ok("value")).await?;
        // As those that tell of a tenant's devices, it has no value of its own.
        probe.rows.lock().unwrap().remove("tenant.1");
        let (rows, bucket, absent) = (probe.rows.clone(), probe.bucket.clone(), Arc::new(AtomicBool::new(false)));
        let (missed, is_notified) = (absent.clone(), Arc::new(AtomicBool::new(false)));
        let tells = is_notified.clone();
        probe.relay_with(move |keys| {
            let (rows, bucket, missed, tells) = (rows.clone(), bucket.clone(), missed.clone(), tells.clone());
            Box::pin(async move {
                if keys.iter().any(|key| key.starts_with("tenant.")) {
                    tells.store(true, Ordering::Relaxed);
                    for number in 0..150 {
                        let there = bucket.get(&format!("imei.{number}")).await.unwrap().is_some();
                        missed.fetch_or(!there, Ordering::Relaxed);
                    }
                }
                read(&rows, keys)
            })
        });
        eventually_equal("all have arrived", SOON, 0, async || probe.marks().await).await;
        assert!(is_notified.load(Ordering::Relaxed), "the later kind is asked for too");
        assert!(!absent.load(Ordering::Relaxed), "what the later kind tells of was not there yet");
        Ok(())
    }
}
