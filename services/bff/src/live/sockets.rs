//! What is common to all live sockets of this process.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use armada_proto::{alarm, binding};
use armada_runtime::{Context, Error, Policies, Result, ServiceKey, bus::Bucket, random::random};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use super::{directory::Directory, hub::Hub, metrics::Metrics};
use crate::{auth::ended::EndedSessions, clients::Clients, config::Config, limits::heavy::HeavyLimiter};

/// The service that tells of devices.
const FLEET: &str = "fleet";
/// The service that tells which alarms stand.
const NOTIFICATION: &str = "notification";
/// Seconds after which to try again who has too many.
const SOCKETS_RETRY: u32 = 30;
/// Subscriptions of one tenant that are looked up at a time, and how long others wait for that.
const SUBSCRIPTIONS_AT_ONCE: u32 = 2;
const SUBSCRIBE_WAIT: Duration = Duration::from_secs(5);
/// Time for each open socket when the server stops: clients come back as fast as they are sent away.
const CLOSING_EACH: Duration = Duration::from_millis(5);
/// The longest that sending all of them away may take, however many there are.
const CLOSING_ALL: Duration = Duration::from_secs(10);
/// How long the last of them may take to say goodbye.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// What all sockets share. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Sockets(pub(super) Arc<Shared>);

pub(super) struct Shared {
    pub(super) clients: Clients,
    pub(super) service_key: ServiceKey,
    pub(super) hub: Hub,
    pub(super) directory: Directory,
    /// What fleet tells of devices.
    devices: Bucket,
    /// What notification tells of alarms.
    alarms: Bucket,
    pub(super) metrics: Metrics,
    pub(super) ended: EndedSessions,
    pub(super) policies: Policies,
    /// Subscriptions that are looked up at a time: however many sockets a tenant has, fleet has time for others.
    pub(super) subscribing: HeavyLimiter,
    pub(super) config: Config,
    pub(super) shutdown: CancellationToken,
    pub(super) open: TaskTracker,
    counts: Mutex<HashMap<Uuid, u32>>,
}

/// An open socket of a user or of a share link, counted until this is dropped.
pub(super) struct Counted {
    sockets: Sockets,
    of: Uuid,
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.sockets.counts();
        if let Some(open) = counts.get_mut(&self.of) {
            *open -= 1;
            if *open == 0 {
                counts.remove(&self.of);
            }
        }
    }
}

impl Sockets {
    pub(crate) async fn new(context: &Context, clients: Clients, ended: EndedSessions, config: Config) -> Result<Self> {
        let metrics = Metrics::new(&context.health);
        Ok(Self(Arc::new(Shared {
            hub: Hub::new(context, clients.clone(), metrics.clone()),
            directory: Directory::default(),
            devices: context.bucket(binding::BUCKET, FLEET).await?,
            alarms: context.bucket(alarm::BUCKET, NOTIFICATION).await?,
            clients,
            service_key: context.service_key.clone(),
            metrics,
            ended,
            policies: context.policies.clone(),
            subscribing: HeavyLimiter::new(SUBSCRIPTIONS_AT_ONCE, SUBSCRIBE_WAIT),
            config,
            shutdown: context.shutdown.clone(),
            open: TaskTracker::new(),
            counts: Mutex::default(),
        })))
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Uuid, u32>> {
        self.0.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more socket of a user or of a share link, if there may be so many.
    pub(super) fn count(&self, of: impl Into<Uuid>, most: u32) -> Result<Counted> {
        let of = of.into();
        let mut counts = self.counts();
        let open = counts.entry(of).or_default();
        if *open >= most {
            return Err(Error::too_many_requests(SOCKETS_RETRY));
        }
        *open += 1;
        Ok(Counted { sockets: self.clone(), of })
    }

    /// Knows of every device what catalogues say, until shutdown.
    pub(crate) async fn follow_directory(self) -> Result<()> {
        let shared = self.0;
        let (devices, alarms) = (shared.directory.clone(), shared.directory.clone());
        let both = async { tokio::join!(devices.follow(&shared.devices), alarms.follow_alarms(&shared.alarms)) };
        shared.shutdown.run_until_cancelled(both).await;
        Ok(())
    }

    /// Waits, after shutdown, until it is the turn of one socket: a moment of its own, or all clients would come back at once.
    pub(super) async fn turn_to_close(&self) {
        let draw = random().map_or(0.0, |bytes| f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX));
        tokio::time::sleep(time_to_close(self.0.open.len()).mul_f64(draw)).await;
    }

    /// Ends after shutdown, when every socket has been sent.
    pub(crate) async fn drain(self) -> Result<()> {
        let shared = self.0;
        shared.shutdown.cancelled().await;
        shared.open.close();
        let longest = time_to_close(shared.open.len()) + CLOSE_TIMEOUT;
        if tokio::time::timeout(longest, shared.open.wait()).await.is_err() {
            tracing::warn!("{} sockets did not close in time", shared.open.len());
        }
        Ok(())
    }
}

/// Over how long so many sockets are closed.
fn time_to_close(open: usize) -> Duration {
    CLOSING_EACH.saturating_mul(u32::try_from(open).unwrap_or(u32::MAX)).min(CLOSING_ALL)
}
