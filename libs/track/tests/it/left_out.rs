//! A fix is never refused for a bad value beside it.

use armada_proto::v1::{PositionReport, PositionReports};
use armada_track::{
    Field, Flaw, FrameBuilder, FrameRows, Imei, MAX_ALARM_BYTES, MAX_ALARMS, Reject, Report, alarms, decode_json,
    decode_message, read_frame, validate,
};
use proptest::{collection::vec, option, prelude::*};
use prost::Message;

use crate::support::any_report;

/// 2026-09-01T00:00:00Z.
const AT: i64 = 1_788_220_800_000;

/// What becomes of a good fix with these members besides.
fn with(members: &str) -> Report {
    let body = format!(r#"{{"recorded_at":"2026-09-01T00:00:00Z","lat":-6.2,"lng":106.8{members}}}"#);
    decode_json(body.as_bytes()).expect("a message").remove(0).unwrap_or_else(|reject| panic!("{members}: {reject}"))
}

/// The same of a member, with what is said to have been left out.
fn left_out(field: &str, value: &str) -> (Report, Vec<(Field, Flaw)>) {
    let report = with(&format!(r#","{field}":{value}"#));
    let flaws = report.left_out.iter().collect();
    (report, flaws)
}

#[test]
fn what_cannot_be_is_left_out() {
    let bare = Report::new(AT, -62_000_000, 1_068_000_000);
    for (field, value, flaw) in [
        (Field::Speed, "1e9", Flaw::OutOfRange),
        (Field::Speed, "-1", Flaw::OutOfRange),
        (Field::Speed, "1e999", Flaw::OutOfRange),
        (Field::Speed, r#""fast""#, Flaw::WrongType),
        (Field::Course, "1e300", Flaw::OutOfRange),
        (Field::Alt, "-100001", Flaw::OutOfRange),
        (Field::Sat, "-1", Flaw::OutOfRange),
        (Field::Odometer, "1e300", Flaw::OutOfRange),
        (Field::BattPercent, "101", Flaw::OutOfRange),
        (Field::FuelPercent, "[50]", Flaw::WrongType),
        (Field::FuelLiter, "true", Flaw::WrongType),
        (Field::GsmSignal, r#""\ud800""#, Flaw::WrongType),
        (Field::Valid, "2", Flaw::WrongType),
        (Field::Ignition, r#""maybe""#, Flaw::WrongType),
        (Field::Charge, "{}", Flaw::WrongType),
        (Field::Attrs, "7", Flaw::WrongType),
        (Field::Attrs, r#""text""#, Flaw::WrongType),
        (Field::Attrs, r#"{"a":1e400}"#, Flaw::Unreadable),
        (Field::Attrs, r#"{"a":"\ud800"}"#, Flaw::Unreadable),
        (Field::Attrs, &format!("{{\"a\":{}1{}}}", "[".repeat(200), "]".repeat(200)), Flaw::Unreadable),
        (Field::Attrs, &format!(r#"{{"a":"{}"}}"#, "x".repeat(16 << 10)), Flaw::TooLong),
    ] {
        let (report, flaws) = left_out(field.as_str(), value);
        assert_eq!(flaws, [(field, flaw)], "{} {value:.40}", field.as_str());
        assert_eq!(Report { left_out: bare.left_out, ..report }, bare, "{} {value:.40}", field.as_str());
    }
    let two = with(r#","speed":-1,"ignition":true,"batt_percent":101"#);
    assert_eq!(two.left_out.iter().map(|(field, _)| field.as_str()).collect::<Vec<_>>(), ["speed", "batt_percent"]);
    assert_eq!(two.ignition, Some(true));
}

#[test]
fn what_trackers_send_for_unknown_is_nothing() {
    let bare = with("");
    for (field, values) in [
        ("speed", ["6553.5", "65535", "4294967295", "null"]),
        ("course", ["6553.5", "65535", "4294967295", "null"]),
        ("alt", ["-32768", "32767", "65535", "4294967295"]),
        ("sat", ["255", "65535", "4294967295", r#""255""#]),
        ("odometer", ["4294967295", "42949672950", "429496729500", "4294967295000"]),
        ("fuel_liter", ["6553.5", "65535", "4294967295", r#""""#]),
        ("fuel_percent", ["255", "65535", "4294967295", r#"" ""#]),
        ("batt_percent", ["255", "65535", "4294967295", "null"]),
        ("gsm_signal", ["255", "65535", "4294967295", "null"]),
    ] {
        values.iter().for_each(|value| assert_eq!(left_out(field, value).0, bare, "{field} {value}"));
    }
}

#[test]
fn of_members_of_one_name_the_first_counts_that_says_something() {
    let first = with(r#","speed":null,"speed":1,"speed":2,"ignition":true,"ignition":null,"recorded_at":null"#);
    assert_eq!((first.speed, first.ignition), (Some(10), Some(true)));
}

#[test]
fn numbers_and_switches_are_read_as_text_and_turns_within_one() {
    let text = with(
        r#","speed":"42.5","sat":" 11 ","odometer":"123456","ignition":"TRUE","charge":"0","valid":1,"attrs":{"a":1}"#,
    );
    let plain =
        with(r#","speed":42.5,"sat":11,"odometer":123456,"ignition":true,"charge":false,"valid":true,"attrs":{"a":1}"#);
    assert_eq!(text, plain);
    for (course, expected) in [("-10", 3_500), ("360", 0), ("361.5", 15), ("-720.1", 3_599), (r#""90""#, 900)] {
        let (report, flaws) = left_out("course", course);
        assert_eq!((report.course, flaws), (Some(expected), Vec::new()), "{course}");
    }
}

#[test]
fn what_is_hardly_json_is_read() {
    let odd =
        with(",\"speed\":NaN,\"alt\":-Infinity,\"alarm\":\"s\\\"os\u{1}-NaN\",\"attrs\":{\"a\":\"b\tc\",\"d\":[NaN]}");
    let plain = with(r#","alarm":"s\"os -nan","attrs":{"a":"b c","d":[null]}"#);
    assert_eq!(odd, plain);
    for nothing in ["nan", "-NAN", "inf", "-Inf", "+infinity", "-nan(ind)", "None", "undefined", "Null", "", " "] {
        assert_eq!(with(&format!(r#","speed":{nothing},"alarm":{nothing}"#)), with(""), "{nothing}");
        assert_eq!(with(&format!(r#","alarm":"sos","speed":{nothing}"#)), with(r#","alarm":"sos""#), "{nothing}");
    }
    for (speed, tenths) in [(".5", 5), ("5.", 50), ("007", 70), ("+5", 50)] {
        assert_eq!(left_out("speed", speed), (Report { speed: Some(tenths), ..with("") }, Vec::new()), "{speed}");
    }
    for word in ["0x1F", "fast", "1 2", "a\\b", "--5"] {
        let (report, flaws) = left_out("speed", word);
        assert_eq!((report.speed, report.lat), (None, -62_000_000), "{word}");
        assert_eq!(flaws, [(Field::Speed, Flaw::WrongType)], "{word}");
    }
    assert_eq!(with(r#","ignition":True,"charge":FALSE,"#), with(r#","ignition":true,"charge":false"#));
    assert_eq!(
        with(r#","attrs":{"a":.5,"b":None,"c":[,1,],,"d":}"#),
        with(r#","attrs":{"a":".5","b":null,"c":[1],"d":null}"#)
    );
    for (alarm, name) in [(r#""so\s""#, r"so\s"), (r#""\u12g""#, r"\u12g"), ("sos", "sos"), (r#""a\nb\"c""#, "a\nb\"c")]
    {
        assert_eq!(with(&format!(r#","alarm":{alarm}"#)).alarm.as_deref(), Some(name), "{alarm}");
    }
    let place = |lat: &str| {
        let body = format!(r#"{{"recorded_at":"2026-09-01T00:00:00Z","lat":{lat},"lng":106.8}}"#);
        decode_json(body.as_bytes()).map(|mut reports| reports.remove(0).map(|report| report.lat))
    };
    assert_eq!(
        (place("-06.2"), place("nan"), place("")),
        (Ok(Ok(-62_000_000)), Err(Reject::Malformed), Err(Reject::Malformed))
    );
    let latin1 =
        b"{\"recorded_at\":\"2026-09-01T00:00:00Z\",\"lat\":-6.2,\"lng\":106.8,\"attrs\":{\"driver\":\"Jos\xe9\"}}";
    let read = decode_message(latin1).expect("a message").remove(0).expect("the fix stays");
    assert_eq!(read.attrs.as_deref(), Some("{\"driver\":\"Jos\u{fffd}\"}"));
}

#[test]
fn texts_of_other_character_sets_are_read_in_protobuf() {
    // One byte for another, so that no length of the message changes; no number here has that byte.
    let with_latin1 =
        |message: Vec<u8>| -> Vec<u8> { message.iter().map(|b| if *b == b'~' { 0xe9 } else { *b }).collect() };
    let report = PositionReport {
        recorded_at: AT,
        lat: Some(-6.2),
        lng: Some(106.8),
        speed: Some(36.0),
        alarm: Some("caf~".to_owned()),
        attrs: Some(r#"{"driver":"Jos~"}"#.to_owned()),
        ..PositionReport::default()
    };
    let reports = PositionReports { reports: vec![report.clone(), report.clone()] };
    let (one, two) = (with_latin1(report.encode_to_vec()), with_latin1(reports.encode_to_vec()));
    let expected = with(",\"speed\":36,\"alarm\":\"caf\u{fffd}\",\"attrs\":{\"driver\":\"Jos\u{fffd}\"}");
    for (body, count) in [(&one, 1), (&two, 2)] {
        let read: Vec<_> =
            decode_message(body).expect("a message").into_iter().map(|read| read.expect("a fix")).collect();
        assert_eq!(read, vec![expected.clone(); count]);
    }
    let mut frame = FrameBuilder::default();
    let row = Report {
        speed: Some(360),
        alarm: report.alarm.map(Into::into),
        attrs: report.attrs.map(Into::into),
        ..with("")
    };
    frame.push(Imei::with_check_digit(35_693_803_000_001).expect("14 digits"), &row);
    let read = read_frame(&with_latin1(frame.take().encode_to_vec())).expect("a frame").next().expect("a row");
    assert_eq!(read.expect("the fix stays").1, expected);
    assert_eq!(decode_message(&one[..one.len() - 1]), Err(Reject::Malformed), "what is cut off is no message");
}

/// The bytes of a report with a field that is a varint.
fn with_varint(mut report: Vec<u8>, field: u32, value: u64) -> Vec<u8> {
    prost::encoding::uint64::encode(field, &value, &mut report);
    report
}

#[test]
fn what_protobuf_says_in_another_type_costs_itself() {
    let good = PositionReport { recorded_at: AT, lat: Some(-6.2), lng: Some(106.8), ..PositionReport::default() };
    let good = PositionReport { course: Some(90.0), ..good }.encode_to_vec();
    let expected = with(r#","course":90"#);
    let read = |body: &[u8]| {
        let report = decode_message(body).expect("a message").remove(0).expect("the fix stays");
        let flaws: Vec<_> = report.left_out.iter().collect();
        (Report { left_out: Default::default(), ..report }, flaws)
    };
    let left_out = |field, flaw| (expected.clone(), vec![(field, flaw)]);
    assert_eq!(read(&with_varint(good.clone(), 7, 1 << 40)), left_out(Field::Sat, Flaw::OutOfRange));
    assert_eq!(read(&with_varint(good.clone(), 7, u64::MAX)), left_out(Field::Sat, Flaw::OutOfRange));
    assert_eq!(read(&with_varint(good.clone(), 4, 36)), left_out(Field::Speed, Flaw::WrongType));
    let list = |report: &[u8]| {
        let mut list = Vec::new();
        prost::encoding::bytes::encode(1, &report.to_vec(), &mut list);
        list
    };
    assert_eq!(read(&list(&with_varint(good.clone(), 4, 36))), left_out(Field::Speed, Flaw::WrongType));
    // An alarm is one in any type.
    let alarm = |value| read(&with_varint(good.clone(), 16, value)).0.alarm;
    assert_eq!((alarm(5).as_deref(), alarm(0)), (Some("5"), None));
    let mut fixed = good.clone();
    prost::encoding::double::encode(16, &1.5, &mut fixed);
    let (report, flaws) = read(&fixed);
    assert_eq!((report.alarm.as_deref(), flaws), (Some("unknown"), vec![(Field::Alarm, Flaw::WrongType)]));
    // Without time or place it is none.
    for field in [1, 2] {
        let mut without = PositionReport::decode(&good[..]).expect("a report");
        if field == 1 {
            without.recorded_at = 0
        } else {
            without.lat = None
        }
        let mut body = without.encode_to_vec();
        prost::encoding::float::encode(field, &1.0, &mut body);
        let read = decode_message(&body);
        assert!(matches!(read.as_deref(), Err(Reject::Malformed) | Ok([Err(Reject::Malformed)])), "{field} {read:?}");
    }
    let cut = with_varint(good.clone(), 4, 36);
    assert_eq!(decode_message(&cut[..cut.len() - 1]), Err(Reject::Malformed));
}

#[test]
fn an_alarm_is_never_left_out() {
    let alarm = |value: &str| with(&format!(r#","alarm":{value}"#)).alarm;
    for (value, expected) in [
        (r#""SOS""#, "sos"),
        (r#""Power_Cut, sos""#, "power_cut,sos"),
        (r#""ＳＯＳ""#, "sos"),
        (r#""断电，ﾄﾞｱ""#, "断电,ドア"),
        ("3", "3"),
        ("1e999", "unknown"),
        ("true", "unknown"),
        ("[]", "unknown"),
        (r#"{"name":"sos"}"#, "unknown"),
        (r#""\ud800""#, "unknown"),
    ] {
        assert_eq!(alarm(value).as_deref(), Some(expected), "{value}");
    }
    for none in ["null", "false", r#""""#, r#"" , ""#, "0", "0.0", "-0", r#""0""#, r#""False""#, r#""0, ,0""#] {
        assert_eq!(left_out("alarm", none), (with(""), Vec::new()), "{none}");
    }
    assert_eq!(alarm(r#""0,sos""#).as_deref(), Some("sos"));
    // Not by another one of the same name either.
    for (again, expected) in [
        (r#""sos","alarm":null"#, "sos"),
        (r#"null,"alarm":"sos""#, "sos"),
        (r#"false,"alarm":"sos","alarm":"""#, "sos"),
        (r#""door","alarm":"SOS""#, "door,sos"),
    ] {
        let names = alarm(again).map(|names| alarms(&names).map(str::to_owned).collect::<Vec<_>>().join(","));
        assert_eq!(names.as_deref(), Some(expected), "{again}");
    }
    let none = Report { alarm: Some("0".into()), ..with("") };
    assert_eq!(framed(&none).alarm, None);
    let (cut, flaws) = left_out("alarm", &format!(r#""sos,{}ä""#, "x".repeat(MAX_ALARM_BYTES - 1)));
    assert_eq!(alarms(cut.alarm.as_deref().unwrap()).collect::<Vec<_>>(), ["sos", &"x".repeat(MAX_ALARM_BYTES - 1)]);
    assert_eq!(flaws, [(Field::Alarm, Flaw::TooLong)]);
    let many: String = (0..30).map(|n| format!("alarm{n},")).collect();
    let (many, _) = left_out("alarm", &format!(r#""{many}SOS""#));
    let names: Vec<_> = alarms(many.alarm.as_deref().unwrap()).collect();
    assert_eq!((names.len(), names[0]), (MAX_ALARMS, "sos"));
    // What was cut is not cut again when it is read once more.
    assert_eq!(framed(&many).alarm, many.alarm);
}

#[test]
fn an_alarm_needs_no_place() {
    for place in [r#""lat":"north","lng":2"#, r#""lat":91,"lng":2"#, r#""lat":1"#, r#""lng":null"#] {
        let body = |alarm: &str| format!(r#"[{{"recorded_at":"2026-09-01T00:00:00Z",{place}{alarm}}}]"#);
        let read = |alarm| decode_json(body(alarm).as_bytes()).expect("an array").remove(0);
        let report = read(r#","alarm":"sos""#).expect("it is heard");
        assert_eq!((report.lat, report.lng, report.valid, validate(&report, AT)), (0, 0, false, Ok(())), "{place}");
        assert!(read("").is_err(), "{place}");
    }
    let nowhere = Report { alarm: Some("sos".into()), ..Report::new(AT, i32::MAX, 0) };
    let read = framed(&nowhere);
    assert_eq!((read.valid, validate(&read, AT)), (false, Ok(())));
    assert_eq!(read.left_out.iter().collect::<Vec<_>>(), [(Field::Lat, Flaw::OutOfRange)]);
    assert_eq!(validate(&framed(&Report { alarm: None, ..nowhere }), AT), Err(Reject::LatitudeOutOfRange));
}

/// As it comes in a frame.
fn framed(report: &Report) -> Report {
    let mut frame = FrameBuilder::default();
    frame.push(Imei::with_check_digit(35_693_803_000_001).expect("14 digits"), report);
    FrameRows::new(frame.take()).expect("a frame").next().expect("a row").expect("the fix stays").1
}

/// Anything that JSON can say, and some things that only look as if.
fn any_json() -> impl Strategy<Value = String> {
    let quoted = |text: String| serde_json::to_string(&text).expect("a text");
    let leaf = prop_oneof![
        prop::sample::select(vec![
            "null",
            "true",
            "false",
            "1e999",
            "-0",
            "4294967295",
            r#""\ud800""#,
            r#""1e9""#,
            "NaN",
            "-inf",
            "",
            ".5",
            "0x1F",
            "None",
            r#""so\s""#,
            "\"\u{0}\""
        ])
        .prop_map(str::to_owned),
        any::<i64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_filter("JSON has no others", |number| number.is_finite()).prop_map(|n| format!("{n:e}")),
        any::<String>().prop_map(quoted),
        "[0-9.-]{0,8}".prop_map(quoted),
    ];
    leaf.prop_recursive(3, 12, 4, move |inner| {
        let entry =
            (any::<String>().prop_map(quoted), inner.clone()).prop_map(|(name, value)| format!("{name}:{value}"));
        prop_oneof![
            vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            vec(entry, 0..4).prop_map(|entries| format!("{{{}}}", entries.join(","))),
        ]
    })
}

fn any_members() -> impl Strategy<Value = String> {
    let names: Vec<&str> =
        Field::ALL.iter().map(|field| field.as_str()).filter(|name| !name.starts_with('l')).collect();
    let name = prop_oneof![9 => prop::sample::select(names).prop_map(str::to_owned), 1 => Just("\\ud800".to_owned())];
    vec((name, any_json()), 0..8)
        .prop_map(|members| members.iter().map(|(name, value)| format!(r#","{name}":{value}"#)).collect())
}

fn any_protobuf() -> impl Strategy<Value = PositionReport> {
    let numbers = prop::array::uniform8(option::of(prop_oneof![any::<f64>(), -1e3..1e3]));
    let switches = prop::array::uniform3(any::<Option<bool>>());
    let rest = (any::<Option<u64>>(), any::<Option<String>>(), any::<Option<String>>());
    (numbers, switches, rest).prop_map(|(numbers, [valid, ignition, charge], (sat, alarm, attrs))| {
        let [speed, course, alt, odometer, fuel_liter, fuel_percent, batt_percent, gsm_signal] = numbers;
        let (lat, lng) = (Some(-6.2), Some(106.8));
        let levels = PositionReport { fuel_liter, fuel_percent, batt_percent, gsm_signal, ..PositionReport::default() };
        PositionReport {
            recorded_at: AT,
            lat,
            lng,
            speed,
            course,
            alt,
            odometer,
            valid,
            ignition,
            charge,
            sat,
            alarm,
            attrs,
            ..levels
        }
    })
}

/// It is where it should be, can be stored, and says the same when it is read once more.
fn is_good(report: &Report) -> Result<(), TestCaseError> {
    prop_assert_eq!((report.lat, report.lng), (-62_000_000, 1_068_000_000));
    prop_assert_eq!(validate(report, AT), Ok(()));
    let again = framed(report);
    prop_assert!(again.left_out.is_empty());
    prop_assert_eq!(again, Report { left_out: Default::default(), ..report.clone() });
    Ok(())
}

proptest! {
    #[test]
    fn a_good_fix_is_accepted_whatever_else_it_says_in_json(members in any_members()) {
        is_good(&with(&members))?;
    }

    #[test]
    fn a_good_fix_is_accepted_whatever_else_it_says_in_protobuf(report in any_protobuf()) {
        is_good(&decode_message(&report.encode_to_vec()).expect("a message").remove(0).expect("the fix stays"))?;
    }

    #[test]
    fn a_good_fix_is_accepted_whatever_else_it_says_in_frames(
        report in any_report(),
        percent: u32,
        (alarm, attrs) in (any::<Option<String>>(), any::<Option<String>>()),
    ) {
        let (alarm, attrs) = (alarm.map(Into::into), attrs.map(Into::into));
        let report = Report {
            recorded_at: AT, lat: -62_000_000, lng: 1_068_000_000, alarm, attrs, batt_percent: Some(0), ..report
        };
        let mut frame = FrameBuilder::default();
        frame.push(Imei::with_check_digit(35_693_803_000_001).expect("14 digits"), &report);
        let mut frame = frame.take();
        frame.batt_percent[0] = percent;
        let (_, read) = FrameRows::new(frame).expect("a frame").next().expect("a row").expect("the fix stays");
        is_good(&read)?;
    }
}
