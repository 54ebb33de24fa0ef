//! The IMEIs of the demonstration: no device on the market has one, and each belongs to one vehicle of one tenant.

use armada_track::Imei;

use super::random::hash;

/// Type allocation code: reporting body 00, that of test equipment (GSMA TS.06).
const TYPE: u64 = 990_717;
/// Vehicles of a tenant at most.
const PLACES: u64 = 100;

/// The IMEI of the vehicle at a place in the list. Another tenant gets others, since an IMEI that had an owner before
/// does not show the past.
pub fn of(tenant_id: &str, index: usize) -> Imei {
    let bytes: Vec<u64> = tenant_id.bytes().map(u64::from).collect();
    let serial = hash(&bytes) % 10_000 * PLACES + index as u64;
    Imei::with_check_digit(TYPE * 1_000_000 + serial).expect("it has 14 digits")
}

/// The place in the list of the vehicle with an IMEI.
pub fn index_of(imei: Imei) -> Option<usize> {
    let first14 = imei.number() / 10;
    (first14 / 1_000_000 == TYPE).then_some((first14 % PLACES) as usize)
}
