//! How the fuel of a device is read: what may be said of it.

use armada_proto::{
    Choice, Violations,
    v1::{DeviceInput, FuelSource},
};
use armada_track::FuelTable;

use crate::entity::device::Model;

/// What is wrong with what an input says of it. A table is brought into the form in which it is stored.
pub fn check(before: Option<&Model>, input: &mut DeviceInput, violations: &mut Violations) {
    if let Some(text) = &mut input.fuel_table {
        match text.parse::<FuelTable>() {
            Ok(table) => *text = table.to_string(),
            Err(wrong) => violations.add("fuel_table", wrong.code()),
        }
    }
    let wanted_source = input.fuel_source.and_then(FuelSource::specified);
    let source = wanted_source.or(before.map(|row| row.fuel_source));
    let named = input.fuel_attribute.as_deref().or(before.map(|row| row.fuel_attribute.as_str()));
    let says_any = wanted_source.is_some() || input.fuel_attribute.is_some();
    if says_any && source == Some(FuelSource::Attribute) && named.unwrap_or_default().is_empty() {
        violations.add("fuel_attribute", "required");
    }
}
