//! A bucket of another service, kept in memory.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
    str::FromStr,
    sync::{
        Arc, RwLock, RwLockReadGuard,
        atomic::{AtomicU32, Ordering},
    },
};

use armada_runtime::{
    Context, Result,
    bus::{Bucket, BucketUpdate},
};
use foldhash::fast::RandomState;
use tokio::sync::watch;

/// What the owner of a bucket says of each key. Cheap to clone.
#[derive(Clone)]
pub struct BucketCache<K, V> {
    bucket: Bucket,
    read: fn(&str, &[u8]) -> Option<V>,
    entries: Arc<RwLock<HashMap<K, V, RandomState>>>,
    version: Arc<AtomicU32>,
    loaded: watch::Sender<bool>,
}

impl<K: FromStr + Eq + Hash, V> BucketCache<K, V> {
    /// Opens the bucket; [`Self::follow`] fills it.
    pub async fn open(
        context: &Context,
        bucket: &'static str,
        owner: &'static str,
        read: fn(&str, &[u8]) -> Option<V>,
    ) -> Result<Self> {
        let bucket = context.bucket(bucket, owner).await?;
        let loaded = watch::Sender::new(false);
        Ok(Self { bucket, read, entries: Arc::default(), version: Arc::default(), loaded })
    }

    /// Waits until the whole bucket has been read once.
    pub async fn loaded(&self) {
        let mut loaded = self.loaded.subscribe();
        let _ = loaded.wait_for(|loaded| *loaded).await;
    }

    /// All that is known. Holds the lock.
    pub fn entries(&self) -> RwLockReadGuard<'_, HashMap<K, V, RandomState>> {
        self.entries.read().expect("no panic while held")
    }

    /// Grows whenever an entry may be another one than before, and with the first ones.
    pub fn version(&self) -> u32 {
        self.version.load(Ordering::Acquire)
    }

    /// Follows the bucket for ever.
    pub async fn follow(&self) -> Result<()> {
        let mut follower = self.bucket.follow(self.read);
        loop {
            match follower.next().await {
                BucketUpdate::All(all) => {
                    // Of what nothing can be believed now stays what was known.
                    let kept: HashSet<K> = all.refused.iter().filter_map(|key| key.parse().ok()).collect();
                    let present = all.entries.into_iter().filter_map(|(key, value)| Some((key.parse().ok()?, value)));
                    let mut entries = self.entries.write().expect("no panic while held");
                    entries.retain(|key, _| kept.contains(key));
                    entries.extend(present);
                    drop(entries);
                    self.increment_version();
                    self.loaded.send_replace(true);
                }
                BucketUpdate::Changed(key, value) => {
                    let Ok(key) = key.parse::<K>() else { continue };
                    let mut entries = self.entries.write().expect("no panic while held");
                    match value {
                        Some(value) => drop(entries.insert(key, value)),
                        None => drop(entries.remove(&key)),
                    }
                    drop(entries);
                    self.increment_version();
                }
                BucketUpdate::Refused(_) => {}
            }
        }
    }

    /// After the change: who sees the new number sees new entries.
    fn increment_version(&self) {
        self.version.fetch_add(1, Ordering::Release);
    }
}
