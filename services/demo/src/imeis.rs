//! The IMEIs of the demonstration: no device on the market has one, and each belongs to one vehicle of one tenant.

use armada_track::Imei;

use super::random::hash;

/// Type allocation code: reporting body 00, that of test equipment (GSMA TS.06).
const TYPE: u64 = 990_717;
/// Vehicles of a tenant at most.
const PLACES: u64 = 100;

/// The IMEI of the vehicle at a place in the list. Another tenant gets others, since an IMEI that had an owner before
/// does not show the past.
pub(super) fn of(tenant_id: &str, index: usize) -> Imei {
    let bytes: Vec<u64> = tenant_id.bytes().map(u64::from).collect();
    let serial = hash(&bytes) % 10_000 * PLACES + index as u64;
    Imei::with_check_digit(TYPE * 1_000_000 + serial).expect("it has 14 digits")
}

/// The place in the list of the vehicle with an IMEI.
pub(super) fn index_of(imei: Imei) -> Option<usize> {
    let first14 = imei.number() / 10;
    (first14 / 1_000_000 == TYPE).then_some((first14 % PLACES) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_valid_and_lead_back_to_the_vehicle() {
        let tenant = "0199f5c6-0000-7000-8000-000000000001";
        for index in 0..50 {
            let imei = of(tenant, index);
            assert!(imei.check_digit_ok() && imei.to_string().starts_with("00"), "{imei}");
            assert_eq!(index_of(imei), Some(index));
        }
        assert_ne!(of(tenant, 3), of("0199f5c6-0000-7000-8000-000000000002", 3));
        assert_eq!(index_of(Imei::new(356_307_042_441_013).expect("15 digits")), None);
    }
}
