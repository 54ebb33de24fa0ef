//! The messages of the live socket.

use armada_bff::rules::live::{ClientMessage, ErrorCode, device_update, only_moved};
use armada_proto::{
    Timestamp,
    v1::{CommandInput, CommandKind, DayActivity, LastPosition, LiveView, Motion, StandingAlarm},
};
use serde_json::{Value, json};

fn reboot() -> ClientMessage {
    let kind = Some(CommandKind::Reboot.into());
    ClientMessage::SendCommand(Box::new(CommandInput { device_id: "a".to_owned(), kind, ..CommandInput::default() }))
}

#[test]
fn parses_client_messages() {
    let ids = vec!["a".to_owned(), "b".to_owned()];
    for (text, wanted) in [
        (
            r#"{"type":"subscribe_devices","payload":{"device_ids":["a","b"]}}"#,
            Ok(ClientMessage::Subscribe(ids.clone())),
        ),
        (r#"{"type":"unsubscribe_devices","payload":{"device_ids":["a","b"]}}"#, Ok(ClientMessage::Unsubscribe(ids))),
        (r#"{"type":"ping","extra":1}"#, Ok(ClientMessage::Ping)),
        (r#"{"type":"pong"}"#, Ok(ClientMessage::Pong)),
        (r#"{"type":"send_command","payload":{"device_id":"a","command":"reboot"}}"#, Ok(reboot())),
        (r#"{"type":"send_command","payload":{"device_id":"a","command":{"kind":"reboot","id":"b"}}}"#, Ok(reboot())),
        (r#"{"type":"send_command","payload":{"device_id":"a","command":"stop"}}"#, Err(ErrorCode::Invalid)),
        (r#"{"type":"send_command","payload":{"device_id":"a"}}"#, Err(ErrorCode::Invalid)),
        (r#"{"type":"send_command","payload":{"command":"reboot"}}"#, Err(ErrorCode::Invalid)),
        (r#"{"type":"locate","payload":{}}"#, Err(ErrorCode::UnknownType)),
        (
            r#"{"type":"view","payload":{"box":[95,-11,141,6],"device_ids":["a"]}}"#,
            Ok(ClientMessage::View(LiveView {
                r#box: vec![95.0, -11.0, 141.0, 6.0],
                device_ids: vec!["a".to_owned()],
            })),
        ),
        (r#"{"type":"view","payload":{}}"#, Ok(ClientMessage::View(LiveView::default()))),
        (r#"{"type":"view","payload":{"box":[1,2]}}"#, Err(ErrorCode::Invalid)),
        (r#"{"type":"resync"}"#, Ok(ClientMessage::Resync)),
        (r#"{"type":"ack","payload":{"sequence":7}}"#, Ok(ClientMessage::Ack(7))),
        (r#"{"type":"ack","payload":{"sequence":-1}}"#, Err(ErrorCode::Invalid)),
        (r#"{"type":"subscribe_devices"}"#, Err(ErrorCode::Invalid)),
        (r#"{"type":"subscribe_devices","payload":{"device_ids":"a"}}"#, Err(ErrorCode::Invalid)),
        (r#"{"type":"subscribe_devices","payload":{"device_ids":[1]}}"#, Err(ErrorCode::Invalid)),
        (r#"{"payload":{}}"#, Err(ErrorCode::Invalid)),
        (r#"{"type":"subscribe_devices","payload":[["a"]]}"#, Err(ErrorCode::Invalid)),
        (r#"["ping"]"#, Err(ErrorCode::Invalid)),
        ("", Err(ErrorCode::Invalid)),
        (&"[".repeat(50_000), Err(ErrorCode::Invalid)),
    ] {
        assert_eq!(ClientMessage::read(text), wanted, "{:.80}", text);
    }
}

fn parked() -> LastPosition {
    LastPosition {
        device_id: "d".to_owned(),
        recorded_at: Some(Timestamp::from_millis(90_000)),
        lat: -6.2,
        lng: 106.8,
        sat: Some(9),
        motion: Motion::Parked.into(),
        motion_since: Some(Timestamp::from_millis(30_500)),
        ..LastPosition::default()
    }
}

#[test]
fn device_update_uses_the_specified_field_names() {
    let now = Timestamp::from_millis(100_000);
    let sent: Value = serde_json::from_str(&device_update(&parked(), "Truck", None, now)).expect("JSON");
    let wanted = json!({"type": "device_update", "payload": {
        "id": "d", "name": "Truck", "latitude": -6.2, "longitude": 106.8, "speed": 0.0,
        "device_time": "1970-01-01T00:01:30Z", "valid": false,
        "park_info": {"since": "1970-01-01T00:00:30.500Z", "seconds": 59},
        "status": {"movement": "parked", "parking": true, "satellite_count": 9, "satellite_signal": 75.0},
    }});
    assert_eq!(sent, wanted);
    // What the fix says is one thing, what stands until somebody acknowledges it another.
    let fix = LastPosition { alarm: Some("door".to_owned()), ..parked() };
    let standing = StandingAlarm { kind: "alarm.sos".to_owned(), since: 30_500 };
    let sent: Value = serde_json::from_str(&device_update(&fix, "Truck", Some(&standing), now)).expect("JSON");
    let status = &sent["payload"]["status"];
    assert_eq!((&status["alarm"], &status["alarm_since"]), (&json!("sos"), &json!("1970-01-01T00:00:30.500Z")));
}

#[test]
fn figures_are_of_the_current_day() {
    let at = |second: i64| Timestamp::from_millis(second * 1000);
    let today = DayActivity {
        from: Some(at(60)),
        until: Some(at(86_460)),
        distance: 1_234.5,
        engine_seconds: Some(5_400.0),
        moving_seconds: 1_800.0,
        idle_seconds: 3_600.0,
        parked_seconds: 12.5,
    };
    let position = LastPosition { today: Some(today), ..parked() };
    let update_at = |now: i64| {
        let sent: Value = serde_json::from_str(&device_update(&position, "Truck", None, at(now))).expect("JSON");
        let names =
            ["mileage", "hours_today", "moves_today", "idles_today", "parks_today", "today_from", "today_until"];
        names.map(|name| sent["payload"][name].clone())
    };
    let day = [json!("1970-01-01T00:01:00Z"), json!("1970-01-02T00:01:00Z")];
    let counted = [1_234.5, 1.5, 1_800.0, 3_600.0, 12.5].map(|value| json!(value));
    assert_eq!(update_at(86_459), [&counted[..], &day[..]].concat()[..]);
    let nothing = [0.0; 5].map(|value| json!(value));
    assert_eq!(
        update_at(86_460),
        [&nothing[..], &[Value::Null, Value::Null][..]].concat()[..],
        "silent since midnight"
    );
}

#[test]
fn distinguishes_movement_updates() {
    let before = parked();
    let moved = LastPosition { lat: 1.0, speed: Some(9.0), odometer: Some(5.0), ..before.clone() };
    let later = Some(Timestamp::from_millis(before.recorded_at.unwrap_or_default().millis() + 1000));
    assert!(!only_moved(&before, &moved), "the same fix, read in another way");
    let moved = LastPosition { recorded_at: later, ..moved };
    assert!(only_moved(&before, &moved));
    assert!(!only_moved(&before, &LastPosition { ignition: Some(true), ..moved.clone() }));
    assert!(!only_moved(&before, &LastPosition { alarm: Some("sos".to_owned()), ..moved }));
}
