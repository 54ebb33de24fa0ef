//! The beginnings for roles.

use armada_identity::rules::templates::{ALL, VIEWER, find};
use armada_proto::access::{CATALOGUE, permission as p};

/// That no key is misspelt the compiler sees: each is a constant of the catalogue.
#[test]
fn keys_are_of_the_catalogue_and_stand_once() {
    for template in ALL {
        assert!(template.allows.is_sorted_by(|a, b| a < b), "{}", template.key);
        for key in template.allows {
            assert!(CATALOGUE.iter().any(|built_in| built_in.key == *key), "{key}");
        }
    }
    assert!(find(VIEWER).is_some() && find("Viewer").is_none());
}

/// What managers of a new tenant may not do: how trackers' positions come in is for its admins.
const NOT_FOR_MANAGERS: [&str; 5] =
    [p::GATEWAY_CREATE, p::GATEWAY_DELETE, p::GATEWAY_EXPORT, p::GATEWAY_LIST, p::GATEWAY_UPDATE];

#[test]
fn every_permission_is_in_a_template() {
    let manager = find("manager").expect("it is one of them").allows;
    let missing: Vec<_> = CATALOGUE
        .iter()
        .map(|built_in| built_in.key)
        .filter(|key| manager.contains(key) == NOT_FOR_MANAGERS.contains(key))
        .collect();
    assert!(missing.is_empty(), "say in `services/identity/src/templates.rs` which roles have them: {missing:?}");
}
