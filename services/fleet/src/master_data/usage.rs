//! Who names an entry, and putting another one in its place.

use armada_proto::{
    MasterDataId, Timestamp,
    v1::{MasterDataKind, MasterDataUsage},
};
use armada_runtime::{
    Caller, Error, Result,
    audit::{self, Act, Change, Object},
    resource::Row,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, DatabaseTransaction, DbErr, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select, UpdateMany,
    sea_query::{Expr, ExprTrait, Value},
};
use serde_json::json;

use crate::entity::{
    device, device_group_member as member,
    master_data::{Column, Entity, Model},
};

/// Names that are told.
const NAMES: usize = 10;

/// Who names an entry, of what the transaction sees; by their names those that the caller sees.
pub async fn of(tx: &DatabaseTransaction, caller: &Caller, entry: &Model) -> Result<MasterDataUsage> {
    let (devices, entries) = (devices_with(device::Entity::find(), entry), entries_with(entry));
    let seen = devices_with(device::Entity::visible_to(caller, caller.scope()), entry);
    let mut names: Vec<String> = first(&seen, device::Column::Name, device::Column::NameFolded).all(tx).await?;
    names.extend(first(&entries, Column::Label, Column::LabelFolded).all(tx).await?);
    names.truncate(NAMES);
    let count = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(MasterDataUsage { devices: count(devices.count(tx).await?), entries: count(entries.count(tx).await?), names })
}

type Names = sea_orm::Selector<sea_orm::SelectGetableTuple<String>>;

fn first<E: EntityTrait>(rows: &Select<E>, name: E::Column, order: E::Column) -> Names {
    rows.clone().select_only().column(name).order_by_asc(order).limit(NAMES as u64).into_tuple()
}

/// Deleted ones keep nothing in use: they come back without what is gone.
fn devices_with(devices: Select<device::Entity>, entry: &Model) -> Select<device::Entity> {
    let devices = devices.filter(device::Column::DeletedAt.is_null());
    match device_column(entry.kind) {
        Some(column) => devices.filter(column.eq(entry.id)),
        None => {
            let members = member::Entity::find().filter(member::Column::GroupId.eq(entry.id));
            let ids = members.select_only().column(member::Column::DeviceId).into_query();
            devices.filter(device::Column::Id.in_subquery(ids))
        }
    }
}

fn entries_with(entry: &Model) -> Select<Entity> {
    let names = [Column::ParentId, Column::ProtocolId, Column::VehicleTypeId];
    Entity::find().filter(names.into_iter().fold(Condition::any(), |any, column| any.add(column.eq(entry.id))))
}

/// The column of devices that names entries of a kind; groups have a table for it.
fn device_column(kind: MasterDataKind) -> Option<device::Column> {
    use device::Column as Device;
    match kind {
        MasterDataKind::GpsBrand => Some(Device::GpsBrandId),
        MasterDataKind::GpsModel => Some(Device::GpsModelId),
        MasterDataKind::GpsProtocol => Some(Device::GpsProtocolId),
        MasterDataKind::VehicleBrand => Some(Device::VehicleBrandId),
        MasterDataKind::VehicleModel => Some(Device::VehicleModelId),
        MasterDataKind::VehicleType => Some(Device::VehicleTypeId),
        MasterDataKind::VehicleStatus => Some(Device::VehicleStatusId),
        MasterDataKind::DeviceCategory => Some(Device::DeviceCategoryId),
        MasterDataKind::CargoCategory => Some(Device::CargoCategoryId),
        MasterDataKind::TemperatureRange => Some(Device::TemperatureRangeId),
        MasterDataKind::Warehouse => Some(Device::WarehouseId),
        MasterDataKind::DeviceGroup | MasterDataKind::Unspecified => None,
    }
}

/// The column of devices that names the brand of a model of a kind.
fn brand_column(kind: MasterDataKind) -> Option<device::Column> {
    match kind {
        MasterDataKind::GpsModel => Some(device::Column::GpsBrandId),
        MasterDataKind::VehicleModel => Some(device::Column::VehicleBrandId),
        _ => None,
    }
}

fn changed_devices() -> UpdateMany<device::Entity> {
    device::Entity::update_many()
        .col_expr(device::Column::RowVersion, Expr::col(device::Column::RowVersion).add(1))
        .col_expr(device::Column::UpdatedAt, Expr::val(Timestamp::now().millis()))
}

/// A model is another brand's: its devices are of that brand.
pub async fn brand_changed(tx: &DatabaseTransaction, model: &Model) -> Result<()> {
    if let (Some(column), Some(brand), Some(id)) =
        (device_column(model.kind), brand_column(model.kind), model.parent_id)
    {
        changed_devices().col_expr(brand, Expr::val(id)).filter(column.eq(model.id)).exec(tx).await?;
    }
    Ok(())
}

/// Puts `other` in the place of `entry` wherever that is named; what was named so far.
pub async fn replace(
    tx: &DatabaseTransaction,
    caller: &Caller,
    entry: &Model,
    other: &Model,
) -> Result<MasterDataUsage> {
    let usage = of(tx, caller, entry).await?;
    match device_column(entry.kind) {
        Some(column) => {
            let mut changed = changed_devices().col_expr(column, Expr::val(other.id));
            // A model brings its brand.
            if let (Some(brand), Some(id)) = (brand_column(entry.kind), other.parent_id) {
                changed = changed.col_expr(brand, Expr::val(id));
            }
            changed.filter(column.eq(entry.id)).exec(tx).await?;
        }
        None => regroup(tx, entry.id, other.id).await?,
    }
    for mut named in entries_with(entry).lock_exclusive().all(tx).await? {
        if named.id == other.id {
            // A group that takes the place of the one it lies in lies where that lay.
            named.parent_id = entry.parent_id;
        }
        for id in [&mut named.parent_id, &mut named.protocol_id, &mut named.vehicle_type_id] {
            if *id == Some(entry.id) {
                *id = Some(other.id);
            }
        }
        if super::kinds::has_brand(named.kind) && named.parent_id == Some(other.id) {
            named.label = named.label_behind(&other.name);
        }
        write(tx, named).await?;
    }
    let change = Change {
        before: Some(json!({ "devices": usage.devices, "entries": usage.entries })),
        after: Some(json!({ "replaced_by": other.label })),
    };
    let object = Object::new("master_data", entry.id, &entry.label);
    audit::record(tx, caller, Act { act: "master_data:update", tenant: entry.tenant_id, object, change }).await?;
    Ok(usage)
}

/// Takes an entry that is removed from the deleted devices that name it.
pub async fn forget(tx: &DatabaseTransaction, entry: &Model) -> Result<()> {
    let Some(column) = device_column(entry.kind) else {
        member::Entity::delete_many().filter(member::Column::GroupId.eq(entry.id)).exec(tx).await?;
        return Ok(());
    };
    let named = device::Entity::update_many().col_expr(column, Expr::val(Value::Uuid(None)));
    named.filter(column.eq(entry.id)).filter(device::Column::DeletedAt.is_not_null()).exec(tx).await?;
    Ok(())
}

async fn regroup(tx: &DatabaseTransaction, from: MasterDataId, to: MasterDataId) -> Result<()> {
    let inside = member::Entity::find().filter(member::Column::GroupId.eq(to));
    let inside = inside.select_only().column(member::Column::DeviceId).into_query();
    // SQLite and PostgreSQL both refuse to move a device into a group that it is in.
    let moved = member::Entity::update_many().col_expr(member::Column::GroupId, Expr::val(to));
    let moved = moved.filter(member::Column::GroupId.eq(from));
    moved.filter(member::Column::DeviceId.not_in_subquery(inside)).exec(tx).await?;
    member::Entity::delete_many().filter(member::Column::GroupId.eq(from)).exec(tx).await?;
    Ok(())
}

/// A brand has another name: so begin the labels of its models.
pub async fn brand_renamed(tx: &DatabaseTransaction, brand: &Model) -> Result<()> {
    if !matches!(brand.kind, MasterDataKind::GpsBrand | MasterDataKind::VehicleBrand) {
        return Ok(());
    }
    for mut model in Entity::find().filter(Column::ParentId.eq(brand.id)).lock_exclusive().all(tx).await? {
        model.label = model.label_behind(&brand.name);
        write(tx, model).await?;
    }
    Ok(())
}

/// Writes an entry that names another one now, under which another may have its name already.
async fn write(tx: &DatabaseTransaction, mut row: Model) -> Result<()> {
    row.touch(Timestamp::now());
    row.into_active_model().reset_all().update(tx).await.map_err(name_taken)?;
    Ok(())
}

/// The error of a name that another entry of the kind has under the same parent.
pub fn name_taken(error: DbErr) -> Error {
    Error::on_unique(error, &[("master_data_name", "name")])
}
