//! Whether a tenant that names an IMEI gets its fixes at once, or has to wait until a platform owner has decided.

use armada_proto::{
    TenantId,
    v1::{ImeiClaimStatus, ImeiStatus, Tenant},
};
use armada_runtime::{Caller, Result, Scope};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder};

use crate::{
    devices::Devices,
    entity::{device, imei_assignment, imei_binding, imei_claim},
};

/// What the tables say of an IMEI that a tenant names.
enum Known {
    Settled(ImeiStatus),
    /// Nobody has or had it. That leaves where it was heard.
    Free,
}

impl Devices {
    /// What becomes of an IMEI that `caller` gives to a device of a tenant. That somebody else has it and that it was
    /// heard elsewhere come to the same, so that the answer tells nobody which trackers there are.
    pub(crate) async fn standing(&self, caller: &Caller, tenant: &Tenant, imei: &str) -> Result<ImeiStatus> {
        // Whoever decides on claims need not make one. What somebody else has is refused to them as such.
        if caller.is_platform_owner() {
            return Ok(ImeiStatus::Bound);
        }
        let tx = self.db.read(&Scope::Platform).await?;
        let known = known(&tx, tenant.id.parse()?, tenant.confirmed, imei).await?;
        tx.commit().await?;
        if let Known::Settled(status) = known {
            return Ok(status);
        }
        match self.is_heard_elsewhere(tenant, imei).await {
            Ok(elsewhere) => Ok(if elsewhere { ImeiStatus::Pending } else { ImeiStatus::Bound }),
            Err(error) => {
                tracing::warn!(%error, "cannot ask where an IMEI was heard; a platform owner has to decide");
                Ok(ImeiStatus::Pending)
            }
        }
    }

    /// Whether an IMEI was heard through a gateway that does not speak for this tenant alone.
    async fn is_heard_elsewhere(&self, tenant: &Tenant, imei: &str) -> Result<bool> {
        let Some(heard) = self.heard.of(imei).await? else { return Ok(false) };
        Ok(heard.more_gateways || !self.gateways.are_all_of(tenant.id.parse()?, &heard).await?)
    }
}

async fn known(tx: &DatabaseTransaction, tenant: TenantId, confirmed: bool, imei: &str) -> Result<Known> {
    let held = device::Entity::bound().filter(device::Column::Imei.eq(imei)).count(tx).await? > 0;
    if held {
        return Ok(Known::Settled(ImeiStatus::Pending));
    }
    if let Some(promised) = imei_assignment::Entity::find_by_id(imei.to_owned()).one(tx).await? {
        let own = promised.tenant_id == tenant;
        return Ok(Known::Settled(if own { ImeiStatus::Bound } else { ImeiStatus::Pending }));
    }
    if confirmed {
        return Ok(Known::Settled(ImeiStatus::Bound));
    }
    let claimed = imei_claim::Entity::within(Scope::Platform)
        .filter(imei_claim::Column::Imei.eq(imei))
        .filter(imei_claim::Column::Status.eq(ImeiClaimStatus::Waiting))
        .filter(imei_claim::Column::TenantId.ne(tenant))
        .filter(imei_claim::Column::DeviceId.not_in_subquery(device::Entity::hidden()));
    if claimed.count(tx).await? > 0 {
        return Ok(Known::Settled(ImeiStatus::Pending));
    }
    let bindings = imei_binding::Entity::find().filter(imei_binding::Column::Imei.eq(imei));
    let last = bindings.order_by_desc(imei_binding::Column::BoundUntil).one(tx).await?;
    // Whoever had it last may have it back, however often it has spoken since.
    if let Some(last) = last {
        let own = last.tenant_id == tenant;
        return Ok(Known::Settled(if own { ImeiStatus::Bound } else { ImeiStatus::Pending }));
    }
    Ok(Known::Free)
}
