//! The beginnings for roles.

use armada_identity::rules::templates::{ALL, VIEWER, find};
use armada_proto::access::CATALOGUE;

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
