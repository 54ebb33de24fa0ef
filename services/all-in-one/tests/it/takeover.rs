//! Two ingest processes share the partitions; one dies, then one is stopped where it is.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use armada_proto::v1::LiveFrame;
use armada_runtime::{
    Bus,
    db::{Logins, role},
};
use armada_testkit::{Kind, NatsServer, both_databases, eventually, free_port};
use futures::StreamExt;
use nix::sys::signal::Signal;
use prost::Message;
use sea_orm::{ConnectionTrait, DbBackend, Statement};

use crate::support::{
    SOON, connect, events, history,
    site::{Armada, Site},
    stored, trace,
};

const TENANT: &str = "Shared";
const DEVICES: u64 = 24;

/// When each device was last seen live.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<HashMap<String, Instant>>>);

impl Seen {
    async fn follow(nats: &NatsServer) -> Result<Self> {
        let bus = Bus::connect(&nats.url(), "watcher").await?;
        let mut live = bus.client.subscribe("live.*").await?;
        let seen = Self::default();
        let devices = seen.0.clone();
        tokio::spawn(async move {
            while let Some(message) = live.next().await {
                let Ok(frame) = LiveFrame::decode(message.payload) else { continue };
                let mut devices = devices.lock().expect("no panic while held");
                for position in frame.positions {
                    devices.insert(position.device_id, Instant::now());
                }
            }
        });
        Ok(seen)
    }

    /// Waits until every device has been seen after `moment`.
    async fn all_after(&self, moment: Instant, deadline: Duration) {
        eventually("every device is live", deadline, async || {
            let devices = self.0.lock().expect("no panic while held");
            let fresh = devices.values().filter(|seen| **seen > moment).count();
            ensure!(fresh == DEVICES as usize, "{fresh} of {DEVICES}");
            Ok(())
        })
        .await;
    }
}

/// Edge, and two ingests with addresses of their own, on one NATS server that none of them manages.
struct Split {
    site: Site,
    nats: NatsServer,
    edge: String,
    ingests: [(String, String); 2],
}

impl Split {
    async fn new(kind: Kind) -> Self {
        let nats = NatsServer::start();
        let mut site = Site::new(kind).await;
        site.use_nats(&nats);
        // Whoever takes over after a death finds no checkpoint of what came last, and goes on from the frames that are stored.
        site.set("ARMADA_POSITION_INGEST__SEAL_SECONDS", "3600");
        let address = || format!("127.0.0.1:{}", free_port());
        Self { site, nats, edge: address(), ingests: [(address(), address()), (address(), address())] }
    }

    async fn start_edge(&self) -> Armada {
        let ingest = format!("http://{}", self.ingests[1].0);
        let variables = [("ARMADA_GRPC_ADDR", self.edge.as_str()), ("ARMADA_PEERS__POSITION_INGEST", &ingest)];
        let mut edge = self.site.start_as("edge", &["--only", "identity,fleet,notification,bff"], &variables);
        edge.ready(&self.site.admin).await;
        edge
    }

    async fn start_ingest(&self, number: usize) -> Armada {
        let (grpc, admin) = &self.ingests[number];
        let fleet = format!("http://{}", self.edge);
        let variables =
            [("ARMADA_GRPC_ADDR", grpc.as_str()), ("ARMADA_ADMIN_ADDR", admin), ("ARMADA_PEERS__FLEET", &fleet)];
        let name = format!("ingest-{number}");
        let mut ingest = self.site.start_as(&name, &["--only", "position-ingest"], &variables);
        ingest.ready(admin).await;
        ingest
    }

    /// How many partitions an ingest says it owns.
    async fn owned(&self, number: usize) -> Result<u64> {
        let admin = armada_testkit::Api::new(&format!("http://{}", self.ingests[number].1));
        let metrics = admin.get("/metrics").await?.text;
        let line = metrics.lines().find_map(|line| line.strip_prefix("armada_ingest_partitions_owned "));
        line.context("the gauge")?.trim().parse().context("a number")
    }

    async fn wait_until_both_own_partitions(&self) {
        eventually("both own their share", SOON, async || {
            let owned = [self.owned(0).await?, self.owned(1).await?];
            ensure!(owned == [4, 4], "{owned:?}");
            Ok(())
        })
        .await;
    }
}

/// Stops a process where it is, but not while it holds the write lock of an SQLite file: that lock is the process's until
/// it goes on or dies, and nobody else can write meanwhile.
async fn stop_outside_a_transaction(process: &Armada) {
    eventually("it is stopped between two transactions", SOON, async || {
        process.signal(Signal::SIGSTOP);
        ensure!(is_stopped(process.pid())?, "it still runs");
        if holds_sqlite_write_lock(process.pid())? {
            process.signal(Signal::SIGCONT);
            anyhow::bail!("it holds the write lock");
        }
        Ok(())
    })
    .await;
}

/// Stops the ingest that was started last where it holds rows of its partitions, the worst moment: this has it wait for one,
/// stops it, and lets it have it.
async fn stop_in_a_transaction(process: &Armada, logins: &Logins) -> Result<()> {
    let (rows, looks) = (connect(&logins.services).await?, connect(&logins.services).await?);
    rows.execute_unprepared(&format!("SET ROLE {}", role("position-ingest"))).await?;
    // Ids of instances are of UUID version 7: the last is the newest.
    let partitions = "\"position-ingest\".partition";
    // One of them: who holds some and waits for others, as the instance does too, may deadlock with it.
    let newest = format!("owner = (SELECT max(owner) FROM {partitions})");
    let lock = format!("SELECT 1 FROM {partitions} WHERE {newest} ORDER BY partition LIMIT 1 FOR UPDATE");
    rows.execute_unprepared(&format!("BEGIN; {lock}")).await?;
    let own = Statement::from_string(DbBackend::Postgres, "SELECT pg_backend_pid() AS pid");
    let own: i32 = rows.query_one_raw(own).await?.context("a process")?.try_get("", "pid")?;
    let pid = eventually("it waits for its rows", SOON, async || {
        // The two instances wait for each other, too, now and then.
        let sql = format!("SELECT pid FROM pg_stat_activity WHERE {own} = ANY (pg_blocking_pids(pid))");
        let row = looks.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await?;
        Ok(row.context("nobody waits")?.try_get::<i32>("", "pid")?)
    })
    .await;
    process.signal(Signal::SIGSTOP);
    eventually("it is stopped", SOON, async || {
        ensure!(is_stopped(process.pid())?, "it still runs");
        Ok(())
    })
    .await;
    rows.execute_unprepared("ROLLBACK").await?;
    eventually("it holds its rows", SOON, async || {
        let sql = format!("SELECT 1 FROM pg_stat_activity WHERE pid = {pid} AND state = 'idle in transaction'");
        looks.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await?.context("not yet")?;
        Ok(())
    })
    .await;
    Ok(())
}

fn is_stopped(pid: i32) -> Result<bool> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    Ok(stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('T')))
}

/// From `/proc/locks` (proc_locks(5)): byte 120 of the shared-memory file is the write lock of SQLite's write-ahead log
/// (WAL-mode File Format, section 2.3.2).
fn holds_sqlite_write_lock(pid: i32) -> Result<bool> {
    let locks = std::fs::read_to_string("/proc/locks")?;
    Ok(locks.lines().any(|lock| {
        let fields: Vec<&str> = lock.split_whitespace().collect();
        matches!(fields[..], [_, "POSIX", _, "WRITE", owner, _, "120", "120"] if owner == pid.to_string())
    }))
}

both_databases! {
    async fn partitions_change_hands_in_order(kind: Kind) -> Result<()> {
        let split = Split::new(kind).await;
        assert!(split.site.output(&["migrate"]).status.success());
        let _edge = split.start_edge().await;
        let mut first = split.start_ingest(0).await;
        let _second = split.start_ingest(1).await;
        split.wait_until_both_own_partitions().await;

        let file = split.site.folder().join("trace.csv.gz");
        trace::generate(&file, 9, DEVICES, 1_200, 1_000, false);
        let seen = Seen::follow(&split.nats).await?;
        // Slow enough to last until both have failed, however long that takes on a busy machine. One frame at a time: whoever
        // waits for the answer has its fixes taken in in their order, whatever dies.
        let mut replay = split.site.replay(&file, TENANT, &["--speed", "4", "--inflight", "1"]);
        seen.all_after(Instant::now(), SOON).await;

        let died = Instant::now();
        first.kill();
        seen.all_after(died + Duration::from_millis(100), SOON).await;
        eprintln!("after kill -9: all live again within {:?}", died.elapsed());

        let first = split.start_ingest(0).await;
        split.wait_until_both_own_partitions().await;
        match &split.site.logins {
            None => stop_outside_a_transaction(&first).await,
            Some(logins) => stop_in_a_transaction(&first, logins).await?,
        }
        let stopped = Instant::now();
        seen.all_after(stopped + Duration::from_millis(100), SOON).await;
        eprintln!("after SIGSTOP: all live again within {:?}", stopped.elapsed());
        first.signal(Signal::SIGCONT);

        // The rest, and once more what was sent already.
        replay.kill();
        let again = split.site.replay(&file, TENANT, &["--speed", "max", "--inflight", "1"]);
        let (status, printed) = again.end(SOON * 2).await?;
        assert!(status.success(), "{printed}");
        let (owner, expected) = (split.site.owner().await?, trace::expected(&file));
        history::equals(&owner, TENANT, &expected, SOON).await;
        stored::in_order(&split.nats, DEVICES as usize, trace::fixes(&expected), SOON).await?;
        events::equal(&owner, TENANT, &events::expected(trace::reports(&file), 0), SOON).await;
        Ok(())
    }
}
