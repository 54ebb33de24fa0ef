//! What users may do now: the bucket `policies`, followed by every process that answers calls.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use armada_proto::{TenantId, Timestamp, UserId, coded, policy::BUCKET, v1::Policy};
use async_nats::{
    connection::State,
    jetstream::kv::{self, Operation},
};
use futures::StreamExt;
use tokio::{sync::watch, time::interval};
use tokio_util::sync::CancellationToken;

use crate::{
    bus::Bus,
    error::{Error, Result},
};

/// How old what is known here may become while nobody tells of changes. Beyond it nothing is allowed any more: somebody
/// may have lost a right meanwhile.
const STALE_AFTER: Duration = Duration::from_secs(60);
/// How often a live connection counts as news.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// When to follow again after the connection was lost.
const RETRY: Duration = Duration::from_millis(200);
/// How long a user without a policy is remembered as one.
const ABSENT_FOR: Duration = Duration::from_secs(1);

/// What a user may do.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// Grows with every change.
    pub version: i32,
    /// None for platform owners.
    pub tenant_id: Option<TenantId>,
    /// May do everything in every tenant.
    pub is_platform_owner: bool,
    /// May do everything in their tenant.
    pub is_tenant_admin: bool,
    /// The subscription covers them.
    pub is_subscription_user: bool,
    /// Must set up a second factor before anything else.
    pub must_set_up_totp: bool,
    permissions: HashSet<String>,
}

impl Rights {
    /// Whether the user holds a permission, by its key: who administers a scope holds every one in it.
    pub fn allow(&self, permission: &str) -> bool {
        self.is_platform_owner || self.is_tenant_admin || self.permissions.contains(permission)
    }
}

impl TryFrom<Policy> for Rights {
    type Error = Error;

    fn try_from(policy: Policy) -> Result<Self> {
        Ok(Self {
            version: policy.version,
            tenant_id: policy.tenant_id.map(|id| id.parse()).transpose()?,
            is_platform_owner: policy.is_platform_owner,
            is_tenant_admin: policy.is_tenant_admin,
            is_subscription_user: policy.is_subscription_user,
            must_set_up_totp: policy.must_set_up_totp,
            permissions: policy.permissions.into_iter().collect(),
        })
    }
}

/// The rights of all users, kept up to date from the bucket. Cheap to clone.
#[derive(Clone)]
pub struct Policies {
    store: kv::Store,
    known: Arc<RwLock<HashMap<UserId, Arc<Rights>>>>,
    /// Users who were asked for and had none.
    absent: moka::sync::Cache<UserId, ()>,
    /// When it was last certain that no change is unknown here, in milliseconds since 1970.
    certain_at: Arc<AtomicI64>,
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

    /// Opens the bucket.
    pub async fn open(bus: &Bus) -> Result<Self> {
        Ok(Self {
            store: bus.bucket(BUCKET).await?,
            known: Arc::default(),
            absent: moka::sync::Cache::builder().max_capacity(10_000).time_to_live(ABSENT_FOR).build(),
            certain_at: Arc::new(AtomicI64::new(Timestamp::now().millis())),
            changes: watch::Sender::new(0),
        })
    }

    /// The bucket, for identity, who fills it.
    pub fn bucket(&self) -> kv::Store {
        self.store.clone()
    }

    /// What a user may do now. An error when they may not be signed in, or when nobody can tell any more.
    pub async fn of(&self, user: UserId) -> Result<Arc<Rights>> {
        let certain_at = Timestamp::from_millis(self.certain_at.load(Ordering::Relaxed));
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
        let value = self.store.get(user.to_string()).await.map_err(Error::unavailable)?;
        let Some(policy) = value.as_deref().and_then(coded::decode::<Policy>) else {
            self.absent.insert(user, ());
            return Err(Error::unauthenticated());
        };
        Ok(Arc::new(Rights::try_from(policy)?))
    }

    /// Changes when anybody's rights have.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Follows the bucket until shutdown.
    pub async fn follow(self, bus: Bus, shutdown: CancellationToken) -> Result<()> {
        shutdown.run_until_cancelled(self.follow_for_ever(&bus)).await.unwrap_or(Ok(()))
    }

    async fn follow_for_ever(&self, bus: &Bus) -> Result<()> {
        loop {
            if let Err(error) = self.follow_connection(bus).await {
                tracing::warn!(%error, "cannot follow what users may do; will try again");
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    /// Until the connection changes. What the bucket holds at first replaces all that was known.
    async fn follow_connection(&self, bus: &Bus) -> Result<()> {
        let mut connections = bus.connections();
        let mut entries = self.store.watch_with_history(">").await.map_err(Error::unavailable)?;
        let empty = self.store.status().await.map_err(Error::unavailable)?.values() == 0;
        let mut first = (!empty).then(HashMap::new);
        if empty {
            self.replace(HashMap::new());
        }
        let mut heartbeat = interval(HEARTBEAT);
        loop {
            tokio::select! {
                _ = connections.changed() => return Ok(()),
                _ = heartbeat.tick() => {
                    if first.is_none() && bus.client.connection_state() == State::Connected {
                        self.is_certain();
                    }
                }
                entry = entries.next() => {
                    let Some(entry) = entry else { return Ok(()) };
                    let entry = entry.map_err(Error::unavailable)?;
                    let is_last = entry.seen_current;
                    match &mut first {
                        Some(all) => note(all, &entry),
                        None => self.apply(&entry),
                    }
                    if is_last && let Some(all) = first.take() {
                        self.replace(all);
                    }
                }
            }
        }
    }

    fn replace(&self, all: HashMap<UserId, Arc<Rights>>) {
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = all;
        self.absent.invalidate_all();
        self.is_certain();
        self.changes.send_modify(|count| *count += 1);
    }

    fn apply(&self, entry: &kv::Entry) {
        note(&mut self.known.write().unwrap_or_else(PoisonError::into_inner), entry);
        if let Ok(user) = entry.key.parse::<UserId>() {
            self.absent.invalidate(&user);
        }
        self.is_certain();
        self.changes.send_modify(|count| *count += 1);
    }

    fn is_certain(&self) {
        self.certain_at.store(Timestamp::now().millis(), Ordering::Relaxed);
    }

    fn len(&self) -> usize {
        self.read().len()
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, HashMap<UserId, Arc<Rights>>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes over what an entry says of a user. One that this version cannot read grants nothing.
fn note(all: &mut HashMap<UserId, Arc<Rights>>, entry: &kv::Entry) {
    let Ok(user) = entry.key.parse::<UserId>() else { return };
    let policy = (entry.operation == Operation::Put).then(|| coded::decode::<Policy>(&entry.value)).flatten();
    match policy.map(Rights::try_from) {
        Some(Ok(rights)) => all.insert(user, Arc::new(rights)),
        _ => all.remove(&user),
    };
}
