//! What becomes of maintenance, and of what was completed, when their vehicle changes or goes.

use armada_proto::{DeviceId, access::permission::MAINTENANCE_DELETE, v1::Maintenance};
use armada_runtime::{
    Caller, Error, Result, Scope,
    audit::{self, Act, Actor, Object},
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, ModelTrait, QueryFilter,
    QuerySelect, sea_query::Expr,
};

use crate::{
    entity::{device, maintenance, maintenance_log},
    files::attached::{self, Owner},
};

/// A vehicle that a request names, if the caller sees it: it stays while the transaction goes on.
pub async fn named(tx: &DatabaseTransaction, caller: &Caller, scope: Scope, id: Option<&str>) -> Result<device::Model> {
    let unknown = || Error::field("device_id", "unknown");
    let id: DeviceId = id.unwrap_or_default().parse().map_err(|_| unknown())?;
    let devices = device::Entity::visible_to(caller, scope).filter(device::Column::Id.eq(id));
    devices.lock_shared().one(tx).await?.ok_or_else(unknown)
}

/// What follows when a vehicle is written. No change of the maintenance itself: whoever edits it need not look again.
pub async fn device_written(tx: &DatabaseTransaction, before: &device::Model, device: &device::Model) -> Result<()> {
    if (&before.name, &before.vehicle_code) == (&device.name, &device.vehicle_code) {
        return Ok(());
    }
    let called = || (device.name.clone(), device.vehicle_code.clone());
    let rows = maintenance::Entity::find().filter(maintenance::Column::DeviceId.eq(device.id));
    for mut row in rows.lock_exclusive().all(tx).await? {
        (row.device_name, row.vehicle_code) = called();
        row.into_active_model().reset_all().update(tx).await?;
    }
    let rows = maintenance_log::Entity::find().filter(maintenance_log::Column::DeviceId.eq(device.id));
    for mut row in rows.lock_exclusive().all(tx).await? {
        (row.device_name, row.vehicle_code) = called();
        row.into_active_model().reset_all().update(tx).await?;
    }
    Ok(())
}

/// What the meters of a vehicle show may be something else from now on, however far it went.
pub async fn recheck(tx: &DatabaseTransaction, devices: &[DeviceId]) -> Result<()> {
    use maintenance::Column;
    let open = maintenance::Entity::update_many().col_expr(Column::NextLookOn, Expr::val(maintenance::AT_ONCE));
    let open = open.filter(Column::DeviceId.is_in(devices.iter().copied())).filter(Column::NextLookOn.ne(""));
    open.exec(tx).await?;
    Ok(())
}

/// Removes the maintenance of a vehicle that goes away, with what was completed and its files.
pub async fn remove_of_device(tx: &DatabaseTransaction, actor: impl Into<Actor>, device: DeviceId) -> Result<()> {
    let actor = actor.into();
    let rows = maintenance::Entity::find().filter(maintenance::Column::DeviceId.eq(device));
    for row in rows.lock_exclusive().all(tx).await? {
        let act = Act {
            act: MAINTENANCE_DELETE,
            tenant: Some(row.tenant_id),
            object: Object::new("maintenance", row.id, &row.name),
            change: audit::changes(Some(&Maintenance::from(row.clone())), None),
        };
        audit::record(tx, actor.clone(), act).await?;
        row.delete(tx).await?;
    }
    let logs = maintenance_log::Entity::find().filter(maintenance_log::Column::DeviceId.eq(device));
    for log in logs.lock_exclusive().all(tx).await? {
        attached::remove_all(tx, Owner::MaintenanceLog(log.id)).await?;
        log.delete(tx).await?;
    }
    Ok(())
}

/// What was completed of a maintenance that goes away stays, and is of none.
pub async fn detach_logs(tx: &DatabaseTransaction, row: &maintenance::Model) -> Result<()> {
    use maintenance_log::Column;
    let none = Expr::val(sea_orm::sea_query::Value::Uuid(None));
    let logs = maintenance_log::Entity::update_many().col_expr(Column::MaintenanceId, none);
    logs.filter(Column::MaintenanceId.eq(row.id)).exec(tx).await?;
    Ok(())
}
