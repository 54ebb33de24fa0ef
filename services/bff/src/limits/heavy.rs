//! What takes long and much, a few at a time for each tenant: files of whole lists, and tracks.

use std::{
    collections::HashMap,
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

/// Turns of each tenant; platform owners, who have none, share theirs.
pub struct HeavyLimiter {
    at_once: usize,
    wait_timeout: Duration,
    tenants: Mutex<HashMap<Option<TenantId>, Weak<Semaphore>>>,
}

/// A turn, until this is dropped.
pub struct HeavyPermit {
    _permit: OwnedSemaphorePermit,
    /// Keeps the tenant's turns in the map, for the next one to find.
    _turns: Arc<Semaphore>,
}

impl HeavyLimiter {
    /// So many turns at once for each tenant; who finds none waits for so long.
    pub fn new(at_once: u32, wait_timeout: Duration) -> Self {
        Self { at_once: at_once as usize, wait_timeout, tenants: Mutex::default() }
    }

    /// Waits a while for a turn.
    pub async fn turn(&self, tenant: Option<TenantId>) -> Result<HeavyPermit> {
        let turns = self.of(tenant);
        match timeout(self.wait_timeout, turns.clone().acquire_owned()).await {
            Ok(permit) => Ok(HeavyPermit { _permit: permit.map_err(Error::internal)?, _turns: turns }),
            Err(_) => Err(Error::too_many_requests(RETRY)),
        }
    }

    /// Tenants that are remembered.
    pub fn tenants(&self) -> usize {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn of(&self, tenant: Option<TenantId>) -> Arc<Semaphore> {
        let mut tenants = self.tenants.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turns) = tenants.get(&tenant).and_then(Weak::upgrade) {
            return turns;
        }
        tenants.retain(|_, turns| turns.strong_count() > 0);
        let turns = Arc::new(Semaphore::new(self.at_once));
        tenants.insert(tenant, Arc::downgrade(&turns));
        turns
    }
}
