//! The same maintenance for every vehicle of a group: a job that makes one after the other, as if each were made alone.

use std::collections::HashSet;

use armada_proto::{
    DeviceId, Violations,
    v1::{ImportMaintenanceRequest, ImportMode, Job, MaintenanceInput, MaintenancePlanRequest, MasterDataKind},
};
use armada_runtime::{Caller, Error, Result, Scope, Validate, resource::Resource, resource::tenant_of_new, text};
use sea_orm::{ColumnTrait, DatabaseTransaction, QueryFilter, QueryOrder, QuerySelect};
use tonic::Request;

use super::Maintenances;
use crate::{
    devices::groups,
    entity::{device, maintenance, master_data},
    members,
};

/// Vehicles of one plan: as many as one job of this kind takes.
const MAX: u64 = 10_000;

impl Maintenances {
    /// Starts the job of a plan.
    pub(super) async fn start_plan(&self, caller: Caller, request: MaintenancePlanRequest) -> Result<Job> {
        let mut violations = Violations::default();
        let mut asked = request.maintenance.unwrap_or_default();
        // Each vehicle takes its place.
        asked.device_id = Some(request.group_id.clone());
        asked.validate().iter().for_each(|(name, code)| violations.add(name, code));
        self.check(&caller, None, &mut asked, &mut violations);
        if request.group_id.is_empty() {
            violations.add("group_id", "required");
        }
        let tenant = tenant_of_new(&caller, asked.tenant_id.as_deref(), &mut violations);
        violations.check().map_err(Maintenances::refusal)?;
        let scope = Scope::Tenant(tenant.ok_or_else(Error::not_found)?);
        let tx = self.db.read(&scope).await?;
        let devices = devices(&tx, &caller, scope, &request.group_id, &asked).await?;
        tx.commit().await?;
        let rows: Vec<_> = devices
            .into_iter()
            .map(|device| MaintenanceInput { device_id: Some(device.to_string()), ..asked.clone() })
            .collect();
        let numbers = (1..).take(rows.len()).collect();
        let mode = ImportMode::Valid.into();
        let import = ImportMaintenanceRequest { rows, numbers, mode, ..ImportMaintenanceRequest::default() };
        let mut import = Request::new(import);
        import.extensions_mut().insert(caller);
        Ok(self.jobs.import(self, import).await?.into_inner())
    }
}

/// The vehicles of a group that get one: those that the caller may maintain and that have none of this title yet.
async fn devices(
    tx: &DatabaseTransaction,
    caller: &Caller,
    scope: Scope,
    group: &str,
    asked: &MaintenanceInput,
) -> Result<Vec<DeviceId>> {
    let unknown = || Error::field("group_id", "unknown");
    let id: armada_proto::MasterDataId = group.parse().map_err(|_| unknown())?;
    let known = master_data::Entity::owned_by(scope)
        .filter(master_data::Column::Kind.eq(MasterDataKind::DeviceGroup))
        .filter(master_data::Column::Id.eq(id));
    known.one(tx).await?.ok_or_else(unknown)?;
    let in_group = groups::is_in_any(groups::with_inner(tx, &[id]).await?);
    let rows = device::Entity::visible_to(caller, scope).filter(in_group);
    let rows = rows.order_by_asc(device::Column::NameFolded).limit(MAX + 1).all(tx).await?;
    if rows.len() as u64 > MAX {
        return Err(Error::field("group_id", "too_many"));
    }
    let title = text::sort_key(asked.name.as_deref().unwrap_or_default());
    let having: Vec<DeviceId> = maintenance::Entity::within(scope)
        .filter(maintenance::Column::NameFolded.eq(title))
        .select_only()
        .column(maintenance::Column::DeviceId)
        .into_tuple()
        .all(tx)
        .await?;
    let having: HashSet<_> = having.into_iter().collect();
    let mut devices = Vec::with_capacity(rows.len());
    for device in rows.into_iter().filter(|device| !having.contains(&device.id)) {
        match members::must_be(tx, caller, device.id, members::MAINTAINERS).await {
            Ok(()) => devices.push(device.id),
            Err(error) if error == Error::forbidden() => {}
            Err(error) => return Err(error),
        }
    }
    if devices.is_empty() { Err(Error::field("group_id", "no_vehicles")) } else { Ok(devices) }
}
