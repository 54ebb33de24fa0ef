//! For whom each gateway speaks, as the other services read it: the bucket `gateways`. It is compared with the tables again
//! and again, and whatever differs is written.

use std::{
    collections::HashMap,
    sync::{Arc, RwLock},
    time::Duration,
};

use armada_proto::{TenantId, coded, gateway::BUCKET, v1::GatewayEntry};
use armada_runtime::{
    Bus, Context, Database, Result, Scope,
    bus::{Bucket, BucketUpdate},
};
use async_nats::jetstream::kv;
use sea_orm::EntityTrait;
use tokio::{
    sync::{Notify, watch},
    time::{MissedTickBehavior, interval},
};
use tokio_util::sync::CancellationToken;

use crate::entity::{
    gateway::{Entity, Model},
    removed_gateway,
};

/// How often the tables are compared with the bucket.
const ROUND: Duration = Duration::from_secs(5);
/// How long whoever changed a gateway waits until it is known.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Makes the bucket.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

/// The bucket, and what it is known to hold. Cheap to clone.
#[derive(Clone)]
pub struct Directory {
    db: Database,
    bucket: Bucket,
    known: Arc<RwLock<HashMap<String, GatewayEntry>>>,
    wake: Arc<Notify>,
    rounds: watch::Sender<u64>,
}

impl Directory {
    /// Opens the bucket.
    pub async fn open(context: &Context, db: Database) -> Result<Self> {
        let bucket = context.own_bucket(BUCKET).await?;
        Ok(Self { db, bucket, known: Arc::default(), wake: Arc::default(), rounds: watch::Sender::new(0) })
    }

    /// Whether the other services know for whom a gateway speaks, or hear it now.
    pub fn has(&self, row: &Model) -> bool {
        let known = self.known.read().expect("no panic while held");
        known.get(&row.name).is_some_and(|known| known.tenant_id == row.tenant_id.map(|id| id.to_string()))
    }

    /// Writes what was changed; waits for it, though not long.
    pub async fn flush(&self) {
        let mut rounds = self.rounds.subscribe();
        // A round that is under way may have read the tables before.
        let wanted = *rounds.borrow_and_update() + 2;
        self.wake.notify_one();
        let written = async {
            while *rounds.borrow_and_update() < wanted {
                self.wake.notify_one();
                if rounds.changed().await.is_err() {
                    return;
                }
            }
        };
        let _ = tokio::time::timeout(TIMEOUT, written).await;
    }

    /// Keeps the bucket as the tables are, until shutdown.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let mut follower = self.bucket.follow(|_, value| coded::decode::<GatewayEntry>(value));
        let mut rounds = interval(ROUND);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut is_loaded = false;
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return Ok(()),
                update = follower.next() => {
                    is_loaded = true;
                    if self.apply(update) { continue }
                }
                () = self.wake.notified() => {}
                _ = rounds.tick() => {}
            }
            if !is_loaded {
                continue;
            }
            if let Err(error) = self.write().await {
                tracing::warn!(%error, "cannot say for whom gateways speak; will try again");
                rounds.reset_after(Duration::from_secs(1));
            }
            self.rounds.send_modify(|rounds| *rounds += 1);
        }
    }

    /// Applies what the bucket says. Whether it says nothing that must be mended.
    fn apply(&self, update: BucketUpdate<GatewayEntry>) -> bool {
        let mut known = self.known.write().expect("no panic while held");
        match update {
            BucketUpdate::All(all) => {
                *known = all.entries;
                return false;
            }
            BucketUpdate::Changed(name, Some(entry)) => drop(known.insert(name, entry)),
            BucketUpdate::Changed(name, None) => drop(known.remove(&name)),
            BucketUpdate::Refused(name) => {
                known.remove(&name);
                return false;
            }
        }
        true
    }

    async fn write(&self) -> Result<()> {
        let tx = self.db.read(&Scope::Platform).await?;
        let there = Entity::find().all(&tx).await?.into_iter().map(|row| (row.name, row.tenant_id, row.created_at));
        let removed = removed_gateway::Entity::find().all(&tx).await?.into_iter();
        drop(tx);
        let rows = there.chain(removed.map(|row| (row.name, row.former_tenant_id, 0)));
        for (name, tenant, since) in rows {
            let entry = GatewayEntry { tenant_id: tenant.map(|id: TenantId| id.to_string()), since };
            if self.known.read().expect("no panic while held").get(&name) == Some(&entry) {
                continue;
            }
            self.bucket.put(&name, coded::encode(&entry).into()).await?;
            self.known.write().expect("no panic while held").insert(name, entry);
        }
        Ok(())
    }
}
