//! What is known of IMEIs in memory.

use armada_position_ingest::directory::bindings::{Binding, Bindings};
use armada_proto::{DeviceId, TenantId};
use armada_track::{Imei, TrackerId};

fn imei(number: u64) -> TrackerId {
    Imei::with_check_digit(35_693_803_000_000 + number).expect("14 digits").into()
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
        own_gateways: false,
    };
    bindings.insert(imei(number), binding);
    bindings.get(imei(number)).expect("bound")
}

#[test]
fn device_is_known_by_its_newest_remaining_imei() {
    for order in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
        let (mut bindings, device) = (Bindings::default(), DeviceId::new());
        let mut left = vec![1, 2, 3];
        for number in &left {
            put(&mut bindings, *number, device);
        }
        for gone in order {
            bindings.remove(imei(gone));
            left.retain(|number| *number != gone);
            let newest = left.last().map(|number| imei(*number).partition_hash());
            let known = bindings.of_device(device).map(|binding| binding.partition_hash);
            assert_eq!(known, newest, "{gone} of {order:?} is gone");
            assert_eq!(bindings.has_device(device), newest.is_some());
        }
        assert_eq!(bindings.imeis_of(device), [imei(order[2])], "the last one is remembered");
    }
}

#[test]
fn a_change_of_imei_is_told_from_a_new_device_in_either_order() {
    let mut bindings = Bindings::default();
    let (moved, other) = (DeviceId::new(), DeviceId::new());
    assert_eq!(put(&mut bindings, 1, moved).change, 0);
    assert_eq!(put(&mut bindings, 2, other).change, 0);
    let second = put(&mut bindings, 3, moved);
    assert_eq!((second.change, second.former), (1, Some(imei(1).partition_hash())), "the new one is told of first");
    bindings.remove(imei(1));
    assert_eq!(put(&mut bindings, 3, moved).change, 1, "told of again: nothing has changed");
    bindings.remove(imei(3));
    let back = put(&mut bindings, 1, moved);
    assert_eq!((back.change, back.former), (2, Some(imei(3).partition_hash())), "the old one is gone first");
    assert_eq!(bindings.get(imei(2)).expect("bound").change, 0);
}
