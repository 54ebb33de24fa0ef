//! What is asked, and what follows, when devices are made: of all at once that are made together, of one tenant.

use std::collections::HashMap;

use armada_proto::{access::permission::DEVICE_MEMBER_CREATE, v1::DeviceInput};
use armada_runtime::{Caller, Error, Result};
use sea_orm::DatabaseTransaction;

use super::{
    Devices, Effects, Prepared, groups,
    imei::{bind_or_claim, named_once},
    references,
};
use crate::{bindings, device_thresholds, driver_assignments, entity::device::Model, limits, members};

impl Devices {
    /// What is asked of others before they are written.
    pub(super) async fn prepare_all(&self, caller: &Caller, new: &[(Model, DeviceInput)]) -> Result<Vec<Prepared>> {
        let Some((first, _)) = new.first() else { return Ok(Vec::new()) };
        let tenant = self.identity.named_tenant(&self.service_key, &first.tenant_id.to_string()).await?;
        let imeis = new.iter().filter_map(|(_, input)| input.imei.clone()).collect();
        let imei_statuses = self.imei_statuses(caller, &tenant, imeis).await?;
        let mut owners = HashMap::new();
        let mut prepared = Vec::with_capacity(new.len());
        for (row, input) in new {
            let named = input.user_id.as_deref().unwrap_or_default();
            let owner = match owners.get(named) {
                Some(owner) => *owner,
                None => *owners.entry(named).or_insert(self.owner(row.tenant_id, named).await?),
            };
            let limited = members::limited_user(caller);
            if owner.is_some() && limited.is_some_and(|user| owner != Some(user)) {
                caller.must(DEVICE_MEMBER_CREATE)?;
            }
            prepared.push(Prepared {
                owner: Some(owner.or(limited)),
                device_limit: tenant.device_limit,
                imei: input.imei.as_ref().and_then(|imei| imei_statuses.get(imei)).copied(),
            });
        }
        Ok(prepared)
    }

    /// Takes over what the inputs say, if no rule that needs the tables forbids it.
    pub(super) async fn apply_all(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        rows: &mut [Model],
        inputs: Vec<DeviceInput>,
        prepared: Vec<Prepared>,
    ) -> Result<Vec<Effects>> {
        let Some(tenant) = rows.first().map(|row| row.tenant_id) else { return Ok(Vec::new()) };
        let found = references::find(tx, tenant, &inputs).await?;
        let limit = prepared.first().map_or(0, |prepared| prepared.device_limit);
        let refusals: Vec<_> = inputs.iter().map(device_thresholds::refusal_of).collect();
        let mut effects = Vec::with_capacity(rows.len());
        for ((row, mut input), prepared) in rows.iter_mut().zip(inputs).zip(prepared) {
            row.user_id = prepared.owner.flatten();
            let named = prepared.imei.ok_or_else(|| Error::internal("a new device names no IMEI"))?;
            (row.imei_status, row.own_gateways) = (named.status, named.own_gateways);
            if let Some(driver_id) = &input.primary_driver_id {
                driver_assignments::assign(tx, caller, row, driver_id).await?;
            }
            references::take_over(&found, row, &mut input)?;
            effects.push(self.take_over(row, input)?);
        }
        let checked = rows.iter().zip(refusals).filter_map(|(row, refusal)| Some((row, refusal?)));
        device_thresholds::check(tx, checked.collect()).await?;
        named_once(tx, caller, rows).await?;
        limits::room_for_devices(tx, tenant, limit, rows.len()).await?;
        Ok(effects)
    }

    /// What follows when they are written.
    pub(super) async fn written_all(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        rows: &mut [Model],
        effects: &[Effects],
    ) -> Result<()> {
        let named = rows.iter().zip(effects).filter_map(|(row, effects)| Some((row, effects.groups.as_deref()?)));
        groups::put(tx, named.collect()).await?;
        bind_or_claim(tx, caller, rows).await?;
        members::begin(tx, rows).await?;
        for row in rows.iter() {
            if row.primary_driver_id.is_some() {
                driver_assignments::written(tx, None, row).await?;
            }
        }
        bindings::mark_all(tx, rows).await
    }
}
