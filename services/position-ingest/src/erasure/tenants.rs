//! Obeying the erase ledger: the history of an erased tenant goes. That of a deleted one stays and nobody sees it, since
//! fleet hides its devices.

use armada_proto::{TenantId, v1::ErasureState};
use armada_runtime::{Bus, Database, Erasures, Result, Scope};
use sea_orm::EntityTrait;
use tokio_util::sync::CancellationToken;

use super::delete::erase_tenant_in_turn;
use crate::{
    entity::erased_tenant, live::last_positions::LastPositions, rejected::device_rejections,
    storage::write_gate::WriteGate,
};

/// Obeys the ledger.
pub struct LedgerFollower {
    /// What was refused.
    pub bus: Bus,
    /// History.
    pub db: Database,
    /// Whose turn it is to write there.
    pub gate: WriteGate,
    /// What it obeys.
    pub ledger: Erasures,
    /// The live view.
    pub last: LastPositions,
}

impl LedgerFollower {
    /// Follows the ledger until shutdown.
    pub async fn follow(self, shutdown: CancellationToken) -> Result<()> {
        self.ledger.obey(shutdown, |tenant, state| self.apply(tenant, state)).await;
        Ok(())
    }

    /// What comes later of a tenant that is entered here goes with the next sealing.
    async fn apply(&self, tenant: TenantId, state: ErasureState) -> Result<()> {
        if state != ErasureState::Erased {
            return Ok(());
        }
        self.last.forget(tenant);
        let tx = self.db.read(&Scope::Platform).await?;
        let entered = erased_tenant::Entity::find_by_id(tenant).one(&tx).await?;
        drop(tx);
        match entered {
            Some(_) => Ok(()),
            None => {
                device_rejections::erase(&self.bus, tenant).await?;
                erase_tenant_in_turn(&self.db, &self.gate, tenant).await
            }
        }
    }
}
