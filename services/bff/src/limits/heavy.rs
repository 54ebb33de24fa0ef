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
const RETRY: u32 = 5;

/// Turns of each tenant; platform owners, who have none, share theirs.
pub(super) struct HeavyLimiter {
    at_once: usize,
    patience: Duration,
    tenants: Mutex<HashMap<Option<TenantId>, Weak<Semaphore>>>,
}

/// A turn, until this is dropped.
pub(super) struct HeavyPermit {
    _permit: OwnedSemaphorePermit,
    /// Keeps the tenant's turns in the map, for the next one to find.
    _turns: Arc<Semaphore>,
}

impl HeavyLimiter {
    pub(super) fn new(at_once: u32, patience: Duration) -> Self {
        Self { at_once: at_once as usize, patience, tenants: Mutex::default() }
    }

    /// Waits a while for a turn.
    pub(super) async fn turn(&self, tenant: Option<TenantId>) -> Result<HeavyPermit> {
        let turns = self.of(tenant);
        match timeout(self.patience, turns.clone().acquire_owned()).await {
            Ok(permit) => Ok(HeavyPermit { _permit: permit.map_err(Error::internal)?, _turns: turns }),
            Err(_) => Err(Error::too_many_requests(RETRY)),
        }
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

#[cfg(test)]
mod tests {
    use armada_runtime::serve::GuardedBody;
    use axum::body::Body;

    use super::*;

    #[tokio::test]
    async fn a_tenant_waits_for_its_own() {
        let heavy = HeavyLimiter::new(2, Duration::from_millis(1));
        let (tenant, other) = (Some(TenantId::new()), Some(TenantId::new()));
        let first = heavy.turn(tenant).await.expect("there are two");
        let held = GuardedBody::new(Body::from("a file"), heavy.turn(tenant).await.expect("there are two"));
        let refused = heavy.turn(tenant).await.err().expect("both are taken");
        assert_eq!(refused, Error::too_many_requests(RETRY));
        for other in [other, None] {
            drop(heavy.turn(other).await.expect("theirs are free"));
        }
        // A file that was sent has had its turn.
        let sent = axum::body::to_bytes(Body::new(held), 100).await.expect("it is sent");
        assert_eq!(sent, "a file");
        drop((heavy.turn(tenant).await.expect("it is free again"), first));
        drop(heavy.of(None));
        let _ = heavy.of(other);
        assert_eq!(heavy.tenants.lock().expect("no panic").len(), 1, "who asks for nothing is forgotten");
    }
}
