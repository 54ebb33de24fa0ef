//! The bits that say what a row has. The lower ones are those of `PositionFrame.present`; the codecs of this crate add
//! what was derived. Stored, so never to be renumbered.

use crate::{
    position::{
        enriched::{Derived, FixMark, Motion, Position},
        report::Report,
    },
    wire::bytes::{mix, word_of},
};

pub(crate) const SPEED: u32 = 1 << 0;
pub(crate) const COURSE: u32 = 1 << 1;
pub(crate) const ALT: u32 = 1 << 2;
pub(crate) const SAT: u32 = 1 << 3;
pub(crate) const ODOMETER: u32 = 1 << 4;
pub(crate) const FUEL_LITER: u32 = 1 << 5;
pub(crate) const FUEL_PERCENT: u32 = 1 << 6;
pub(crate) const BATT_PERCENT: u32 = 1 << 7;
pub(crate) const GSM_SIGNAL: u32 = 1 << 8;
pub(crate) const ALARM: u32 = 1 << 9;
pub(crate) const ATTRS: u32 = 1 << 10;
/// How many of the bits above have a column.
pub(crate) const OPTIONAL: usize = 11;

const INVALID: u32 = 1 << 16;
const IGNITION_KNOWN: u32 = 1 << 17;
const IGNITION_ON: u32 = 1 << 18;
const CHARGE_KNOWN: u32 = 1 << 19;
const CHARGING: u32 = 1 << 20;

/// In what the receiver writes, and in the codecs of this crate: the highest, as no gateway sends it.
const CLOCK_CORRECTED: u32 = 1 << 31;

// Only in the codecs of this crate.
const LATE: u32 = 1 << 21;
pub(crate) const DERIVED: u32 = 1 << 22;
const MOTION_SHIFT: u32 = 23;
const MOTION_MASK: u32 = 3 << MOTION_SHIFT;
const CARRIED_KNOWN: u32 = 1 << 25;
const CARRIED_ON: u32 = 1 << 26;
pub(crate) const ANCHOR: u32 = 1 << 27;
const MARK_SHIFT: u32 = 28;
const MARK_MASK: u32 = 7 << MARK_SHIFT;

fn flag(bit: u32, set: bool) -> u32 {
    if set { bit } else { 0 }
}

fn tristate(known: u32, on: u32, value: Option<bool>) -> u32 {
    value.map_or(0, |value| known | flag(on, value))
}

fn read_tristate(bits: u32, known: u32, on: u32) -> Option<bool> {
    (bits & known != 0).then_some(bits & on != 0)
}

/// The bits of a report.
pub(crate) fn of_report(report: &Report) -> u32 {
    flag(SPEED, report.speed.is_some())
        | flag(COURSE, report.course.is_some())
        | flag(ALT, report.alt.is_some())
        | flag(SAT, report.sat.is_some())
        | flag(ODOMETER, report.odometer.is_some())
        | flag(FUEL_LITER, report.fuel_liter.is_some())
        | flag(FUEL_PERCENT, report.fuel_percent.is_some())
        | flag(BATT_PERCENT, report.batt_percent.is_some())
        | flag(GSM_SIGNAL, report.gsm_signal.is_some())
        | flag(ALARM, report.alarm.is_some())
        | flag(ATTRS, report.attrs.is_some())
        | flag(INVALID, !report.valid)
        | tristate(IGNITION_KNOWN, IGNITION_ON, report.ignition)
        | tristate(CHARGE_KNOWN, CHARGING, report.charge)
        | flag(CLOCK_CORRECTED, report.clock_corrected)
}

/// The bits of a position.
pub(crate) fn of_position(position: &Position) -> u32 {
    of_report(&position.report)
        | flag(LATE, position.late)
        | of_derived(&position.derived)
        | (position.mark as u32) << MARK_SHIFT
}

/// The bits of the derived values.
pub(crate) fn of_derived(derived: &Derived) -> u32 {
    flag(DERIVED, derived.is_present())
        | (derived.motion as u32) << MOTION_SHIFT
        | tristate(CARRIED_KNOWN, CARRIED_ON, derived.ignition)
        | flag(ANCHOR, derived.anchor)
}

/// Sets what of a report stands in the bits alone.
pub(crate) fn read_report(bits: u32, report: &mut Report) {
    report.valid = bits & INVALID == 0;
    report.ignition = read_tristate(bits, IGNITION_KNOWN, IGNITION_ON);
    report.charge = read_tristate(bits, CHARGE_KNOWN, CHARGING);
    report.clock_corrected = bits & CLOCK_CORRECTED != 0;
}

/// What of the derived values stands in the bits alone.
pub(crate) fn read_derived(bits: u32) -> Derived {
    let motion = match (bits & MOTION_MASK) >> MOTION_SHIFT {
        1 => Motion::Moving,
        2 => Motion::Idle,
        3 => Motion::Parked,
        _ => Motion::Unspecified,
    };
    let ignition = read_tristate(bits, CARRIED_KNOWN, CARRIED_ON);
    Derived { motion, ignition, anchor: bits & ANCHOR != 0, ..Derived::default() }
}

/// The mark of a fix; one that a later version knows is none here.
pub(crate) fn read_mark(bits: u32) -> FixMark {
    match (bits & MARK_MASK) >> MARK_SHIFT {
        1 => FixMark::Jump,
        2 => FixMark::FewSatellites,
        3 => FixMark::Stuck,
        4 => FixMark::Clock,
        6 => FixMark::CellTower,
        _ => FixMark::Unspecified,
    }
}

/// Whether the bits are of a late fix.
pub(crate) fn is_late(bits: u32) -> bool {
    bits & LATE != 0
}

/// A hash of what a report says besides its time: equal for reports of the same content. It is part of a checkpoint,
/// so it must stay the same on every machine and in every version.
pub(crate) fn content_hash(report: &Report) -> u32 {
    let pair = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    let mut hash = mix(0, u64::from(of_report(report)));
    if report.valid {
        hash = mix(hash, pair(report.lat as u32, report.lng as u32));
    }
    hash = mix(hash, pair(report.speed.unwrap_or(0), report.course.unwrap_or(0)));
    hash = mix(hash, pair(report.alt.unwrap_or(0) as u32, report.sat.unwrap_or(0)));
    hash = mix(hash, report.odometer.unwrap_or(0));
    let percents =
        [0, report.fuel_percent.unwrap_or(0), report.batt_percent.unwrap_or(0), report.gsm_signal.unwrap_or(0)];
    hash = mix(hash, pair(report.fuel_liter.unwrap_or(0), u32::from_be_bytes(percents)));
    for text in [&report.alarm, &report.attrs].into_iter().flatten() {
        hash = mix(hash, text.len() as u64);
        for word in text.as_bytes().chunks(8) {
            hash = mix(hash, word_of(word));
        }
    }
    (hash ^ (hash >> 32)) as u32
}
