//! What a visitor of a share link is shown.

use armada_bff::rules::live::{FreshnessLimits, Shown, Update};
use armada_proto::{
    DeviceId, Timestamp,
    v1::{LastPosition, OpenedShareLink},
};
use serde_json::{Value, json};

fn opened(devices: &[(DeviceId, &str)]) -> OpenedShareLink {
    OpenedShareLink {
        id: "link".to_owned(),
        tenant_id: "tenant".to_owned(),
        user_id: "maker".to_owned(),
        expires_at: Some(Timestamp::from_millis(60_000)),
        device_ids: devices.iter().map(|(id, _)| id.to_string()).collect(),
        names: devices.iter().map(|(_, name)| (*name).to_owned()).collect(),
        ..OpenedShareLink::default()
    }
}

fn usual(_: DeviceId) -> Option<FreshnessLimits> {
    None
}

fn read(message: &str) -> Value {
    serde_json::from_str(message).expect("JSON")
}

#[test]
fn shared_view_exposes_names_and_locations_only() {
    let (truck, bus) = (DeviceId::new(), DeviceId::new());
    let position = LastPosition {
        device_id: truck.to_string(),
        recorded_at: Some(Timestamp::from_millis(1_000)),
        lat: -6.2,
        lng: 106.8,
        speed: Some(41.5),
        course: Some(270.0),
        alarm: Some("sos".to_owned()),
        attrs: Some("{\"driver\":\"Budi\"}".to_owned()),
        ..LastPosition::default()
    };
    let update = Update::of(position).expect("it has a device");
    let mut shown = Shown::default();
    assert!(shown.replace(opened(&[(bus, "Bus"), (truck, "Truck")]), usual));
    let vehicles = shown.vehicles(|device| (device == truck).then(|| update.clone()));
    let at = json!({
        "number": 1, "recorded_at": "1970-01-01T00:00:01Z", "lat": -6.2, "lng": 106.8, "speed": 41.5,
        "course": 270.0, "motion": "unspecified",
    });
    let payload = json!({
        "vehicles": [{ "number": 0, "name": "Bus" }, { "number": 1, "name": "Truck", "position": at.clone() }],
        "expires_at": "1970-01-01T00:01:00Z",
    });
    assert_eq!(read(&vehicles), json!({ "type": "vehicles", "payload": payload }));
    let positions = shown.positions(&[update]);
    assert_eq!(read(&positions), json!({ "type": "positions", "payload": { "positions": [at] } }));
}

#[test]
fn numbers_are_never_reused() {
    let [first, second, third] = [DeviceId::new(), DeviceId::new(), DeviceId::new()];
    let mut shown = Shown::default();
    shown.replace(opened(&[(first, "A"), (second, "B")]), usual);
    assert!(!shown.replace(opened(&[(first, "A"), (second, "B")]), usual), "it is the same");
    assert!(shown.replace(opened(&[(second, "B"), (third, "C")]), usual));
    assert_eq!(shown.devices().map(|device| shown.number(device)).collect::<Vec<_>>(), [1, 2]);
    assert!(shown.replace(opened(&[(second, "Z"), (third, "C")]), usual), "it is called otherwise");
}

#[test]
fn sends_non_default_freshness_limits() {
    let [truck, bus] = [DeviceId::new(), DeviceId::new()];
    let mut shown = Shown::default();
    shown.replace(opened(&[(truck, "Truck"), (bus, "Bus")]), usual);
    let aged = |device| (device == truck).then_some(FreshnessLimits { stale_seconds: 60, offline_seconds: 90 });
    assert!(shown.replace(opened(&[(truck, "Truck"), (bus, "Bus")]), aged), "they have changed");
    let vehicles = json!([
        { "number": 0, "name": "Truck", "stale_seconds": 60, "offline_seconds": 90 },
        { "number": 1, "name": "Bus" },
    ]);
    assert_eq!(read(&shown.vehicles(|_| None))["payload"]["vehicles"], vehicles);
}
