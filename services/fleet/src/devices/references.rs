//! The entries of the master data that a device names: taken over from an input, and their names.

use std::{
    collections::{HashMap, HashSet},
    slice,
    str::FromStr,
};

use armada_proto::{
    MasterDataId, TenantId,
    v1::{Device, DeviceIconType, DeviceInput, MasterDataKind},
};
use armada_runtime::{Error, Result, Scope};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect, QueryTrait, sea_query::ExprTrait,
};

use crate::entity::{
    device::Model,
    master_data::{self, Column, Entity},
};

/// A field that names an entry.
struct Reference {
    field: &'static str,
    kind: MasterDataKind,
    asked: fn(&DeviceInput) -> Option<&str>,
    id: fn(&Model) -> Option<MasterDataId>,
    set: fn(&mut Model, Option<MasterDataId>),
    show: fn(&mut Device, String),
}

macro_rules! reference {
    ($kind:ident, $id:ident, $name:ident) => {
        Reference {
            field: stringify!($id),
            kind: MasterDataKind::$kind,
            asked: |input| input.$id.as_deref(),
            id: |row| row.$id,
            set: |row, id| row.$id = id,
            show: |device, name| device.$name = name,
        }
    };
}

const REFERENCES: [Reference; 11] = [
    reference!(GpsBrand, gps_brand_id, gps_brand),
    reference!(GpsModel, gps_model_id, gps_model),
    reference!(GpsProtocol, gps_protocol_id, gps_protocol),
    reference!(VehicleBrand, vehicle_brand_id, vehicle_brand),
    reference!(VehicleModel, vehicle_model_id, vehicle_model),
    reference!(VehicleStatus, vehicle_status_id, vehicle_status),
    reference!(VehicleType, vehicle_type_id, vehicle_type),
    reference!(DeviceCategory, device_category_id, device_category),
    reference!(CargoCategory, cargo_category_id, cargo_category),
    reference!(TemperatureRange, temperature_range_id, temperature_range),
    reference!(Warehouse, warehouse_id, warehouse),
];

/// Entries by their ids.
pub type Entries = HashMap<MasterDataId, master_data::Model>;

/// Takes over what an input says of them for a device that there is.
pub async fn apply(tx: &DatabaseTransaction, row: &mut Model, input: &mut DeviceInput) -> Result<()> {
    if REFERENCES.iter().all(|field| (field.asked)(input).is_none()) {
        return Ok(());
    }
    let found = find(tx, row.tenant_id, slice::from_ref(input)).await?;
    take_over(&found, row, input)?;
    if of_model(&found, &input.gps_model_id).is_none() {
        still_of_brand(tx, row.gps_model_id, row.gps_brand_id, "gps_model_id").await?;
    }
    if of_model(&found, &input.vehicle_model_id).is_none() {
        still_of_brand(tx, row.vehicle_model_id, row.vehicle_brand_id, "vehicle_model_id").await?;
    }
    Ok(())
}

/// Takes over what an input says of entries that were found. A model brings its brand, and what else it says of a device
/// where neither the input nor the device says it: the protocol of the tracker; type, tank and icon of the vehicle.
pub fn take_over(found: &Entries, row: &mut Model, input: &mut DeviceInput) -> Result<()> {
    for Reference { field, kind, asked, set, .. } in &REFERENCES {
        let entry = match asked(input) {
            None => continue,
            Some("") => None,
            Some(id) => {
                let entry = MasterDataId::from_str(id).ok().and_then(|id| found.get(&id));
                Some(entry.filter(|entry| entry.kind == *kind).ok_or_else(|| Error::field(field, "unknown"))?)
            }
        };
        set(row, entry.map(|entry| entry.id));
    }
    if let Some(model) = of_model(found, &input.gps_model_id) {
        row.gps_brand_id = brand(model, input.gps_brand_id.as_deref(), "gps_model_id")?;
        if input.gps_protocol_id.is_none() {
            row.gps_protocol_id = row.gps_protocol_id.or(model.protocol_id);
        }
    }
    match of_model(found, &input.vehicle_model_id) {
        Some(model) => vehicle(found, row, input, model),
        None => Ok(()),
    }
}

fn of_model<'a>(found: &'a Entries, asked: &Option<String>) -> Option<&'a master_data::Model> {
    found.get(&asked.as_deref()?.parse::<MasterDataId>().ok()?)
}

/// What a model of vehicles says of one.
fn vehicle(found: &Entries, row: &mut Model, input: &mut DeviceInput, model: &master_data::Model) -> Result<()> {
    row.vehicle_brand_id = brand(model, input.vehicle_brand_id.as_deref(), "vehicle_model_id")?;
    if input.vehicle_type_id.is_none() && row.vehicle_type_id.is_none() {
        row.vehicle_type_id = model.vehicle_type_id;
        let is_new = input.id.is_empty();
        if let Some(id) = model.vehicle_type_id.filter(|_| is_new && input.icon_type.is_none())
            && let Some(vehicle_type) = found.get(&id)
            && vehicle_type.icon_type != DeviceIconType::Unspecified
        {
            input.icon_type = Some(vehicle_type.icon_type.into());
        }
    }
    if input.fuel_capacity.is_none() && row.fuel_capacity == 0 {
        row.fuel_capacity = model.fuel_capacity;
    }
    Ok(())
}

/// The brand of a model, which must be the one that is asked for, if one is.
fn brand(model: &master_data::Model, asked: Option<&str>, field: &str) -> Result<Option<MasterDataId>> {
    let is_other = asked.is_some_and(|asked| model.parent_id.is_none_or(|brand| brand.to_string() != asked));
    if is_other { Err(Error::field(field, "not_of_brand")) } else { Ok(model.parent_id) }
}

/// An error when a device has another brand now than the model that it keeps.
async fn still_of_brand(
    tx: &DatabaseTransaction,
    model: Option<MasterDataId>,
    brand: Option<MasterDataId>,
    field: &str,
) -> Result<()> {
    let Some(model) = model else { return Ok(()) };
    let model = Entity::find_by_id(model).one(tx).await?;
    let is_of = model.is_none_or(|model| model.parent_id == brand);
    if is_of { Ok(()) } else { Err(Error::field(field, "not_of_brand")) }
}

/// The entries that inputs name and that their tenant may choose, and the types of vehicles that models among them name.
pub async fn find(tx: &DatabaseTransaction, tenant: TenantId, inputs: &[DeviceInput]) -> Result<Entries> {
    let asked = inputs.iter().flat_map(|input| REFERENCES.iter().filter_map(|field| (field.asked)(input)));
    let ids: HashSet<_> = asked.filter_map(|id| MasterDataId::from_str(id).ok()).collect();
    if ids.is_empty() {
        return Ok(Entries::new());
    }
    let types =
        Entity::find().filter(Column::Id.is_in(ids.iter().copied())).filter(Column::VehicleTypeId.is_not_null());
    let types = types.select_only().column(Column::VehicleTypeId).into_query();
    let named = Column::Id.is_in(ids).or(Column::Id.in_subquery(types));
    let entries = Entity::within(Scope::Tenant(tenant)).filter(named).all(tx).await?;
    Ok(entries.into_iter().map(|entry| (entry.id, entry)).collect())
}

/// The entries that devices name.
pub fn ids(rows: &[Model]) -> impl Iterator<Item = MasterDataId> {
    rows.iter().flat_map(|row| REFERENCES.iter().filter_map(|field| (field.id)(row)))
}

/// Writes into messages what the entries that their rows name are called.
pub fn show(labels: &HashMap<MasterDataId, String>, rows: &[Model], devices: &mut [Device]) {
    for (row, device) in rows.iter().zip(devices) {
        for Reference { id, show, .. } in &REFERENCES {
            if let Some(label) = id(row).and_then(|id| labels.get(&id)) {
                show(device, label.clone());
            }
        }
    }
}
