//! In which order columns tell of a large fleet.

use std::time::{Duration, Instant};

use armada_bff::rules::live::{Columns, Directory, Inbox, Visibility};
use armada_proto::{DeviceId, TenantId, binding::key, v1::LiveColumns};
use prost::Message;

use super::{binding, update};

/// More than go into one message.
const DEVICES: usize = 2_500;

fn columns(devices: &[DeviceId]) -> Columns {
    let (directory, tenant) = (Directory::default(), TenantId::new());
    for (number, device) in devices.iter().enumerate() {
        let binding = binding(&format!("Truck {number}"), *device, tenant);
        directory.take(&key(&format!("{number:015}")), Some(binding));
    }
    Columns::new(Some(tenant), directory)
}

fn inbox(devices: &[DeviceId]) -> Inbox {
    let inbox = Inbox::new(true, Some(columns(devices)));
    inbox.see(Visibility::All);
    inbox
}

fn offer(inbox: &Inbox, devices: &[DeviceId]) {
    inbox.offer(&devices.iter().map(|device| update(*device, 1)).collect::<Vec<_>>());
}

/// The next message, and whether another one is due right after it.
fn next(inbox: &Inbox) -> Option<(LiveColumns, bool)> {
    let (bytes, _, at_once) = inbox.take_columns()?;
    Some((LiveColumns::decode(bytes).expect("columns"), at_once))
}

fn rows(message: &LiveColumns) -> usize {
    message.positions.as_ref().map_or(0, |positions| positions.index.len())
}

#[test]
fn the_first_vehicles_of_a_large_fleet_do_not_wait_for_the_snapshot() {
    let devices: Vec<_> = (0..DEVICES).map(|_| DeviceId::new()).collect();
    let inbox = inbox(&devices);
    let first = inbox.begin_snapshot();
    offer(&inbox, &first);
    let mut listed = 0;
    for expected in [first.len(), 0, 0] {
        let (message, _) = next(&inbox).expect("a part of the catalogue");
        listed += message.catalogue.as_ref().map_or(0, |catalogue| catalogue.index.len());
        assert_eq!(rows(&message), expected);
        assert!(message.more, "the snapshot is still to come");
    }
    assert_eq!(listed, DEVICES);
    assert_eq!(next(&inbox), None);

    offer(&inbox, &devices);
    let (message, at_once) = next(&inbox).expect("what is known of the snapshot");
    assert_eq!((rows(&message), message.more, at_once), (DEVICES - first.len(), true, false));
    inbox.end_snapshot();
    let (message, _) = next(&inbox).expect("the end");
    assert_eq!((rows(&message), message.more), (0, false));
    assert_eq!(next(&inbox), None);
}

#[test]
fn a_small_fleet_waits_for_its_snapshot() {
    let devices: Vec<_> = (0..3).map(|_| DeviceId::new()).collect();
    let inbox = inbox(&devices);
    assert_eq!(inbox.begin_snapshot(), []);
    offer(&inbox, &devices);
    inbox.end_snapshot();
    let (message, _) = next(&inbox).expect("all of it");
    assert_eq!((rows(&message), message.more), (3, false));
    assert!(message.catalogue.is_some_and(|catalogue| catalogue.complete));
}

#[test]
fn a_snapshot_does_not_repeat_what_was_sent() {
    let device = DeviceId::new();
    let (mut columns, heard, began) = (columns(&[device]), update(device, 1), Instant::now());
    columns.put(&heard);
    let (_, rows, _) = columns.take(&Visibility::All, began).expect("what was heard");
    assert_eq!(rows, 1);
    // Heard while the snapshot was asked for, it is in the snapshot as well.
    columns.put(&heard);
    let later = began + Duration::from_secs(10);
    assert!(columns.take(&Visibility::All, later).is_none());
    columns.put(&update(device, 1));
    let (_, rows, _) = columns.take(&Visibility::All, later).expect("another one");
    assert_eq!(rows, 1);
}

#[test]
fn a_tracker_without_imei_is_in_the_catalogue_by_its_name() {
    let (directory, tenant) = (Directory::default(), TenantId::new());
    for id in ["490154203237518", "TK103-12345678", "hape_Budi"] {
        directory.take(&key(id), Some(binding(id, DeviceId::new(), tenant)));
    }
    let inbox = Inbox::new(true, Some(Columns::new(Some(tenant), directory)));
    inbox.see(Visibility::All);
    inbox.begin_snapshot();
    inbox.end_snapshot();
    let (message, _) = next(&inbox).expect("all of it");
    let catalogue = message.catalogue.expect("a catalogue");
    let mut ids = catalogue.id.into_iter();
    let known_by = catalogue.imei.iter().copied().map(|imei| match imei {
        u64::MAX => ids.next().expect("as many as have no IMEI"),
        imei => imei.to_string(),
    });
    assert_eq!(known_by.collect::<Vec<_>>(), catalogue.name);
    assert_eq!(ids.next(), None);
}
