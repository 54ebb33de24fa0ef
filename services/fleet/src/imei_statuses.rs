//! Whether a tenant that names an IMEI gets its fixes at once, or has to wait until a platform owner has decided.

use std::collections::HashMap;

use armada_proto::{
    TenantId,
    v1::{ImeiClaimStatus, ImeiStatus, Tenant},
};
use armada_runtime::{Caller, Result, Scope};
use futures::{StreamExt, stream};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::{
    devices::Devices,
    entity::{device, imei_assignment, imei_binding, imei_claim},
};

/// Questions to NATS at a time.
const ASK_AT_ONCE: usize = 32;

impl Devices {
    /// What becomes of IMEIs that `caller` gives to devices of a tenant. That somebody else has one and that it was heard
    /// elsewhere come to the same, so that the answer tells nobody which trackers there are.
    pub(crate) async fn imei_statuses(
        &self,
        caller: &Caller,
        tenant: &Tenant,
        imeis: Vec<String>,
    ) -> Result<HashMap<String, ImeiStatus>> {
        // Whoever decides on claims need not make one. What somebody else has is refused to them as such.
        if caller.is_platform_owner() {
            return Ok(imeis.into_iter().map(|imei| (imei, ImeiStatus::Bound)).collect());
        }
        let tx = self.db.read(&Scope::Platform).await?;
        let mut imei_statuses = statuses_of_tables(&tx, tenant.id.parse()?, tenant.confirmed, &imeis).await?;
        tx.commit().await?;
        // Nobody has or had the others. That leaves where they were heard.
        let free: Vec<_> = imeis.into_iter().filter(|imei| !imei_statuses.contains_key(imei)).collect();
        let answers = stream::iter(free).map(|imei| async move {
            let status = match self.is_heard_elsewhere(tenant, &imei).await {
                Ok(true) => ImeiStatus::Pending,
                Ok(false) => ImeiStatus::Bound,
                Err(error) => {
                    tracing::warn!(%error, "cannot ask where an IMEI was heard; a platform owner has to decide");
                    ImeiStatus::Pending
                }
            };
            (imei, status)
        });
        imei_statuses.extend(answers.buffer_unordered(ASK_AT_ONCE).collect::<Vec<_>>().await);
        Ok(imei_statuses)
    }

    /// Whether an IMEI was heard through a gateway that does not speak for this tenant alone.
    async fn is_heard_elsewhere(&self, tenant: &Tenant, imei: &str) -> Result<bool> {
        let Some(heard) = self.heard_imeis.of(imei).await? else { return Ok(false) };
        Ok(heard.more_gateways || !self.gateways.are_all_of(tenant.id.parse()?, &heard).await?)
    }
}

/// What the tables say of IMEIs that a tenant names, what weighs more later; nothing of those that nobody has or had.
async fn statuses_of_tables(
    tx: &DatabaseTransaction,
    tenant: TenantId,
    confirmed: bool,
    imeis: &[String],
) -> Result<HashMap<String, ImeiStatus>> {
    let own = |own: bool| if own { ImeiStatus::Bound } else { ImeiStatus::Pending };
    let mut statuses = HashMap::with_capacity(imeis.len());
    if !confirmed {
        // Whoever had it last may have it back, however often it has spoken since.
        let bindings = imei_binding::Entity::find().filter(imei_binding::Column::Imei.is_in(imeis));
        let last = bindings.order_by_asc(imei_binding::Column::BoundUntil).all(tx).await?;
        statuses.extend(last.into_iter().map(|last| (last.imei, own(last.tenant_id == tenant))));
        let claimed = imei_claim::Entity::within(Scope::Platform)
            .select_only()
            .column(imei_claim::Column::Imei)
            .filter(imei_claim::Column::Imei.is_in(imeis))
            .filter(imei_claim::Column::Status.eq(ImeiClaimStatus::Waiting))
            .filter(imei_claim::Column::TenantId.ne(tenant))
            .filter(imei_claim::Column::DeviceId.not_in_subquery(device::Entity::hidden()));
        let claimed: Vec<String> = claimed.into_tuple().all(tx).await?;
        statuses.extend(claimed.into_iter().map(|imei| (imei, ImeiStatus::Pending)));
    } else {
        statuses.extend(imeis.iter().map(|imei| (imei.clone(), ImeiStatus::Bound)));
    }
    let promised = imei_assignment::Entity::find().filter(imei_assignment::Column::Imei.is_in(imeis)).all(tx).await?;
    statuses.extend(promised.into_iter().map(|promised| (promised.imei, own(promised.tenant_id == tenant))));
    let held = device::Entity::bound().select_only().column(device::Column::Imei);
    let held: Vec<String> = held.filter(device::Column::Imei.is_in(imeis)).into_tuple().all(tx).await?;
    statuses.extend(held.into_iter().map(|imei| (imei, ImeiStatus::Pending)));
    Ok(statuses)
}
