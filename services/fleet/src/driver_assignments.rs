//! Who was the primary driver of which vehicle, and when: kept in step with the devices that name one.

use std::str::FromStr;

use armada_proto::{
    DeviceId, DriverId, ResourceList, Sorted as _, Timestamp,
    access::permission::DRIVER_LIST,
    v1::{DriverAssignment, DriverAssignmentList, ListDriverAssignmentsRequest, driver_assignments_server},
};
use armada_runtime::{
    Caller, Database, Error, Result, Scope, Validate,
    list::{List, ListQuery, Searched, Sort},
    resource::Row,
};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect, QueryTrait, Select,
    prelude::{Expr, Uuid},
};
use tonic::{Request, Response, Status};

use crate::{
    bindings,
    entity::{
        device, driver,
        driver_assignment::{Column, Entity, Model},
        hidden_tenant,
    },
    members,
};

/// The RPCs.
pub struct DriverAssignments {
    pub(crate) db: Database,
}

impl driver_assignments_server::DriverAssignments for DriverAssignments {
    async fn list(
        &self,
        request: Request<ListDriverAssignmentsRequest>,
    ) -> Result<Response<DriverAssignmentList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.page(&caller, request.into_inner()).await?))
    }
}

const LIST: List<Column> = List {
    sortable: &[("assigned_from", Sort::Plain(Column::AssignedFrom))],
    searched: Searched::Scanned(Column::DeviceName),
    id: Column::Id,
};

impl DriverAssignments {
    async fn page(&self, caller: &Caller, mut request: ListDriverAssignmentsRequest) -> Result<DriverAssignmentList> {
        request.validate().check()?;
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        let query = ListQuery {
            page: request.page,
            page_size: request.page_size,
            sort: &request.sort,
            offered: ListDriverAssignmentsRequest::SORTABLE,
            after: &request.after,
            q: "",
        };
        let tx = self.db.read(&scope).await?;
        let (rows, paging) = LIST.fetch(&tx, matching(caller, scope, &request), query).await?;
        Ok(DriverAssignmentList::new(rows.into_iter().map(DriverAssignment::from).collect(), paging))
    }
}

/// What a request asks for of what the caller sees. What is no id has no assignments.
fn matching(caller: &Caller, scope: Scope, request: &ListDriverAssignmentsRequest) -> Select<Entity> {
    let mut rows = Entity::find().filter(hidden_tenant::Entity::is_shown(Column::TenantId));
    if let Some(tenant) = scope.tenant() {
        rows = rows.filter(Column::TenantId.eq(tenant));
    }
    if members::limited_user(caller).is_some() {
        let devices = device::Entity::visible_to(caller, scope).select_only().column(device::Column::Id);
        rows = rows.filter(Column::DeviceId.in_subquery(devices.into_query()));
    }
    if let Some(id) = request.driver_id.as_deref() {
        rows = rows.filter(Column::DriverId.is_in(DriverId::from_str(id)));
    }
    if let Some(id) = request.device_id.as_deref() {
        rows = rows.filter(Column::DeviceId.is_in(DeviceId::from_str(id)));
    }
    rows
}

/// Makes a driver of the same tenant the primary driver of a device that is about to be written; an empty id nobody. Who may
/// not list drivers knows none, since the device tells the name.
pub async fn assign(
    tx: &DatabaseTransaction,
    caller: &Caller,
    device: &mut device::Model,
    driver_id: &str,
) -> Result<()> {
    if device.primary_driver_id.is_some_and(|driver| driver.to_string() == driver_id) {
        return Ok(());
    }
    let unknown = || Error::field("primary_driver_id", "unknown");
    let driver = match driver_id {
        "" => None,
        id => {
            caller.must(DRIVER_LIST).map_err(|_| unknown())?;
            let id = DriverId::from_str(id).map_err(|_| unknown())?;
            let drivers = driver::Entity::within(Scope::Tenant(device.tenant_id)).filter(driver::Column::Id.eq(id));
            // Or they could be removed before the device is written.
            Some(drivers.lock_shared().one(tx).await?.ok_or_else(unknown)?)
        }
    };
    device.primary_driver_id = driver.as_ref().map(|driver| driver.id);
    device.primary_driver = driver.map(|driver| driver.name).unwrap_or_default();
    Ok(())
}

/// What follows when a device is written that had another primary driver, or another name.
pub async fn written(tx: &DatabaseTransaction, before: Option<&device::Model>, row: &device::Model) -> Result<()> {
    if before.is_some_and(|before| before.name != row.name) {
        let renamed = Entity::update_many().col_expr(Column::DeviceName, Expr::val(&row.name));
        renamed.filter(Column::DeviceId.eq(row.id)).exec(tx).await?;
    }
    if before.and_then(|before| before.primary_driver_id) == row.primary_driver_id {
        return Ok(());
    }
    end(tx, row.id).await?;
    let Some(driver_id) = row.primary_driver_id else { return Ok(()) };
    let assignment = Model {
        id: Uuid::now_v7(),
        tenant_id: row.tenant_id,
        driver_id,
        driver_name: row.primary_driver.clone(),
        device_id: row.id,
        device_name: row.name.clone(),
        assigned_from: Timestamp::now().millis(),
        assigned_until: None,
    };
    Entity::insert(assignment.into_active_model()).exec_without_returning(tx).await?;
    Ok(())
}

/// Ends the assignment that a device has, if it has one.
pub async fn end(tx: &DatabaseTransaction, device: DeviceId) -> Result<()> {
    end_at(tx, &[device], Timestamp::now().millis()).await
}

/// Ends those of several devices at an instant, which [`resume`] is told.
pub async fn end_at(tx: &DatabaseTransaction, devices: &[DeviceId], at: i64) -> Result<()> {
    let ended = Entity::update_many().col_expr(Column::AssignedUntil, Expr::val(at));
    let ended = ended.filter(Column::DeviceId.is_in(devices.iter().copied()));
    ended.filter(Column::AssignedUntil.is_null()).exec(tx).await?;
    Ok(())
}

/// Goes on with the assignment of a device that was ended at an instant, as if it had not been, if its driver is still
/// there.
pub async fn resume(tx: &DatabaseTransaction, device: &device::Model, ended_at: i64) -> Result<()> {
    let Some(driver) = device.primary_driver_id else { return Ok(()) };
    let resumed = Entity::update_many().col_expr(Column::AssignedUntil, Expr::val(Option::<i64>::None));
    let resumed = resumed.filter(Column::DeviceId.eq(device.id)).filter(Column::DriverId.eq(driver));
    resumed.filter(Column::AssignedUntil.eq(ended_at)).exec(tx).await?;
    Ok(())
}

/// Forgets who drove a device that goes for good.
pub async fn forget(tx: &DatabaseTransaction, device: DeviceId) -> Result<()> {
    Entity::delete_many().filter(Column::DeviceId.eq(device)).exec(tx).await?;
    Ok(())
}

/// A driver has another name: so have the vehicles that they drive, and what is known of before.
pub async fn renamed(tx: &DatabaseTransaction, driver: &driver::Model) -> Result<()> {
    let renamed = Entity::update_many().col_expr(Column::DriverName, Expr::val(&driver.name));
    renamed.filter(Column::DriverId.eq(driver.id)).exec(tx).await?;
    for device in driven_by(tx, driver.id).await? {
        change(tx, device, Some(driver)).await?;
    }
    Ok(())
}

/// A driver is about to be removed: nobody drives their vehicles any more.
pub async fn end_all(tx: &DatabaseTransaction, driver: &driver::Model) -> Result<()> {
    for device in driven_by(tx, driver.id).await? {
        end(tx, device.id).await?;
        change(tx, device, None).await?;
    }
    Ok(())
}

async fn driven_by(tx: &DatabaseTransaction, driver: DriverId) -> Result<Vec<device::Model>> {
    let devices = device::Entity::find().filter(device::Column::PrimaryDriverId.eq(driver));
    Ok(devices.lock_exclusive().all(tx).await?)
}

/// Writes into a device who drives it.
async fn change(tx: &DatabaseTransaction, mut device: device::Model, driver: Option<&driver::Model>) -> Result<()> {
    device.touch(Timestamp::now());
    let mut row = device.into_active_model().reset_all();
    row.primary_driver_id = Set(driver.map(|driver| driver.id));
    row.primary_driver = Set(driver.map(|driver| driver.name.clone()).unwrap_or_default());
    let device = row.update(tx).await?;
    bindings::mark(tx, &device, &device.imei).await
}
