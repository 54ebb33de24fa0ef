//! Fixes of one device that were recorded in the same instant are one: trackers send an alarm, or the ignition, with the time
//! of the fix before it. Whatever such fixes say is kept, and whoever meets them makes the same of them.

use crate::position::{
    alarm_names::{MAX_ALARMS, alarms, rank},
    report::{Report, Text},
};

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
