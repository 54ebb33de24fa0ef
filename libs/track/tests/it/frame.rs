//! Frames of many devices, as gateways publish them.

use armada_proto::v1::PositionFrame;
use armada_track::{
    Field, Flaw, FrameBuilder, FrameRows, Imei, MAX_MESSAGE_BYTES, MAX_POSITIONS_PER_MESSAGE, Reject, Report,
    read_frame,
};
use proptest::{collection::vec, prelude::*};
use prost::Message;

use crate::support::{any_report, in_range};

fn builder(rows: &[(u64, Report)]) -> FrameBuilder {
    let mut builder = FrameBuilder::default();
    rows.iter().for_each(|(imei, report)| builder.push(Imei::new(*imei).expect("fifteen digits"), report));
    builder
}

fn rows() -> impl Strategy<Value = Vec<(u64, Report)>> {
    vec((0..1_000_000_000_000_000_u64, any_report().prop_map(in_range)), 0..20)
}

proptest! {
    #[test]
    fn frames_round_trip(rows in rows()) {
        let mut builder = builder(&rows);
        prop_assert_eq!(builder.len(), rows.len());
        let body = builder.take().encode_to_vec();
        prop_assert!(builder.is_empty());
        let read = read_frame(&body).expect("well shaped");
        prop_assert_eq!(read.len(), rows.len());
        let read: Result<Vec<_>, _> = read.map(|row| row.map(|(imei, report)| (imei.number(), report))).collect();
        prop_assert_eq!(read, Ok(rows));
    }

    #[test]
    fn frames_are_appended(first in rows(), second in rows()) {
        let mut appended = builder(&first);
        appended.append(builder(&second).take());
        appended.append(PositionFrame::default());
        let mut pushed = builder(&first);
        second.iter().for_each(|(imei, report)| pushed.push(Imei::new(*imei).expect("fifteen digits"), report));
        let more = Report::new(7, 8, 9);
        for builder in [&mut appended, &mut pushed] {
            builder.push(Imei::new(1).expect("fifteen digits"), &more);
        }
        prop_assert_eq!(appended.take(), pushed.take());
    }

    #[test]
    fn decoding_any_bytes_does_not_panic(rows in rows(), hits in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4), junk: Vec<u8>) {
        let mut body = builder(&rows).take().encode_to_vec();
        for (at, byte) in hits {
            if !body.is_empty() {
                let at = at.index(body.len());
                body[at] = byte;
            }
        }
        for body in [body, junk] {
            if let Ok(rows) = read_frame(&body) {
                rows.count();
            }
        }
    }
}

#[test]
fn column_of_wrong_length_is_malformed() {
    let report = Report { speed: Some(1), alarm: Some("sos".into()), ..Report::new(1, 2, 3) };
    let frame = || builder(&[(1, report.clone()), (2, report.clone())]).take();
    assert!(FrameRows::new(frame()).is_ok());
    let broken: [fn(&mut PositionFrame); 6] = [
        |frame| frame.lat.truncate(1),
        |frame| frame.recorded_at.push(0),
        |frame| frame.present.clear(),
        |frame| frame.speed.truncate(1),
        |frame| frame.alt.push(0),
        |frame| frame.alarm.clear(),
    ];
    for (number, damage) in broken.into_iter().enumerate() {
        let mut frame = frame();
        damage(&mut frame);
        assert_eq!(FrameRows::new(frame).err(), Some(Reject::Malformed), "{number}");
    }
}

#[test]
fn bad_imei_rejects_only_its_row() {
    let report = Report { batt_percent: Some(7), attrs: Some("{}".into()), ..Report::new(1, 2, 3) };
    let mut frame =
        builder(&[(1, report.clone()), (2, report.clone()), (3, report.clone()), (4, report.clone())]).take();
    frame.imei[0] = u64::MAX;
    frame.batt_percent[1] = 256;
    frame.attrs[2] = "no object".to_owned();
    let rows: Vec<_> = FrameRows::new(frame).expect("well shaped").collect();
    let reports = rows.into_iter().map(|row| row.map(|(_, report)| report).map_err(|(_, reject)| reject));
    let mut reports: Vec<_> = reports.collect();
    assert_eq!(reports.remove(0), Err(Reject::InvalidImei));
    let mut kept = reports.into_iter().map(|report| report.expect("the fix stays"));
    let mut next = || kept.next().map(|report| (report.batt_percent, report.attrs, report.left_out.iter().next()));
    let object = Some("{}".into());
    assert_eq!(next(), Some((None, object.clone(), Some((Field::BattPercent, Flaw::OutOfRange)))));
    assert_eq!(next(), Some((Some(7), None, Some((Field::Attrs, Flaw::WrongType)))));
    assert_eq!(next(), Some((Some(7), object, None)));
}

#[test]
fn limits_hold() {
    let mut builder = FrameBuilder::default();
    let imei = Imei::new(1).expect("fifteen digits");
    (0..=MAX_POSITIONS_PER_MESSAGE as i64).for_each(|at| builder.push(imei, &Report::new(at, 0, 0)));
    assert_eq!(FrameRows::new(builder.take()).err(), Some(Reject::TooManyPositions));
    assert_eq!(read_frame(&vec![0; MAX_MESSAGE_BYTES + 1]).err(), Some(Reject::TooLarge));
    assert_eq!(read_frame(&[0xff]).err(), Some(Reject::Malformed));
    assert_eq!(read_frame(&[]).map(Iterator::count), Ok(0));
}
