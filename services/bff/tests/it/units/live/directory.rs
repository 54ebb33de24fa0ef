//! What devices are called, as the bucket tells it.

use armada_bff::rules::live::{Directory, FreshnessLimits};
use armada_proto::{
    DeviceId, TenantId,
    binding::key,
    v1::{DeviceBinding, StandingAlarm, StandingAlarms},
};
use armada_track::DeviceThresholds;

use super::binding;

fn names(directory: &Directory, of: Option<TenantId>) -> Vec<(String, String)> {
    let mut names = Vec::new();
    directory.each_since(0, of, |_, _, listing| names.extend(listing.map(|it| (it.imei.to_string(), it.name.clone()))));
    names.sort();
    names
}

/// Whoever knows a version is told of what has changed since, the last change of each device alone.
#[test]
fn tells_what_has_changed_since_a_version() {
    let directory = Directory::default();
    let (tenant, device) = (TenantId::new(), DeviceId::new());
    let binding = |name, device| binding(name, device, tenant);
    let since = |version: u64| {
        let mut changed = Vec::new();
        let of = Some(tenant);
        let now =
            directory.each_since(version, of, |_, device, it| changed.push((device, it.map(|it| it.name.clone()))));
        (now, changed)
    };
    directory.take(&key("356938035643809"), Some(binding("Truck", device)));
    directory.take(&key("TK103-2"), Some(binding("Van", DeviceId::new())));
    let (version, changed) = since(0);
    assert_eq!(changed.len(), 2);
    directory.take(&key("356938035643809"), Some(binding("Lorry", device)));
    directory.take(&key("356938035643809"), Some(binding("Tanker", device)));
    let (version, changed) = since(version);
    assert_eq!(changed, [(device, Some("Tanker".to_owned()))]);
    directory.take(&key("TK103-2"), Some(binding("Van", device)));
    let (version, changed) = since(version);
    assert!(changed.iter().any(|(_, name)| name.is_none()), "the other van is gone");
    assert_eq!(since(version), (version, Vec::new()));
}

#[test]
fn a_device_keeps_its_place_when_its_imei_changes() {
    let directory = Directory::default();
    let (tenant, other, device) = (TenantId::new(), TenantId::new(), DeviceId::new());
    directory.take(&key("356938035643809"), Some(binding("Truck", device, tenant)));
    directory.take(&key("TK103-2"), Some(binding("Lorry", device, tenant)));
    directory.take(&key("356938035643809"), None);
    assert_eq!(names(&directory, Some(tenant)), [("TK103-2".to_owned(), "Lorry".to_owned())]);
    // The tracker was resold.
    directory.take(&key("TK103-2"), Some(binding("Van", DeviceId::new(), other)));
    assert_eq!(names(&directory, Some(tenant)), []);
    assert_eq!(names(&directory, None), [("TK103-2".to_owned(), "Van".to_owned())]);
    directory.take(&key("TK103-2"), None);
    assert_eq!(names(&directory, None), []);
}

#[test]
fn stores_only_non_default_freshness_limits() {
    let directory = Directory::default();
    let (tenant, device) = (TenantId::new(), DeviceId::new());
    let of = |thresholds: DeviceThresholds| {
        let binding = binding("Truck", device, tenant);
        directory.take(&key("356938035643809"), Some(DeviceBinding { thresholds: thresholds.to_binding(), ..binding }));
        directory.ages(tenant, device)
    };
    let usual = DeviceThresholds::DEFAULT;
    assert_eq!(of(usual), None);
    assert_eq!(of(DeviceThresholds { moving_speed: 9, ..usual }), None);
    let other = of(DeviceThresholds { offline_seconds: 900, ..usual });
    assert_eq!(other, Some(FreshnessLimits { stale_seconds: 300, offline_seconds: 900 }));
    assert_eq!(directory.ages(TenantId::new(), device), None);
}

#[test]
fn alarms_and_devices_arrive_in_any_order() {
    let directory = Directory::default();
    let (tenant, device) = (TenantId::new(), DeviceId::new());
    let kinds = || {
        let mut kinds = Vec::new();
        directory.each_since(0, Some(tenant), |_, _, listing| {
            kinds.extend(listing.into_iter().flat_map(|it| it.alarms.iter().map(|it| it.kind.clone())));
        });
        kinds
    };
    let standing = |kinds: &[&str]| StandingAlarms {
        tenant_id: tenant.to_string(),
        alarms: kinds.iter().map(|kind| StandingAlarm { kind: (*kind).to_owned(), since: 1 }).collect(),
    };
    directory.raise(&device.to_string(), Some(standing(&["alarm.sos"])));
    assert_eq!(kinds(), [""; 0]);
    directory.take(&key("356938035643809"), Some(binding("Truck", device, tenant)));
    assert_eq!(kinds(), ["alarm.sos"]);
    directory.raise(&device.to_string(), Some(standing(&["alarm.sos", "alarm.door"])));
    assert_eq!(kinds(), ["alarm.sos", "alarm.door"]);
    assert_eq!(directory.alarm(device).map(|alarm| alarm.kind), Some("alarm.sos".to_owned()));
    directory.raise(&device.to_string(), None);
    assert_eq!(kinds(), [""; 0]);
    assert_eq!(directory.alarm(device), None);
}
