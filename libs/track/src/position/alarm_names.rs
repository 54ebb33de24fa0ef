//! The names of alarms, as a fix has them in one text.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::position::alarm_table::{says_none, urgency};

/// Characters that are looked at of a name, as many as a message has: folding makes up to 18 of one.
const FOLDED_MAX: usize = 1 << 20;

/// Bytes of the name of an alarm.
pub const MAX_ALARM_BYTES: usize = 64;
/// Alarms of one instant that are kept, those first that ask most.
pub const MAX_ALARMS: usize = 8;
/// Bytes of the alarms of an instant.
pub(crate) const MAX_ALARMS_BYTES: usize = (MAX_ALARM_BYTES + 1) * MAX_ALARMS;

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

/// In small letters of the usual width, as short and as few as are kept, without what is none; none when they are so already.
pub(crate) fn tidy_alarms(text: &str) -> Option<TidyAlarms> {
    let is_tidy = text.len() <= MAX_ALARM_BYTES
        && is_folded(text)
        && alarms(text).next().is_some()
        && !alarms(text).any(says_none)
        && alarms(text).count() <= MAX_ALARMS;
    if is_tidy {
        return None;
    }
    let folded = folded(text);
    let mut names: Vec<&str> = alarms(&folded).filter(|name| !says_none(name)).collect();
    let all = (names.len(), names.iter().map(|name| name.len()).sum::<usize>());
    names.iter_mut().for_each(|name| *name = name[..name.floor_char_boundary(MAX_ALARM_BYTES)].trim_end());
    if names.len() > MAX_ALARMS {
        names.sort_by_key(|name| rank(name));
        names.dedup();
        names.truncate(MAX_ALARMS);
    }
    let is_cut = all != (names.len(), names.iter().map(|name| name.len()).sum());
    Some(TidyAlarms { text: names.join(","), is_cut })
}

fn is_folded(text: &str) -> bool {
    !text.chars().any(char::is_uppercase) && (text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes)
}

/// In small letters, and in NFKC: `ＳＯＳ` is `sos`.
fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Some characters stand for many.
    text.nfkc().flat_map(char::to_lowercase).nfkc().take(FOLDED_MAX).collect()
}

/// In which order alarms are shown; those that ask the same by their names.
pub(crate) fn rank(name: &str) -> (usize, &str) {
    (urgency(name).unwrap_or(usize::MAX), name)
}
