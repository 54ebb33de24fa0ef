//! What several roles allow together.

use armada_identity::rules::allowed;
use armada_proto::{access, v1::Effect};
use proptest::prelude::*;

/// The rule as one would say it, key by key.
fn expected_effect(says: &[(usize, Option<Effect>)], key: usize) -> bool {
    let speaks = |other: usize| other == key || access::wildcard_of(KEYS[key]) == Some(KEYS[other]);
    let of_key = || says.iter().filter(|(other, _)| speaks(*other)).filter_map(|(_, effect)| *effect);
    of_key().any(|effect| effect == Effect::Allow) && !of_key().any(|effect| effect == Effect::Deny)
}

const KEYS: [&str; 6] = ["a:a", "a:b", "role:list", "user:list", "user:update", "manage-users"];

proptest! {
    /// In whatever order the roles come, and however many there are.
    #[test]
    fn deny_beats_allow_beats_none(
        says in prop::collection::vec(
            (0..KEYS.len(), prop::option::of(prop_oneof![Just(Effect::Allow), Just(Effect::Deny)])),
            0..20,
        )
    ) {
        let rows = says.iter().filter_map(|(key, effect)| effect.map(|effect| (KEYS[*key], effect)));
        let allowed = allowed(rows);
        for (index, key) in KEYS.iter().enumerate() {
            prop_assert_eq!(allowed.contains(key), expected_effect(&says, index), "{}", key);
        }
    }
}
