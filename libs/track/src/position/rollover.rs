//! Clocks that have lost weeks. GPS counts weeks in ten bits: after 1,024 of them the number begins anew, and a receiver that
//! does not know how often it has done so says a time that is 19.6 years, or a multiple of that, before the right one.

/// After so many milliseconds the week number of GPS begins anew.
pub const ROLLOVER_MS: i64 = 1_024 * 7 * DAY_MS;
/// How far the time of a fix whose clock has lost weeks may be from its reception when they are added, either way.
const DAY_MS: i64 = 24 * 3_600 * 1_000;
/// 1980-01-06, milliseconds since 1970: no week has a number below 0.
const FIRST_WEEK_MS: i64 = 315_964_800_000;

/// How many milliseconds the clock has lost that says `recorded_at` of a fix that was received then, both in milliseconds since
/// 1970: a multiple of 1,024 weeks with which the fix is of the day of its reception. Of nearly all fixes one comparison.
pub(crate) fn weeks_lost(recorded_at: i64, received_at: i64) -> Option<i64> {
    let behind = received_at.saturating_sub(recorded_at);
    if behind < ROLLOVER_MS - DAY_MS || recorded_at < FIRST_WEEK_MS {
        return None;
    }
    let lost = behind.saturating_add(DAY_MS) / ROLLOVER_MS * ROLLOVER_MS;
    (behind - lost <= DAY_MS).then_some(lost)
}
