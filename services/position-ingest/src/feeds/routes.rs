//! Through which gateway each tracker is heard: the one of its newest fix. Fleet asks when it has a command for a tracker.
//!
//! An owner of a partition remembers the gateway of each device and writes only what differs, after the commit batch is
//! committed and beside everything else. What a new owner does not remember it compares with the bucket at the first
//! fix, so a restart writes nothing that is there.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use armada_proto::{coded, route::BUCKET, v1::ImeiRoute};
use armada_runtime::{Bus, Context, Result, bus::Bucket};
use armada_track::TrackerId;
use async_nats::jetstream::kv::{self, Operation};
use futures::{TryStreamExt, stream::FuturesUnordered};
use tokio::{sync::mpsc, task::JoinSet};

/// Keys that are written at a time.
const AT_ONCE: usize = 32;
/// Pause before what failed is tried again.
const RETRY_DELAY: Duration = Duration::from_millis(200);

/// Makes the bucket. It holds IMEIs that are bound alone, so there are no more of them than devices; a route has no age,
/// because it is written when it changes and not when it is used.
pub async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
}

/// The routes that one commit batch changed.
#[derive(Default)]
pub struct ChangedRoutes(BTreeMap<TrackerId, Route>);

struct Route {
    gateway: Arc<str>,
    since: i64,
}

impl ChangedRoutes {
    /// The newest fix of a tracker came through a gateway, in a message which the receiver wrote at `stream_ts`.
    pub fn record(&mut self, imei: TrackerId, gateway: Arc<str>, stream_ts: i64) {
        self.0.insert(imei, Route { gateway, since: stream_ts });
    }
}

/// The bucket. Cheap to clone.
#[derive(Clone)]
pub struct Routes(Bucket);

impl Routes {
    /// Opens the bucket.
    pub async fn open(context: &Context) -> Result<Self> {
        Ok(Self(context.own_bucket(BUCKET).await?))
    }

    /// Begins to write for one owner of a partition.
    pub fn writer(&self) -> RouteWriter {
        let (changes, waiting) = mpsc::unbounded_channel();
        let mut work = JoinSet::new();
        work.spawn(self.clone().run(waiting));
        RouteWriter { changes, _work: work }
    }

    /// Writes what comes, and tries again until it is written.
    async fn run(self, mut waiting: mpsc::UnboundedReceiver<ChangedRoutes>) {
        while let Some(ChangedRoutes(mut routes)) = waiting.recv().await {
            loop {
                while let Ok(ChangedRoutes(later)) = waiting.try_recv() {
                    routes.extend(later);
                }
                let Err(error) = self.store(&routes).await else { break };
                tracing::warn!(%error, "cannot note through which gateways trackers are heard; will try again");
                tokio::time::sleep(RETRY_DELAY).await;
            }
        }
    }

    async fn store(&self, routes: &BTreeMap<TrackerId, Route>) -> Result<()> {
        let mut writes = FuturesUnordered::new();
        for (&imei, route) in routes {
            if writes.len() >= AT_ONCE {
                writes.try_next().await?;
            }
            writes.push(self.store_one(imei, route));
        }
        while writes.try_next().await?.is_some() {}
        Ok(())
    }

    /// Writes a route unless it is there, or somebody who owns the partition by now knows a newer one.
    async fn store_one(&self, imei: TrackerId, route: &Route) -> Result<()> {
        let key = imei.to_string();
        loop {
            let entry = self.0.entry(&key).await?;
            let revision = entry.as_ref().map_or(0, |entry| entry.revision);
            let there = entry.filter(|entry| entry.operation == Operation::Put);
            // What cannot be read is written anew.
            let there = there.and_then(|entry| coded::decode::<ImeiRoute>(&entry.value));
            if there.is_some_and(|there| there.gateway == *route.gateway || there.since > route.since) {
                return Ok(());
            }
            let value = ImeiRoute { gateway: route.gateway.to_string(), since: route.since };
            match self.0.update(&key, coded::encode(&value).into(), revision).await {
                Err(error) if Bucket::is_wrong_sequence(&error) => {}
                written => return written,
            }
        }
    }
}

/// The writing side of one owner of a partition. It ends where it is when this is dropped: the next owner compares the
/// bucket with what it hears.
pub struct RouteWriter {
    changes: mpsc::UnboundedSender<ChangedRoutes>,
    _work: JoinSet<()>,
}

impl RouteWriter {
    /// Has the routes of a commit batch that is committed written; does not wait. What waits are changes of routes alone,
    /// and they come no faster than NATS delivers fixes.
    pub fn write(&self, changed: ChangedRoutes) {
        if !changed.0.is_empty() {
            // The other side ends with this one.
            let _ = self.changes.send(changed);
        }
    }
}
