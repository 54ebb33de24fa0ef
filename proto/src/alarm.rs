//! Which alarms of vehicles stand: the bucket that notification fills, and that whoever shows or counts vehicles follows. A
//! key is the id of a device, a value a coded [`crate::v1::StandingAlarms`]; there is none for a device of which none stands.

/// Name of the bucket.
pub const BUCKET: &str = "alarms";

/// What an alarm is called, by the kind of its events: `sos` of `alarm.sos`, as a tracker names it.
pub fn name_of(kind: &str) -> &str {
    kind.split_once('.').map_or(kind, |(_, name)| name)
}
