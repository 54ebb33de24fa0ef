//! Where gateways may hear their answers.

use armada_proto::gateway::{ANONYMOUS, is_inbox_of};

#[test]
fn gateway_inbox_is_its_own() {
    assert!(is_inbox_of("_INBOX_depot.x.1", "depot") && is_inbox_of("_INBOX.x.1", ANONYMOUS));
    for (reply, gateway) in [
        ("_INBOX_depot", "depot"),
        ("_INBOX_depot.", "depot"),
        ("_INBOX_depot2.x", "depot"),
        ("_INBOX.x", "depot"),
        ("_INBOX_local.x", ANONYMOUS),
        ("_INBOX_fleet.x", ANONYMOUS),
        ("_INBOX_depot.>", "depot"),
        ("$KV.policies.x", "depot"),
        ("$KV.policies.x", ANONYMOUS),
        ("", ""),
    ] {
        assert!(!is_inbox_of(reply, gateway), "{reply} {gateway}");
    }
}
