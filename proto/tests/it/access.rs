//! Who may call which method, and the catalogue of permissions.

use std::collections::BTreeSet;

use armada_proto::access::{
    CATALOGUE, MANAGE_INVOICES, MANAGE_ROLES, MANAGE_USERS, METHODS, Rule, built_in_keys, permission, rule, under,
    wildcard_of,
};

#[test]
fn every_method_has_its_rule() {
    assert!(METHODS.is_sorted_by_key(|(path, _)| path) && METHODS.len() > 50);
    assert_eq!(rule("/armada.v1.Devices/List"), Some(Rule::Permission(permission::DEVICE_LIST)));
    assert_eq!(rule("/armada.v1.Sessions/Login"), Some(Rule::Public));
    assert_eq!(rule("/armada.v1.Tenants/Delete"), Some(Rule::PlatformOwner));
    assert_eq!(rule("/armada.v1.Thresholds/Get"), Some(Rule::Permission(permission::THRESHOLD_LIST)));
    assert_eq!(rule("/armada.v1.Thresholds/Update"), Some(Rule::Permission(permission::THRESHOLD_UPDATE)));
    assert_eq!(rule("/armada.v1.Addresses/Lookup"), rule("/armada.v1.Positions/Last"), "for who may see positions");
    assert_eq!(rule("/armada.v1.Devices/list"), None);
}

#[test]
fn wildcard_covers_a_module() {
    assert_eq!(wildcard_of(permission::USER_LIST), Some(MANAGE_USERS));
    assert_eq!(wildcard_of(permission::DEVICE_LIST), None);
    assert_eq!(wildcard_of(MANAGE_USERS), None);
    let roles: Vec<_> = under(MANAGE_ROLES).collect();
    assert_eq!(
        roles,
        [permission::ROLE_CREATE, permission::ROLE_DELETE, permission::ROLE_LIST, permission::ROLE_UPDATE]
    );
    assert_eq!(under(permission::ROLE_LIST).count() + under("manage-").count(), 0);
    assert!(built_in_keys().is_sorted() && built_in_keys().contains(&MANAGE_INVOICES));
}

#[test]
fn catalogue_covers_every_guarded_method() {
    let devices = CATALOGUE.iter().find(|built_in| built_in.key == permission::DEVICE_LIST).expect("there");
    let of_meters = ["Get", "OfDay", "Corrections"].map(|method| format!("/armada.v1.Meters/{method}"));
    let of_trackers = ["/armada.v1.TrackerReplacements/List".to_owned()];
    let of_devices = ["List", "Get", "Groups", "Rules"].map(|method| format!("/armada.v1.Devices/{method}"));
    assert_eq!(devices.methods, [&of_meters[..], &of_trackers[..], &of_devices[..]].concat());
    let guarded = METHODS.iter().filter(|(_, rule)| matches!(rule, Rule::Permission(_))).count();
    let named: BTreeSet<_> = CATALOGUE.iter().flat_map(|built_in| built_in.methods).collect();
    assert_eq!(named.len(), guarded);
    let stops_engines = CATALOGUE.iter().find(|built_in| built_in.key == permission::COMMAND_ENGINE).expect("there");
    let methods = ["/armada.v1.Commands/Create", "/armada.v1.Commands/Send"];
    assert_eq!(stops_engines.methods, methods, "asked for of some of their requests");
}
