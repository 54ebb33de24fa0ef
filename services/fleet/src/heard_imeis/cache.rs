//! Which IMEIs were heard while nobody had them, and who has which, in memory while somebody looks: a list is narrowed,
//! sorted and counted, and a bucket can do none of that.
//!
//! Both buckets are read when somebody asks, followed from then on, and forgotten when nobody has asked for ten minutes. A
//! full bucket, 300,000 IMEIs, takes some seconds of one processor, for the signatures, and some 100 MB; one that holds a
//! few hundred is read before anybody notices.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use armada_proto::{
    TenantId, Timestamp, binding, coded, heard_imeis,
    v1::{DeviceBinding, ImeiHeard},
};
use armada_runtime::{
    Context, Error, Result,
    bus::{All, Bucket, BucketUpdate},
};
use armada_track::TrackerId;
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use crate::config::NAME;

/// The service that listens.
const INGEST: &str = "position-ingest";
/// How long whoever asks waits until the buckets are read.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(8);
/// What nobody has asked for so long is forgotten.
const IDLE_EXPIRY: Duration = Duration::from_secs(600);
/// When to try again to open a bucket.
const RETRY: Duration = Duration::from_secs(1);

/// What was noted of an IMEI.
pub struct CachedImei {
    /// The gateways that it came through, a name each only once in memory.
    pub gateways: Box<[Arc<str>]>,
    /// There were more than those.
    pub more_gateways: bool,
    /// In milliseconds since 1970.
    pub first: i64,
    pub last: i64,
    /// Fixes, about.
    pub fixes: u32,
}

/// What the two buckets say.
#[derive(Default)]
pub struct CachedImeis {
    heard: HashMap<TrackerId, CachedImei>,
    bound: HashMap<TrackerId, TenantId>,
    /// Gateways.
    names: HashSet<Arc<str>>,
    is_heard_read: bool,
    is_bound_read: bool,
}

impl CachedImeis {
    /// Those that were heard and that nobody has; for a tenant, which is not told what others have, those that it has not.
    pub fn listed_for(&self, tenant: Option<TenantId>) -> impl Iterator<Item = (TrackerId, &CachedImei)> {
        let hides = move |holder: &TenantId| tenant.is_none_or(|tenant| tenant == *holder);
        let listed = self.heard.iter().filter(move |(imei, _)| !self.bound.get(imei).is_some_and(hides));
        listed.map(|(imei, cached)| (*imei, cached))
    }

    /// The gateways that any of them came through.
    pub fn gateways(&self) -> Vec<String> {
        self.names.iter().map(ToString::to_string).collect()
    }

    fn is_read(&self) -> bool {
        self.is_heard_read && self.is_bound_read
    }

    fn apply_heard(&mut self, update: BucketUpdate<(TrackerId, ImeiHeard)>) {
        match update {
            BucketUpdate::All(All { entries, refused }) => {
                // Of what nothing can be believed now stays what was known.
                self.heard.retain(|imei, _| refused.contains(&imei.to_string()));
                for (imei, heard) in entries.into_values() {
                    self.insert(imei, heard);
                }
                self.is_heard_read = true;
            }
            BucketUpdate::Changed(_, Some((imei, heard))) => self.insert(imei, heard),
            BucketUpdate::Changed(key, None) => {
                if let Ok(imei) = key.parse::<TrackerId>() {
                    self.heard.remove(&imei);
                }
            }
            BucketUpdate::Refused(_) => {}
        }
    }

    fn insert(&mut self, imei: TrackerId, heard: ImeiHeard) {
        let gateways = heard.gateways.into_iter().map(|name| self.intern(name)).collect();
        let cached = CachedImei {
            gateways,
            more_gateways: heard.more_gateways,
            first: heard.first_heard.map_or(0, Timestamp::millis),
            last: heard.last_heard.map_or(0, Timestamp::millis),
            fixes: heard.fixes,
        };
        self.heard.insert(imei, cached);
    }

    fn intern(&mut self, name: String) -> Arc<str> {
        if let Some(known) = self.names.get(name.as_str()) {
            return known.clone();
        }
        let name: Arc<str> = name.into();
        self.names.insert(name.clone());
        name
    }

    fn apply_binding(&mut self, update: BucketUpdate<(TrackerId, TenantId)>) {
        match update {
            BucketUpdate::All(All { entries, refused }) => {
                self.bound.retain(|imei, _| refused.contains(&binding::key(&imei.to_string())));
                self.bound.extend(entries.into_values());
                self.is_bound_read = true;
            }
            BucketUpdate::Changed(_, Some((imei, tenant))) => drop(self.bound.insert(imei, tenant)),
            BucketUpdate::Changed(key, None) => {
                if let Some(imei) = imei_of(&key) {
                    self.bound.remove(&imei);
                }
            }
            BucketUpdate::Refused(_) => {}
        }
    }
}

fn imei_of(key: &str) -> Option<TrackerId> {
    binding::imei_of(key)?.parse().ok()
}

/// Keeps what the buckets say. Cheap to clone.
#[derive(Clone)]
pub struct HeardImeiCache {
    context: Context,
    imeis: watch::Sender<CachedImeis>,
    /// Changes whenever somebody asks.
    asked: watch::Sender<()>,
}

impl HeardImeiCache {
    /// As this service. The buckets need not be there yet.
    pub fn new(context: Context) -> Self {
        Self { context, imeis: watch::Sender::default(), asked: watch::Sender::new(()) }
    }

    /// What `read` makes of what is known, once all of it is. An error when that cannot be said now.
    pub async fn read<T>(&self, read: impl FnOnce(&CachedImeis) -> T) -> Result<T> {
        let mut imeis = self.imeis.subscribe();
        self.asked.send_replace(());
        let known = timeout(ANSWER_TIMEOUT, imeis.wait_for(CachedImeis::is_read)).await;
        let known = known.map_err(|_| Error::unavailable("what was heard is not read yet"))?;
        Ok(read(&*known.map_err(Error::unavailable)?))
    }

    /// Follows the buckets while somebody asks, until shutdown.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let mut asked = self.asked.subscribe();
        while let Some(Ok(())) = shutdown.run_until_cancelled(asked.changed()).await {
            let until_nobody_asks = async { while let Ok(Ok(())) = timeout(IDLE_EXPIRY, asked.changed()).await {} };
            tokio::select! {
                () = self.follow_heard() => {}
                () = self.follow_bound() => {}
                () = until_nobody_asks => {}
                () = shutdown.cancelled() => {}
            }
            self.imeis.send_replace(CachedImeis::default());
        }
        Ok(())
    }

    async fn follow_heard(&self) {
        let bucket = self.opened(heard_imeis::BUCKET, INGEST).await;
        let mut follower = bucket.follow(|key, value| Some((key.parse().ok()?, coded::decode(value)?)));
        loop {
            let update = follower.next().await;
            self.imeis.send_modify(|imeis| imeis.apply_heard(update));
        }
    }

    async fn follow_bound(&self) {
        let bucket = self.opened(binding::BUCKET, NAME).await;
        let mut follower = bucket.follow(|key, value| {
            let holder = coded::decode::<DeviceBinding>(value)?;
            Some((imei_of(key)?, holder.tenant_id.parse().ok()?))
        });
        loop {
            let update = follower.next().await;
            self.imeis.send_modify(|imeis| imeis.apply_binding(update));
        }
    }

    /// A bucket as soon as it can be opened.
    async fn opened(&self, name: &'static str, owner: &'static str) -> Bucket {
        loop {
            match self.context.bucket(name, owner).await {
                Ok(bucket) => return bucket,
                Err(error) => tracing::warn!(%error, "cannot read which IMEIs were heard; will try again"),
            }
            sleep(RETRY).await;
        }
    }
}
