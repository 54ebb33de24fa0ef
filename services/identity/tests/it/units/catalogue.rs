//! What the permissions of the catalogue let one do.

use armada_identity::rules::{description, is_built_in};
use armada_proto::access::{built_in_keys, permission as p};

#[test]
fn every_permission_is_described() {
    let missing: Vec<_> = built_in_keys().into_iter().filter(|key| description(key).is_empty()).collect();
    assert!(missing.is_empty(), "describe them in `services/identity/src/catalogue.rs`: {missing:?}");
    assert!(is_built_in(p::DEVICE_LIST) && !is_built_in("device:List") && !is_built_in(""));
}
