//! Obeying the erase ledger: the events of an erased tenant go.

use armada_proto::{
    TenantId,
    v1::{Erasure, ErasureState},
};
use armada_runtime::{Database, Erasures, Result};
use tokio_util::sync::CancellationToken;

use crate::erase::erase_tenant;

/// Obeys the ledger.
pub struct LedgerFollower {
    pub(crate) db: Database,
    pub(crate) ledger: Erasures,
}

impl LedgerFollower {
    /// Follows the ledger until shutdown.
    pub async fn follow(self, shutdown: CancellationToken) -> Result<()> {
        let mut changes = self.ledger.changes();
        while let Some((tenant, erasure)) = shutdown.run_until_cancelled(changes.next()).await {
            if let Err(error) = self.apply(tenant, &erasure).await {
                changes.failed(tenant, &erasure, &error);
            }
        }
        Ok(())
    }

    async fn apply(&self, tenant: TenantId, erasure: &Erasure) -> Result<()> {
        match erasure.state() {
            ErasureState::Erased => erase_tenant(&self.db, tenant).await,
            _ => Ok(()),
        }
    }
}
