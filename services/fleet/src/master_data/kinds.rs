//! What entries of each kind have, and what they may name.

use std::str::FromStr;

use armada_proto::{
    Choice, MasterDataId, Violations,
    json::Clearable as _,
    v1::{MasterDataEntryInput, MasterDataKind},
};
use armada_runtime::{Error, Result};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect};

use crate::entity::master_data::{Column, Entity, Model};

/// Groups in groups in groups: so deep.
const DEPTH_MAX: usize = 8;
/// What stands between the names of groups, in cells and in requests.
const SEPARATORS: [char; 2] = [',', ';'];

/// The kind that an input names.
pub fn of(input: &MasterDataEntryInput) -> Option<MasterDataKind> {
    input.kind.and_then(MasterDataKind::specified)
}

/// Whether there are none of the platform.
pub fn is_tenants_own(kind: MasterDataKind) -> bool {
    matches!(kind, MasterDataKind::DeviceGroup | MasterDataKind::Warehouse)
}

/// Whether its parent is a brand, which its label begins with.
pub fn has_brand(kind: MasterDataKind) -> bool {
    matches!(kind, MasterDataKind::GpsModel | MasterDataKind::VehicleModel)
}

/// What the parent of an entry is, where it can have one.
fn parent_of(kind: MasterDataKind) -> Option<MasterDataKind> {
    match kind {
        MasterDataKind::GpsModel => Some(MasterDataKind::GpsBrand),
        MasterDataKind::VehicleModel => Some(MasterDataKind::VehicleBrand),
        MasterDataKind::DeviceGroup => Some(MasterDataKind::DeviceGroup),
        _ => None,
    }
}

/// The fields that entries of a kind have besides name and description.
fn fields(kind: MasterDataKind) -> &'static [&'static str] {
    match kind {
        MasterDataKind::GpsModel => &["parent_id", "protocol_id", "port", "reports"],
        MasterDataKind::GpsProtocol => &["port"],
        MasterDataKind::VehicleModel => &["parent_id", "vehicle_type_id", "fuel_capacity"],
        MasterDataKind::VehicleType => &["icon_type"],
        MasterDataKind::TemperatureRange => &["min_temperature", "max_temperature"],
        MasterDataKind::DeviceGroup => &["parent_id"],
        MasterDataKind::Warehouse => &["address", "lat", "lng"],
        _ => &[],
    }
}

/// What is wrong with an input for an entry of a kind; `before` is what it changes.
pub fn check(
    kind: MasterDataKind,
    before: Option<&Model>,
    input: &mut MasterDataEntryInput,
    violations: &mut Violations,
) {
    let text = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
    let present = [
        ("parent_id", text(&input.parent_id)),
        ("protocol_id", text(&input.protocol_id)),
        ("port", input.port.is_some_and(|port| port > 0)),
        ("reports", text(&input.reports)),
        ("vehicle_type_id", text(&input.vehicle_type_id)),
        ("icon_type", input.icon_type.is_some_and(|icon| icon > 0)),
        ("fuel_capacity", input.fuel_capacity.is_some_and(|litres| litres > 0)),
        ("min_temperature", input.min_temperature.is_some_and(|degrees| degrees != 0.0)),
        ("max_temperature", input.max_temperature.is_some_and(|degrees| degrees != 0.0)),
        ("address", text(&input.address)),
        ("lat", input.lat.is_some_and(|degrees| !degrees.is_cleared())),
        ("lng", input.lng.is_some_and(|degrees| !degrees.is_cleared())),
    ];
    for (name, _) in present.iter().filter(|(name, is_present)| *is_present && !fields(kind).contains(name)) {
        violations.add(name, "not_of_kind");
    }
    let has_parent = input.parent_id.as_ref().map_or(before.is_some(), |id| !id.is_empty());
    if has_brand(kind) && !has_parent {
        violations.add("parent_id", "required");
    }
    let ends = |given: Option<f64>, before: Option<f64>| given.or(before).unwrap_or_default();
    let least = ends(input.min_temperature, before.map(|row| row.min_temperature));
    let most = ends(input.max_temperature, before.map(|row| row.max_temperature));
    if least > most {
        violations.add("max_temperature", "below_minimum");
    }
    let is_new = input.name.as_ref().filter(|name| before.is_none_or(|before| before.name != **name));
    if kind == MasterDataKind::DeviceGroup && is_new.is_some_and(|name| name.contains(SEPARATORS)) {
        violations.add("name", "separator");
    }
    if let Some(reports) = &mut input.reports {
        let words = reports.split(',').map(str::trim).filter(|word| !word.is_empty());
        *reports = words.collect::<Vec<_>>().join(", ");
    }
}

/// A place has both coordinates, or none.
pub fn check_place(row: &Model) -> Result<()> {
    match (row.lat, row.lng) {
        (None, Some(_)) => Err(Error::field("lat", "required")),
        (Some(_), None) => Err(Error::field("lng", "required")),
        _ => Ok(()),
    }
}

/// Takes over what an input says of other entries: they must be of the right kind, and there for everybody for whom the
/// entry is.
pub async fn link(tx: &DatabaseTransaction, row: &mut Model, input: &MasterDataEntryInput) -> Result<()> {
    if let (Some(id), Some(kind)) = (&input.parent_id, parent_of(row.kind)) {
        row.parent_id = named(tx, row, "parent_id", id, kind).await?;
        if kind == row.kind {
            in_no_circle(tx, row).await?;
        }
    }
    if let Some(id) = &input.protocol_id {
        row.protocol_id = named(tx, row, "protocol_id", id, MasterDataKind::GpsProtocol).await?;
    }
    if let Some(id) = &input.vehicle_type_id {
        row.vehicle_type_id = named(tx, row, "vehicle_type_id", id, MasterDataKind::VehicleType).await?;
    }
    Ok(())
}

async fn named(
    tx: &DatabaseTransaction,
    row: &Model,
    field: &str,
    id: &str,
    kind: MasterDataKind,
) -> Result<Option<MasterDataId>> {
    if id.is_empty() {
        return Ok(None);
    }
    let unknown = || Error::field(field, "unknown");
    let id = MasterDataId::from_str(id).map_err(|_| unknown())?;
    let found = row.nameable().filter(Column::Id.eq(id)).filter(Column::Kind.eq(kind)).one(tx).await?;
    found.map(|found| Some(found.id)).ok_or_else(unknown)
}

/// A group lies neither in itself nor in what lies in it.
async fn in_no_circle(tx: &DatabaseTransaction, row: &Model) -> Result<()> {
    let mut above = row.parent_id;
    for _ in 0..DEPTH_MAX {
        let Some(id) = above else { return Ok(()) };
        if id == row.id {
            return Err(Error::field("parent_id", "circular"));
        }
        let parent = Entity::find().select_only().column(Column::ParentId).filter(Column::Id.eq(id));
        above = parent.into_tuple::<Option<MasterDataId>>().one(tx).await?.flatten();
    }
    Err(Error::field("parent_id", "too_deep"))
}
