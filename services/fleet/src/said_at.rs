//! When something was, as somebody says it.

use armada_proto::{Timestamp, Violations};

/// How far a clock of a browser may be before ours.
const CLOCKS_MS: i64 = 60_000;

/// When something was that is said to have been at `at`, or just now; milliseconds since 1970. What is wrong with that is added
/// to the violations of its field.
pub fn said_at(field: &str, at: Option<Timestamp>, now: i64, violations: &mut Violations) -> i64 {
    let at = at.map_or(now, Timestamp::millis);
    if at > now.saturating_add(CLOCKS_MS) {
        violations.add(field, "in_the_future");
    }
    if at < 0 {
        violations.add(field, "too_early");
    }
    at.min(now)
}
