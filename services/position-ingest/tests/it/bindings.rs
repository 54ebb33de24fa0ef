//! What is known of IMEIs in memory.

use armada_position_ingest::bindings::{Binding, Bindings};
use armada_proto::{DeviceId, TenantId};
use armada_track::Imei;

fn imei(number: u64) -> Imei {
    Imei::with_check_digit(35_693_803_000_000 + number).expect("14 digits")
}

fn put(bindings: &mut Bindings, number: u64, device: DeviceId) -> Binding {
    let partition_hash = imei(number).partition_hash();
    let binding = Binding {
        device,
        tenant: TenantId::new(),
        bound_from: 0,
        change: 0,
        former: None,
        partition_hash,
        limits: Default::default(),
        thresholds: Default::default(),
        fuel: None,
        inactive: false,
    };
    bindings.insert(imei(number), binding);
    bindings.get(imei(number)).expect("bound")
}

#[test]
fn device_keeps_its_remaining_imei() {
    for (gone, left) in [(1, 2), (2, 1)] {
        let (mut bindings, device) = (Bindings::default(), DeviceId::new());
        put(&mut bindings, 1, device);
        put(&mut bindings, 2, device);
        bindings.remove(imei(gone));
        assert_eq!(bindings.of_device(device).map(|binding| binding.partition_hash), Some(imei(left).partition_hash()));
        bindings.remove(imei(left));
        assert!(bindings.of_device(device).is_none() && !bindings.has_device(device));
    }
}

#[test]
fn a_change_of_imei_is_told_from_a_new_device_in_either_order() {
    let mut bindings = Bindings::default();
    let (moved, other) = (DeviceId::new(), DeviceId::new());
    assert_eq!(put(&mut bindings, 1, moved).change, 0);
    assert_eq!(put(&mut bindings, 2, other).change, 0);
    let second = put(&mut bindings, 3, moved);
    assert_eq!((second.change, second.former), (1, Some(imei(1))), "the new one is told of first");
    bindings.remove(imei(1));
    assert_eq!(put(&mut bindings, 3, moved).change, 1, "told of again: nothing has changed");
    bindings.remove(imei(3));
    let back = put(&mut bindings, 1, moved);
    assert_eq!((back.change, back.former), (2, Some(imei(3))), "the old one is gone first");
    assert_eq!(bindings.get(imei(2)).expect("bound").change, 0);
}
