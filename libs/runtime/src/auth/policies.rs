//! What users may do now: the bucket `policies`, followed by every process that answers calls.

use std::{
    collections::HashMap,
    fmt,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use arc_swap::ArcSwap;
use armada_proto::{Timestamp, UserId, coded, policy::BUCKET, v1::Policy};
use async_nats::jetstream::kv;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{IDENTITY, entry::EntryVerifier, keys::KeyRing, rights::Rights};
use crate::{
    bus::{All, Bucket, BucketUpdate, Bus},
    error::{Error, Result},
};

/// How old what is known here may become while nobody tells of changes. Beyond it nothing is allowed any more: somebody
/// may have lost a right meanwhile.
const STALE_AFTER: Duration = Duration::from_secs(60);
/// How long a user without a policy is remembered as one.
const ABSENT_FOR: Duration = Duration::from_secs(1);

/// The rights of all users, kept up to date from the bucket. Cheap to clone.
#[derive(Clone)]
pub struct Policies {
    bucket: Bucket,
    known: Arc<RwLock<HashMap<UserId, Arc<Rights>>>>,
    /// Users who were asked for and had none.
    absent: moka::sync::Cache<UserId, ()>,
    /// When it was last certain that no change is unknown here, in milliseconds since 1970, as the follower says it.
    certain_at: Arc<ArcSwap<Arc<AtomicI64>>>,
    changes: watch::Sender<u64>,
}

impl fmt::Debug for Policies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policies").field("users", &self.len()).finish()
    }
}

impl Policies {
    /// Makes the bucket.
    pub async fn migrate(bus: &Bus) -> Result<()> {
        bus.ensure_bucket(kv::Config { bucket: BUCKET.to_owned(), history: 1, ..kv::Config::default() }).await
    }

    /// Opens the bucket; what is in it counts when identity has signed it with a key of `ring`.
    pub async fn open(bus: &Bus, ring: &KeyRing) -> Result<Self> {
        let bucket = Bucket::open(bus, BUCKET, EntryVerifier::Owner(Arc::new(ring.clone()), IDENTITY), None).await?;
        Ok(Self {
            bucket,
            known: Arc::default(),
            absent: moka::sync::Cache::builder().max_capacity(10_000).time_to_live(ABSENT_FOR).build(),
            certain_at: Arc::new(ArcSwap::from_pointee(Arc::new(AtomicI64::new(Timestamp::now().millis())))),
            changes: watch::Sender::new(0),
        })
    }

    /// The bucket, for others who follow who may be signed in.
    pub fn bucket(&self) -> Bucket {
        self.bucket.clone()
    }

    /// What a user may do now. An error when they may not be signed in, or when nobody can tell any more.
    pub async fn of(&self, user: UserId) -> Result<Arc<Rights>> {
        let certain_at = Timestamp::from_millis(self.certain_at.load().load(Ordering::Relaxed));
        if Timestamp::now() > certain_at + STALE_AFTER {
            return Err(Error::unavailable("nobody has told for a minute what users may do"));
        }
        if let Some(rights) = self.read().get(&user) {
            return Ok(rights.clone());
        }
        if self.absent.contains_key(&user) {
            return Err(Error::unauthenticated());
        }
        // A user who was made a moment ago; what the bucket says is then followed as well.
        let value = self.bucket.get(&user.to_string()).await?;
        let Some(rights) = value.as_deref().and_then(|value| read("", value)) else {
            self.absent.insert(user, ());
            return Err(Error::unauthenticated());
        };
        Ok(Arc::new(rights))
    }

    /// Changes when anybody's rights have.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Follows the bucket until shutdown.
    pub async fn follow(self, shutdown: CancellationToken) -> Result<()> {
        let mut follower = self.bucket.follow(read);
        self.certain_at.store(Arc::new(follower.current()));
        let for_ever = async {
            loop {
                match follower.next().await {
                    BucketUpdate::All(all) => self.replace(all),
                    BucketUpdate::Changed(user, rights) => self.apply(&user, rights),
                    BucketUpdate::Refused(_) => {}
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    /// What cannot be verified now leaves as it was what was verified before.
    fn replace(&self, all: All<Rights>) {
        let entries = all.entries.into_iter().filter_map(|(user, rights)| Some((user.parse().ok()?, Arc::new(rights))));
        let mut rights: HashMap<UserId, Arc<Rights>> = entries.collect();
        {
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            for user in all.refused.iter().filter_map(|user| user.parse::<UserId>().ok()) {
                if let Some(before) = known.remove(&user) {
                    rights.insert(user, before);
                }
            }
            *known = rights;
        }
        self.absent.invalidate_all();
        self.changes.send_modify(|count| *count += 1);
    }

    fn apply(&self, user: &str, rights: Option<Rights>) {
        let Ok(user) = user.parse::<UserId>() else { return };
        {
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            match rights {
                Some(rights) => drop(known.insert(user, Arc::new(rights))),
                None => drop(known.remove(&user)),
            }
        }
        self.absent.invalidate(&user);
        self.changes.send_modify(|count| *count += 1);
    }

    fn len(&self) -> usize {
        self.read().len()
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, HashMap<UserId, Arc<Rights>>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What an entry says of a user; none of what this version cannot read.
fn read(_: &str, value: &[u8]) -> Option<Rights> {
    coded::decode::<Policy>(value).and_then(|policy| Rights::try_from(policy).ok())
}
