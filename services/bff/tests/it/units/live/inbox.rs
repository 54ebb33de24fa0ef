//! What of positions waits for a socket.

use armada_bff::rules::live::{Inbox, Update, Visibility, VisibilityChange};
use armada_proto::{
    DeviceId,
    v1::{LastPosition, StandingAlarm},
};
use axum::extract::ws::Utf8Bytes;
use serde_json::Value;

use super::{position, update};

fn inbox(sees: Visibility, everything: bool) -> Inbox {
    let inbox = Inbox::new(everything, None);
    inbox.see(sees);
    inbox
}

fn sent(inbox: &Inbox) -> Vec<(String, String)> {
    let (_, texts) = inbox.take(usize::MAX);
    let read = |text: &Utf8Bytes| -> Value { serde_json::from_str(text).expect("JSON") };
    let time = |message: &Value| {
        let of = |part: &str, name: &str| message[part][name].as_str().map(str::to_owned);
        of("position", "recorded_at").or(of("payload", "device_time")).expect("a time")
    };
    texts.iter().map(read).map(|m| (m["type"].as_str().expect("a type").to_owned(), time(&m))).collect()
}

fn pair(kind: &str, second: u8) -> (String, String) {
    (kind.to_owned(), format!("1970-01-01T00:00:{second:02}Z"))
}

#[test]
fn keeps_the_newest_update_of_each_device() {
    let inbox = inbox(Visibility::All, true);
    let devices = [DeviceId::new(), DeviceId::new()];
    let mut conflated = 0;
    for second in 0..10 {
        for device in devices {
            conflated += inbox.offer([&update(device, second)]);
        }
    }
    conflated += inbox.offer([&update(devices[0], 3)]);
    assert_eq!((inbox.waiting(), conflated), (2, 19));
    assert_eq!(sent(&inbox), [pair("position", 9), pair("position", 9)]);
    assert_eq!(inbox.waiting(), 0);
}

#[test]
fn drops_updates_of_invisible_devices() {
    let (own, foreign) = (DeviceId::new(), DeviceId::new());
    let inbox = inbox(Visibility::Some([own].into_iter().collect()), true);
    inbox.offer([&update(own, 1), &update(foreign, 1)]);
    assert_eq!(inbox.waiting(), 1);
    assert_eq!(inbox.see(Visibility::Some([foreign].into_iter().collect())), VisibilityChange::Some(vec![foreign]));
    assert_eq!(inbox.waiting(), 0, "what was waiting is not seen any more");
    inbox.offer([&update(own, 2), &update(foreign, 2)]);
    assert_eq!(sent(&inbox), [pair("position", 2)]);
    assert_eq!(inbox.see(Visibility::All), VisibilityChange::All);
    assert_eq!(inbox.see(Visibility::All), VisibilityChange::Some(vec![]));
}

#[test]
fn subscribers_get_full_updates_then_movements() {
    let device = DeviceId::new();
    let inbox = inbox(Visibility::All, false);
    inbox.offer([&update(device, 1)]);
    assert_eq!(inbox.waiting(), 0, "nobody wants it");
    inbox.subscribe(vec![(device, "Truck".to_owned(), None)]);
    inbox.offer([&update(device, 1)]);
    assert_eq!(sent(&inbox), [pair("device_update", 1)]);
    inbox.offer([&update(device, 2)]);
    assert_eq!(sent(&inbox), [pair("device_location", 2)]);
    let changed = LastPosition { ignition: Some(true), ..position(device, 3) };
    inbox.offer([&Update::of(changed).expect("it has a device")]);
    assert_eq!(sent(&inbox), [pair("device_update", 3)]);
    inbox.rename(device, "Truck");
    assert_eq!(inbox.waiting(), 0, "the name is the same");
    inbox.rename(device, "Lorry");
    assert_eq!(sent(&inbox), [pair("device_update", 3)]);
    let sos = || Some(StandingAlarm { kind: "alarm.sos".to_owned(), since: 3000 });
    for standing in [sos(), None] {
        inbox.alarms_changed(|_| standing.clone());
        inbox.alarms_changed(|_| standing.clone());
        assert_eq!(sent(&inbox), [pair("device_update", 3)], "once for each change");
    }
    inbox.offer([&update(device, 4)]);
    inbox.unsubscribe([device]);
    assert_eq!(inbox.waiting(), 0);
}
