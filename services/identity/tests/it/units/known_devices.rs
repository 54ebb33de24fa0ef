//! Browsers that have signed in before.

use armada_identity::rules::{ACCOUNTS_MAX, KnownDevices, LIFE, SEPARATOR, TOKEN_CHARS};
use armada_proto::Timestamp;
use armada_runtime::Secret;

const NOW: Timestamp = Timestamp::from_millis(1_700_000_000_000);

fn known() -> KnownDevices {
    KnownDevices::new(Some(&Secret::new("x".repeat(32)))).unwrap()
}

#[test]
fn a_token_is_for_one_account_and_a_year() {
    let known = known();
    let tokens = known.renewed("", "budi@example.org", NOW).unwrap();
    assert_eq!(tokens.len(), TOKEN_CHARS);
    assert!(known.find(&tokens, "budi@example.org", NOW).is_some());
    assert!(known.find(&tokens, "sri@example.org", NOW).is_none());
    assert!(known.find(&tokens, "budi@example.org", NOW + LIFE).is_none());
    let other = KnownDevices::new(Some(&Secret::new("y".repeat(32)))).unwrap();
    assert!(other.find(&tokens, "budi@example.org", NOW).is_none());
    for forged in ["", ".", "AAAA", &tokens[1..], &format!("{tokens}AA"), &tokens.replace(&tokens[..4], "AAAA")] {
        assert!(known.find(forged, "budi@example.org", NOW).is_none(), "{forged}");
    }
}

#[test]
fn a_shared_browser_is_known_to_a_few_accounts() {
    let known = known();
    let email = |number: usize| format!("user{number}@example.org");
    let mut tokens = "nonsense.é".to_owned();
    for number in (0..ACCOUNTS_MAX + 1).chain([5]) {
        tokens = known.renewed(&tokens, &email(number), NOW).unwrap();
    }
    let found: Vec<_> =
        (0..ACCOUNTS_MAX + 1).filter(|number| known.find(&tokens, &email(*number), NOW).is_some()).collect();
    assert_eq!(found, (1..=ACCOUNTS_MAX).collect::<Vec<_>>());
    assert_eq!(tokens.split(SEPARATOR).count(), ACCOUNTS_MAX);
}
