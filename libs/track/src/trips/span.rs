//! Which part of a track is meant.

use armada_proto::Timestamp;

const DAY_MS: i64 = 24 * 3600 * 1000;

/// From when until before when a track is asked for: without `to` until now, without `from` the day before `to`.
pub fn track_span(from: Option<Timestamp>, to: Option<Timestamp>, now: Timestamp) -> (Timestamp, Timestamp) {
    let to = to.unwrap_or(now);
    (from.unwrap_or(Timestamp::from_millis(to.millis().saturating_sub(DAY_MS))), to)
}
