//! What takes long and much, a few at a time for each tenant: files of whole lists, and tracks; or for each user: uploads.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use armada_proto::TenantId;
use armada_runtime::{Error, Result};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// Seconds after which to try again what found no turn.
pub const RETRY: u32 = 5;

/// Turns of each tenant or user; platform owners, who have no tenant, share theirs.
pub struct HeavyLimiter<K = Option<TenantId>> {
    at_once: usize,
    wait_timeout: Duration,
    turns: Mutex<HashMap<K, Weak<Semaphore>>>,
}

/// A turn, until this is dropped.
pub struct HeavyPermit {
    _permit: OwnedSemaphorePermit,
    /// Keeps the turns in the map, for the next one to find.
    _turns: Arc<Semaphore>,
}

impl<K: Eq + Hash> HeavyLimiter<K> {
    /// So many turns at once for each; who finds none waits for so long.
    pub fn new(at_once: u32, wait_timeout: Duration) -> Self {
        Self { at_once: at_once as usize, wait_timeout, turns: Mutex::default() }
    }

    /// Waits a while for a turn.
    pub async fn turn(&self, whose: K) -> Result<HeavyPermit> {
        let turns = self.of(whose);
        match timeout(self.wait_timeout, turns.clone().acquire_owned()).await {
            Ok(permit) => Ok(HeavyPermit { _permit: permit.map_err(Error::internal)?, _turns: turns }),
            Err(_) => Err(Error::too_many_requests(RETRY)),
        }
    }

    /// How many are remembered.
    pub fn remembered(&self) -> usize {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn of(&self, whose: K) -> Arc<Semaphore> {
        let mut all = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turns) = all.get(&whose).and_then(Weak::upgrade) {
            return turns;
        }
        all.retain(|_, turns| turns.strong_count() > 0);
        let turns = Arc::new(Semaphore::new(self.at_once));
        all.insert(whose, Arc::downgrade(&turns));
        turns
    }
}

/// Turns of which there are few in all, and each tenant has one at a time: whoever waits has one tenant's work before them
/// for each turn at most.
pub struct SharedTurns {
    tenants: HeavyLimiter,
    all: Arc<Semaphore>,
    wait_timeout: Duration,
}

/// One of them, until this is dropped.
pub struct SharedPermit {
    _of_tenant: HeavyPermit,
    _of_all: OwnedSemaphorePermit,
}

impl SharedTurns {
    /// So many in all; who finds none waits for so long, for that of the tenant and for one of all.
    pub fn new(all: usize, wait_timeout: Duration) -> Self {
        Self { tenants: HeavyLimiter::new(1, wait_timeout), all: Arc::new(Semaphore::new(all)), wait_timeout }
    }

    /// Waits a while for a turn.
    pub async fn turn(&self, tenant: Option<TenantId>) -> Result<SharedPermit> {
        let of_tenant = self.tenants.turn(tenant).await?;
        let of_all = timeout(self.wait_timeout, self.all.clone().acquire_owned()).await;
        let of_all = of_all.map_err(|_| Error::too_many_requests(RETRY))?.map_err(Error::internal)?;
        Ok(SharedPermit { _of_tenant: of_tenant, _of_all: of_all })
    }
}
