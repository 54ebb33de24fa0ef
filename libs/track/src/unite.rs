//! Fixes of one device that were recorded in the same instant are one: trackers send an alarm, or the ignition, with the time
//! of the fix before it. Whatever such fixes say is kept, and whoever meets them makes the same of them.

use crate::{
    report::{Report, Text},
    token::token,
};

/// Bytes of the name of an alarm.
pub const MAX_ALARM_BYTES: usize = 64;
/// Alarms of one instant that are kept, those first that ask most.
pub const MAX_ALARMS: usize = 8;
/// Bytes of the alarms of an instant.
pub(crate) const MAX_ALARMS_BYTES: usize = (MAX_ALARM_BYTES + 1) * MAX_ALARMS;

/// Names of alarms that ask somebody to act at once, as notification has them, in the order in which one is shown.
const URGENT: [&str; 4] = ["sos", "accident", "power_cut", "towing"];

/// Adds to `fix` what `other`, a fix of the same instant that was stored behind it, says besides. True if it says anything new
/// that is kept.
///
/// A valid place comes before one that is not, else the first; the alarms of both are united; the ignition is the one that
/// differs from `ignition_before`, that of the fix before, else the first; of everything else the first that there is. Doing it
/// again changes nothing, and what was united with one of the fixes before gives the same.
pub fn unite(fix: &mut Report, other: &Report, ignition_before: Option<bool>) -> bool {
    let mut says_more = false;
    if other.valid && !fix.valid {
        (fix.lat, fix.lng, fix.valid) = (other.lat, other.lng, true);
        says_more = true;
    }
    let switched = fix.ignition.is_some() && fix.ignition == ignition_before && fix.ignition != other.ignition;
    if other.ignition.is_some() && (fix.ignition.is_none() || switched) {
        fix.ignition = other.ignition;
        says_more = true;
    }
    says_more |= unite_alarms(&mut fix.alarm, other.alarm.as_ref());
    macro_rules! first_of {
        ($($field:ident),*) => {
            $(if fix.$field.is_none() && other.$field.is_some() {
                fix.$field.clone_from(&other.$field);
                says_more = true;
            })*
        };
    }
    first_of!(speed, course, alt, sat, odometer, fuel_liter, fuel_percent, batt_percent, gsm_signal, charge, attrs);
    says_more
}

/// The alarms that a text names, which are separated by commas.
pub fn alarms(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty())
}

/// The one of them that asks most.
pub fn first_alarm(text: &str) -> Option<&str> {
    alarms(text).min_by_key(|name| rank(name))
}

/// Alarms as they are kept, of a text that names them otherwise.
pub(crate) struct TidyAlarms {
    pub(crate) text: String,
    /// There was more.
    pub(crate) is_cut: bool,
}

/// In small letters, as short and as few as are kept; none when they are so already.
pub(crate) fn tidy_alarms(text: &str) -> Option<TidyAlarms> {
    let is_tidy = text.len() <= MAX_ALARM_BYTES
        && !text.chars().any(char::is_uppercase)
        && alarms(text).next().is_some()
        && alarms(text).count() <= MAX_ALARMS;
    if is_tidy {
        return None;
    }
    let lower = text.to_lowercase();
    let mut names: Vec<&str> = alarms(&lower).collect();
    let all = (names.len(), names.iter().map(|name| name.len()).sum::<usize>());
    names.iter_mut().for_each(|name| *name = &name[..name.floor_char_boundary(MAX_ALARM_BYTES)]);
    if names.len() > MAX_ALARMS {
        names.sort_by_key(|name| rank(name));
        names.dedup();
        names.truncate(MAX_ALARMS);
    }
    let is_cut = all != (names.len(), names.iter().map(|name| name.len()).sum());
    Some(TidyAlarms { text: names.join(","), is_cut })
}

fn unite_alarms(alarm: &mut Option<Text>, other: Option<&Text>) -> bool {
    let Some(other) = other else { return false };
    let Some(there) = alarm else {
        *alarm = Some(other.clone());
        return true;
    };
    let has = |name: &str| alarms(there).any(|known| known == name);
    if alarms(other).all(has) {
        return false;
    }
    let mut all: Vec<&str> = alarms(there).chain(alarms(other)).collect();
    all.sort_by_key(|name| rank(name));
    all.dedup();
    all.truncate(MAX_ALARMS);
    let united = all.join(",");
    let says_more = united != **there;
    if says_more {
        *alarm = Some(united.into());
    }
    says_more
}

/// In which order alarms are shown; those that ask the same by their names.
fn rank(name: &str) -> (usize, &str) {
    let place = URGENT.iter().position(|urgent| *urgent == token(name));
    (place.unwrap_or(URGENT.len()), name)
}
