//! Obeying the erase ledger: the events of an erased tenant go.

use armada_proto::{TenantId, v1::ErasureState};
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
        self.ledger.obey(shutdown, |tenant, state| self.apply(tenant, state)).await;
        Ok(())
    }

    async fn apply(&self, tenant: TenantId, state: ErasureState) -> Result<()> {
        match state {
            ErasureState::Erased => {
                erase_tenant(&self.db, tenant).await?;
                self.db.forget_log().await;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
