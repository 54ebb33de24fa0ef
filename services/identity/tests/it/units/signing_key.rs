//! When the keys that sign access tokens come and go.

use armada_identity::{
    Config,
    rules::{Schedule, SigningKey},
};

const DAY: i64 = 24 * 3600 * 1000;
const HOUR: i64 = 3600 * 1000;

fn key(generation: i32, created_at: i64) -> SigningKey {
    SigningKey { kid: format!("key-{generation}"), generation, seed: Vec::new(), created_at }
}

#[test]
fn keys_overlap() {
    let schedule = Schedule::new(&Config::default());
    assert!(schedule.is_due(&[], 0));
    let mut keys = vec![key(1, 0)];
    assert_eq!(schedule.signing(&keys, 0), 0, "the first one signs at once");
    let next = 30 * DAY - HOUR;
    assert!(!schedule.is_due(&keys, next - 1) && schedule.is_due(&keys, next));
    keys.push(key(2, next));
    assert_eq!(schedule.signing(&keys, 30 * DAY - 1), 0, "it is published before it signs");
    assert_eq!(schedule.signing(&keys, 30 * DAY), 1);
    let ended = 30 * DAY + 600_000 + HOUR;
    assert_eq!(schedule.retired(&keys, ended - 1), 0, "tokens of the first one are good");
    assert_eq!(schedule.retired(&keys, ended), 1);
    assert_eq!(schedule.retired(&keys[1..], i64::MAX / 2), 0, "the last one never");
}

#[test]
fn one_key_signs_after_a_long_pause() {
    let schedule = Schedule::new(&Config::default());
    let keys = [key(1, 0), key(2, 300 * DAY)];
    assert_eq!(schedule.signing(&keys, 300 * DAY), 0);
    assert_eq!(schedule.retired(&keys, 300 * DAY), 0);
}
