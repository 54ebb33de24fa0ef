//! The enriched frame of one round: it comes back as it was, and whatever became of its bytes is survived.

use armada_proto::{DeviceId, TenantId};
use armada_track::{HotBuilder, HotFrame, Position, Report};
use proptest::{collection::vec, prelude::*};
use uuid::Uuid;

use crate::support::{any_position, damaged};

type Rows = Vec<(TenantId, DeviceId, Position)>;

fn rows() -> impl Strategy<Value = Rows> {
    let row = (0..3_u128, 0..6_u128, any_position());
    vec(row, 0..40).prop_map(|rows| {
        let row = |(tenant, device, position)| {
            (TenantId(Uuid::from_u128(tenant << 64)), DeviceId(Uuid::from_u128(device << 9)), position)
        };
        rows.into_iter().map(row).collect()
    })
}

fn encode(builder: &mut HotBuilder, rows: &Rows) -> Vec<u8> {
    for (tenant, device, position) in rows {
        builder.push(*tenant, *device, position);
    }
    builder.finish()
}

/// What a frame has besides its rows.
const FRAME_BYTES: usize = 1_024;

proptest! {
    #[test]
    fn frames_round_trip(frames in vec(rows(), 1..3)) {
        let mut builder = HotBuilder::default();
        for rows in frames {
            rows.iter().for_each(|(tenant, device, position)| builder.push(*tenant, *device, position));
            let most = builder.bytes() + FRAME_BYTES;
            let bytes = builder.finish();
            prop_assert!(bytes.len() <= most, "{} bytes, {most} at most", bytes.len());
            let frame = HotFrame::parse(&bytes).expect("parses");
            prop_assert_eq!(frame.len(), rows.len());
            let times = || rows.iter().map(|row| row.2.recorded_at());
            prop_assert_eq!(frame.time_range(), (times().min().unwrap_or(0), times().max().unwrap_or(0)));
            prop_assert_eq!(&frame.rows().expect("decodes").collect::<Rows>(), &rows);
            for &(tenant, device) in frame.devices() {
                let of_device = rows.iter().filter(|row| (row.0, row.1) == (tenant, device));
                let expected: Vec<_> = of_device.map(|row| row.2.clone()).collect();
                prop_assert!(frame.contains(device) && !expected.is_empty());
                prop_assert_eq!(frame.rows_of(tenant, device).expect("decodes"), expected);
            }
        }
    }

    #[test]
    fn detects_corruption(rows in rows(), at: prop::sample::Index, byte: u8) {
        let mut bytes = encode(&mut HotBuilder::default(), &rows);
        let at = at.index(bytes.len());
        prop_assume!(bytes[at] != byte);
        prop_assert!(HotFrame::parse(&bytes[..at]).is_err());
        bytes[at] = byte;
        prop_assert!(HotFrame::parse(&bytes).is_err());
    }

    #[test]
    fn bytes_with_valid_checksum_do_not_panic(rows in rows(), hits in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let bytes = damaged(encode(&mut HotBuilder::default(), &rows), hits);
        if let Ok(frame) = HotFrame::parse(&bytes) {
            let _ = frame.rows().map(Iterator::count);
            for &(tenant, device) in frame.devices().iter().take(9) {
                let _ = frame.rows_of(tenant, device);
            }
        }
    }
}

#[test]
fn empty_frame_is_valid() {
    let bytes = HotBuilder::default().finish();
    let frame = HotFrame::parse(&bytes).expect("parses");
    assert!(frame.is_empty() && frame.devices().is_empty());
    assert_eq!(frame.rows().expect("decodes").count(), 0);
}

#[test]
fn many_kinds_of_rows_need_no_palette() {
    let mut builder = HotBuilder::default();
    let (tenant, device) = (TenantId(Uuid::nil()), DeviceId(Uuid::max()));
    let position = |kind: u32| {
        let bit = |bit: u32| (kind & (1 << bit) != 0).then_some(kind);
        let report = Report::new(1_000 * i64::from(kind), 1, 2);
        let report = Report { speed: bit(0), course: bit(1), sat: bit(2), fuel_liter: bit(3), ..report };
        let report = Report { valid: kind & 16 == 0, ignition: (kind & 32 == 0).then_some(kind & 64 == 0), ..report };
        Position::late(report)
    };
    let positions: Vec<_> = (0..128).map(position).collect();
    positions.iter().for_each(|position| builder.push(tenant, device, position));
    let bytes = builder.finish();
    let frame = HotFrame::parse(&bytes).expect("parses");
    assert_eq!(frame.rows_of(tenant, device).expect("decodes"), positions);
}
