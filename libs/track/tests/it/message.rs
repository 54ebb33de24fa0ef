//! Messages of one device each, as JSON and as protobuf.

use armada_proto::v1::{PositionReport, PositionReports};
use armada_track::{
    MAX_MESSAGE_BYTES, MAX_POSITIONS_PER_MESSAGE, RefusedFields, Reject, Report, Reports, decode_json, decode_message,
    decode_protobuf,
};
use proptest::prelude::*;
use prost::Message;

use crate::support::{any_report, in_range};

fn json(body: &str) -> Result<Reports, Reject> {
    decode_message(body.as_bytes())
}

/// What becomes of one position with these members added.
fn with(members: &str) -> Result<Report, Reject> {
    let body = format!(r#"{{"recorded_at":"2026-09-01T08:15:30.25+07:00","lat":-6.2,"lng":106.8166667{members}}}"#);
    json(&body).expect("parses").pop().expect("one")
}

#[test]
fn an_object_is_one_report() {
    let at = 1_788_225_330_250;
    assert_eq!(with(""), Ok(Report::new(at, -62_000_000, 1_068_166_667)));
    let full = with(
        r#","speed":42.55,"course":360,"alt":-3.14,"sat":11,"valid":false,"ignition":true,"odometer":123456.4,
        "fuel_liter":40.25,"fuel_percent":81.6,"batt_percent":100,"charge":false,"gsm_signal":0,"alarm":"sos",
        "attrs":{"b":1,"a":[true,null]},"unknown":{"x":1}"#,
    );
    let expected = Report {
        speed: Some(426),
        course: Some(0),
        alt: Some(-31),
        sat: Some(11),
        valid: false,
        ignition: Some(true),
        odometer: Some(123_456),
        fuel_liter: Some(403),
        fuel_percent: Some(82),
        batt_percent: Some(100),
        charge: Some(false),
        gsm_signal: Some(0),
        alarm: Some("sos".into()),
        attrs: Some(r#"{"a":[true,null],"b":1}"#.into()),
        ..Report::new(at, -62_000_000, 1_068_166_667)
    };
    assert_eq!(full, Ok(expected));
    assert_eq!(with(r#","speed":null,"alarm":"","attrs":{}"#), with(""));
}

#[test]
fn a_place_out_of_range_is_named() {
    let place = |lat: &str, lng: &str| {
        let body = format!(r#"[{{"recorded_at":"2026-09-01T00:00:00Z","lat":{lat},"lng":{lng}}}]"#);
        json(&body).expect("parses").pop().expect("one").map(|report| (report.lat, report.lng))
    };
    assert_eq!(place("91", "0"), Err(Reject::LatitudeOutOfRange));
    assert_eq!(place("-90.00000001", "0"), Err(Reject::LatitudeOutOfRange));
    assert_eq!(place("90", "180"), Ok((900_000_000, 1_800_000_000)));
    assert_eq!(place("0", "-180.5"), Err(Reject::LongitudeOutOfRange));
    assert_eq!(place("1e999", "0"), Err(Reject::Malformed));
    assert_eq!(place("null", "0"), Err(Reject::Malformed));
    assert_eq!(place(r#""-6.2""#, r#"" 106.8 ""#), Ok((-62_000_000, 1_068_000_000)));
}

#[test]
fn bad_element_rejects_only_itself() {
    let good = r#"{"recorded_at":"2026-09-01T00:00:00Z","lat":1,"lng":2}"#;
    let bad = [
        r#"{"recorded_at":"yesterday","lat":1,"lng":2}"#,
        r#"{"recorded_at":1788220800000,"lat":1,"lng":2}"#,
        r#"{"lat":1,"lng":2}"#,
        r#"{"recorded_at":"2026-09-01T00:00:00Z","lat":"north","lng":2}"#,
        r#"{"recorded_at":"2026-09-01T00:00:00Z","lat":NaN,"lng":2}"#,
        "null",
        "7",
        "[]",
        "",
        r#"{"text":"],[\"","lat":1}"#,
    ];
    for bad in bad {
        let reports = json(&format!(" [{good}, {bad} ,{good}]\n")).expect("parses");
        assert!(matches!(reports[..], [Ok(_), Err(Reject::Malformed), Ok(_)]), "{bad}: {reports:?}");
    }
    assert_eq!(json(" [ ] "), Ok(Vec::new()));
}

#[test]
fn quotes_that_do_not_match_cost_one_element() {
    let good = r#"{"recorded_at":"2026-09-01T00:00:00Z","lat":1,"lng":2,"attrs":{"a":[1,{"b":"c, d"}]}}"#;
    let bad =
        r#"{"recorded_at":"2026-09-01T00:00:00Z","lat":1,"lng":2,"alarm":"so"s","attrs":{"a":[{"b":1},{"c":2}]}}"#;
    let nowhere = r#"{"recorded_at":"2026-09-01T00:00:00Z","lng":2}"#;
    for order in [
        vec![good, bad, nowhere],
        vec![bad, nowhere, good],
        vec![nowhere, good, bad],
        vec![bad, good, bad, nowhere],
        vec![good, bad, bad, nowhere, bad, good],
    ] {
        let body = format!("[{}]", order.join(", "));
        let is_good: Vec<_> = json(&body).expect("parses").iter().map(Result::is_ok).collect();
        assert_eq!(is_good, order.iter().map(|one| *one == good).collect::<Vec<_>>(), "{body}");
        // Whoever is told why finds the same elements.
        let fields = RefusedFields::of(body.as_bytes());
        let fields: Vec<_> = (0..order.len()).map(|index| fields.of_element(index, Reject::Malformed)).collect();
        assert_eq!(fields, order.iter().map(|one| (*one == nowhere).then_some("lat")).collect::<Vec<_>>(), "{body}");
    }
    // What looks like several elements in a text is one.
    let text = r#"{"recorded_at":"2026-09-01T00:00:00Z","lat":1,"lng":2,"alarm":"},{","speed":nan}"#;
    assert!(matches!(
        json(&format!("[{text},{bad},{good}]")).expect("parses")[..],
        [Ok(_), Err(Reject::Malformed), Ok(_)]
    ));
    // As quick as any other message.
    let many = format!("[{}]", vec![bad; 4_999].join(","));
    assert_eq!(json(&many).map(|reports| reports.len()), Ok(4_999));
}

#[test]
fn malformed_message_is_rejected_whole() {
    for body in
        ["", " ", "{", "[", "[{]", "[}]", "[1", "[1]]", "[\"]", "{}", "{} {}", "[1] x", "null", "7", "\u{feff}{}"]
    {
        assert_eq!(json(body), Err(Reject::Malformed), "{body}");
    }
    assert_eq!(decode_message(&vec![b' '; MAX_MESSAGE_BYTES + 1]), Err(Reject::TooLarge));
    let many = |n: usize| format!("[{}]", vec!["1"; n].join(","));
    assert_eq!(json(&many(MAX_POSITIONS_PER_MESSAGE)).map(|reports| reports.len()), Ok(MAX_POSITIONS_PER_MESSAGE));
    assert_eq!(json(&many(MAX_POSITIONS_PER_MESSAGE + 1)), Err(Reject::TooManyPositions));
    assert_eq!(json(&"[".repeat(100_000)), Err(Reject::Malformed));
}

fn raw(report: &Report) -> PositionReport {
    let tenth = |value: u32| f64::from(value) / 10.0;
    PositionReport {
        recorded_at: report.recorded_at,
        lat: Some(f64::from(report.lat) / 1e7),
        lng: Some(f64::from(report.lng) / 1e7),
        speed: report.speed.map(tenth),
        course: report.course.map(tenth),
        alt: report.alt.map(|alt| f64::from(alt) / 10.0),
        sat: report.sat.map(u64::from),
        valid: Some(report.valid),
        ignition: report.ignition,
        odometer: report.odometer.map(|odometer| odometer as f64),
        fuel_liter: report.fuel_liter.map(tenth),
        fuel_percent: report.fuel_percent.map(f64::from),
        batt_percent: report.batt_percent.map(f64::from),
        charge: report.charge,
        gsm_signal: report.gsm_signal.map(f64::from),
        alarm: report.alarm.as_deref().map(str::to_owned),
        attrs: report.attrs.as_deref().map(str::to_owned),
    }
}

#[test]
fn distinguishes_newline_delimited_json_from_arrays() {
    let element = r#"{"recorded_at":"2026-09-01T00:00:00Z","lat":1,"lng":2}"#;
    assert_eq!(json(&format!("\n{element}")), json(element));
    assert_eq!(json(&format!("\n\t [{element}]")), json(element));
    // Some write a byte order mark first.
    assert_eq!(json(&format!("\u{feff} [{element}]")), json(element));
    assert_eq!(decode_json(format!("\u{feff}{element}").as_bytes()), json(element));
    // A list whose first report is 123 bytes long begins like a line feed and a brace.
    let mut report = raw(&Report::new(1_788_220_800_000, 10_000_000, 20_000_000));
    report.attrs = Some(String::new());
    while report.encoded_len() < 123 {
        report.attrs = report.attrs.map(|attrs| attrs + " ");
    }
    report.attrs = report.attrs.map(|attrs| format!("{{}}{}", &attrs[2..]));
    let body = PositionReports { reports: vec![report] }.encode_to_vec();
    assert_eq!(body[..2], [0x0a, b'{']);
    assert!(matches!(decode_message(&body).expect("parses")[..], [Ok(_)]));
}

#[test]
fn protobuf_is_validated_like_json() {
    let place = |lat, lng| {
        let report = PositionReport { lat, lng, recorded_at: 1, ..PositionReport::default() };
        decode_message(&report.encode_to_vec()).expect("parses").pop().expect("one").err()
    };
    assert_eq!(place(Some(f64::NAN), Some(0.0)), Some(Reject::LatitudeOutOfRange));
    assert_eq!(place(Some(0.0), Some(f64::INFINITY)), Some(Reject::LongitudeOutOfRange));
    assert_eq!(place(Some(1.0), None), Some(Reject::Malformed));
    assert_eq!(place(Some(1.0), Some(1.0)), None);
    let many = PositionReports { reports: vec![PositionReport::default(); MAX_POSITIONS_PER_MESSAGE + 1] };
    assert_eq!(decode_message(&many.encode_to_vec()), Err(Reject::TooManyPositions));
}

proptest! {
    #[test]
    fn quantised_values_round_trip(report in any_report()) {
        let report = in_range(report);
        let one = raw(&report).encode_to_vec();
        // A report that leaves out its time, as zero is on the wire, may begin with any field.
        prop_assert_eq!(decode_message(&one), Ok(vec![Ok(report.clone())]));
        let list = PositionReports { reports: vec![raw(&report), PositionReport::default()] };
        prop_assert_eq!(decode_message(&list.encode_to_vec()), Ok(vec![Ok(report), Err(Reject::Malformed)]));
    }

    #[test]
    fn decoding_any_bytes_does_not_panic(body: Vec<u8>) {
        let _ = decode_message(&body);
        let _ = decode_json(&body);
        let _ = decode_protobuf(&body);
    }

    #[test]
    fn parsing_any_text_does_not_panic(body in r#"[\[{]([\[\]{},:"\\0-9a-z. -]|"lat":|"lng":){0,60}"#) {
        let _ = decode_message(body.as_bytes());
    }
}
