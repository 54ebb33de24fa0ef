//! Who drives, as it stands in the list of drivers. No number is anybody's: nobody has one that begins with +62 84.

use armada_proto::v1::{DriverInput, DriverStatus};

use super::{
    calendar::date_of,
    places::region_of,
    random::hash,
    vehicles::{FLEET, Kind},
};

/// Licences that have expired, and that soon will, by the place of their drivers' vehicles in the list.
const EXPIRED: usize = 21;
const EXPIRING: [usize; 2] = [9, 34];

/// The driver of the vehicle at a place in the list, on a day.
pub(super) fn driver_of(index: usize, today: i64) -> DriverInput {
    let vehicle = &FLEET[index];
    let days = match index {
        EXPIRED => -12,
        _ if EXPIRING.contains(&index) => 9 + index as i64 % 7,
        _ => 90 + (hash(&[index as u64, 30]) % 1_500) as i64,
    };
    let status = match index % 10 {
        3 => DriverStatus::OffDuty,
        0 | 4 | 8 => DriverStatus::Available,
        _ => DriverStatus::OnDuty,
    };
    DriverInput {
        name: Some(vehicle.driver.to_owned()),
        status: Some(status.into()),
        phone: Some(phone(0, index)),
        license_number: Some(format!("0000-0000-{index:06}")),
        license_class: Some(license_class(vehicle.kind).to_owned()),
        license_expiry: Some(date_of(today + days)),
        home_base: Some(region_of(vehicle).depot.name.to_owned()),
        ..DriverInput::default()
    }
}

/// A telephone number that nobody has: no network of Indonesia begins with 084.
pub(super) fn phone(block: u32, index: usize) -> String {
    format!("+62 840 {block:04} {index:04}")
}

const fn license_class(kind: Kind) -> &'static str {
    match kind {
        Kind::Motorcycle => "SIM C",
        Kind::Car => "SIM A",
        Kind::Van | Kind::Pickup => "SIM B1",
        Kind::Bus => "SIM B1 Umum",
        Kind::Truck => "SIM B2 Umum",
        Kind::HeavyEquipment => "SIM B2",
    }
}
