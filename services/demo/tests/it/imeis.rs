//! The IMEIs of the demonstration.

use armada_demo::imeis::{index_of, of};
use armada_track::Imei;

#[test]
fn demo_imeis_are_valid_and_map_to_vehicles() {
    let tenant = "0199f5c6-0000-7000-8000-000000000001";
    for index in 0..50 {
        let imei = of(tenant, index);
        assert!(imei.check_digit_ok() && imei.to_string().starts_with("00"), "{imei}");
        assert_eq!(index_of(imei), Some(index));
    }
    assert_ne!(of(tenant, 3), of("0199f5c6-0000-7000-8000-000000000002", 3));
    assert_eq!(index_of(Imei::new(356_307_042_441_013).expect("15 digits")), None);
}
