//! Frames of many devices, as gateways publish them.

use armada_proto::v1::PositionFrame;
use armada_track::{
    Field, Flaw, FrameBuilder, FrameRows, Imei, MAX_MESSAGE_BYTES, MAX_POSITIONS_PER_MESSAGE, Reject, Report,
    TrackerId, read_frame,
};
use proptest::{collection::vec, prelude::*};
use prost::Message;

use crate::support::{any_report, any_tracker_id, in_range};

fn builder(rows: &[(u64, Report)]) -> FrameBuilder {
    let mut builder = FrameBuilder::default();
    rows.iter().for_each(|(imei, report)| builder.push(Imei::new(*imei).expect("fifteen digits"), report));
    builder
}

fn builder_of(rows: &[(TrackerId, Report)]) -> FrameBuilder {
    let mut builder = FrameBuilder::default();
    rows.iter().for_each(|(id, report)| builder.push(*id, report));
    builder
}

/// Rows of trackers with IMEIs and of others, in any mix.
fn rows() -> impl Strategy<Value = Vec<(TrackerId, Report)>> {
    vec((any_tracker_id(), any_report().prop_map(in_range)), 0..20)
}

proptest! {
    #[test]
    fn frames_round_trip(rows in rows()) {
        let mut builder = builder_of(&rows);
        prop_assert_eq!(builder.len(), rows.len());
        let body = builder.take().encode_to_vec();
        prop_assert!(builder.is_empty());
        let read = read_frame(&body).expect("well shaped");
        prop_assert_eq!(read.len(), rows.len());
        prop_assert_eq!(read.collect::<Result<Vec<_>, _>>(), Ok(rows));
    }

    #[test]
    fn frames_are_appended(first in rows(), second in rows()) {
        let mut appended = builder_of(&first);
        appended.append(builder_of(&second).take());
        appended.append(PositionFrame::default());
        let mut pushed = builder_of(&first);
        second.iter().for_each(|(id, report)| pushed.push(*id, report));
        let more = Report::new(7, 8, 9);
        for builder in [&mut appended, &mut pushed] {
            builder.push(Imei::new(1).expect("fifteen digits"), &more);
        }
        prop_assert_eq!(appended.take(), pushed.take());
    }

    #[test]
    fn decoding_any_bytes_does_not_panic(rows in rows(), hits in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4), junk: Vec<u8>) {
        let mut body = builder_of(&rows).take().encode_to_vec();
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
    let broken: [fn(&mut PositionFrame); 8] = [
        |frame| frame.lat.truncate(1),
        |frame| frame.recorded_at.push(0),
        |frame| frame.present.clear(),
        |frame| frame.speed.truncate(1),
        |frame| frame.alt.push(0),
        |frame| frame.alarm.clear(),
        |frame| frame.imei[1] = u64::MAX,
        |frame| frame.id.push("TK103-1".to_owned()),
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
    frame.imei[0] = 1_000_000_000_000_000;
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

/// What a frame of one fix was before there were other identifiers, as RAW, HELD and the dead letters have it, byte by byte.
#[test]
fn frames_of_imeis_are_what_they_were() {
    let old = b"\x0a\x08\x21\x46\xd2\x1c\xa2\x44\x01\x00\x12\x01\x0e\x1a\x04\x08\x00\x00\x00\x22\x04\x09\x00\x00\x00\x2a\x01\x01\x32\x01\x05";
    let report = Report { speed: Some(5), ..Report::new(7, 8, 9) };
    let rows: Vec<_> = read_frame(old).expect("well shaped").collect();
    assert_eq!(rows, [Ok((Imei::new(356_938_035_643_937).expect("fifteen digits").into(), report.clone()))]);
    assert_eq!(builder(&[(356_938_035_643_937, report)]).take().encode_to_vec(), old);
}

#[test]
fn a_bad_identifier_rejects_only_its_row() {
    let name = |text: &str| text.parse::<TrackerId>().expect("an identifier");
    let report = Report::new(1, 2, 3);
    let mut frame = builder_of(&[(name("TK103-12345678"), report.clone()), (name("phone_of_Budi"), report)]).take();
    assert_eq!(frame.imei, [u64::MAX; 2]);
    frame.id[0] = "TK 103".to_owned();
    let ids: Vec<_> = FrameRows::new(frame).expect("well shaped").map(|row| row.map(|(id, _)| id)).collect();
    assert_eq!(ids, [Err((u64::MAX, Reject::InvalidImei)), Ok(name("phone_of_Budi"))]);
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
