//! What the numbers of a report can be, in the units in which it keeps them, and what trackers send for "unknown".

use crate::position::left_out::{Field, Flaw, LeftOut};

/// A number of a report.
pub(crate) struct Number {
    field: Field,
    min: i64,
    max: i64,
    /// Registers full of ones, in the units that gateways take them for: as good as nothing.
    unknown: &'static [i64],
}

/// A register of 16 and of 32 bits, each as it is and as tenths.
const U16: i64 = 0xffff;
const U32: i64 = 0xffff_ffff;

/// The fastest that a fix may claim, in km/h: airliners pass, the 1,023 knots of a register full of ones do not.
pub(crate) const MAX_SPEED_KMH: u32 = 1_000;
/// The most fuel, in 0.1 litres.
pub(crate) const MAX_FUEL_DL: u32 = 10_000_000;

/// 0.1 km/h.
pub(crate) const SPEED: Number =
    Number { field: Field::Speed, min: 0, max: MAX_SPEED_KMH as i64 * 10, unknown: &[U16, U16 * 10, U32, U32 * 10] };
/// 0.1 degrees. Any turn is taken modulo a full one.
pub(crate) const COURSE: Number = Number {
    field: Field::Course,
    min: i32::MIN as i64,
    max: i32::MAX as i64,
    unknown: &[U16, U16 * 10, U32, U32 * 10],
};
/// 0.1 metres.
pub(crate) const ALT: Number = Number {
    field: Field::Alt,
    min: -1_000_000,
    max: 1_000_000,
    unknown: &[-0x8000 * 10, 0x7fff * 10, U16 * 10, U32, U32 * 10],
};
/// Satellites.
pub(crate) const SAT: Number = Number { field: Field::Sat, min: 0, max: 1_000, unknown: &[0xff, U16, U32] };
/// Metres; the register may have counted tenths of kilometres, or kilometres.
pub(crate) const ODOMETER: Number =
    Number { field: Field::Odometer, min: 0, max: 100_000_000_000, unknown: &[U32, U32 * 10, U32 * 100, U32 * 1000] };
/// 0.1 litres.
pub(crate) const FUEL_LITER: Number =
    Number { field: Field::FuelLiter, min: 0, max: MAX_FUEL_DL as i64, unknown: &[U16, U16 * 10, U32, U32 * 10] };
/// Per cent.
pub(crate) const FUEL_PERCENT: Number = percent(Field::FuelPercent);
/// Per cent.
pub(crate) const BATT_PERCENT: Number = percent(Field::BattPercent);
/// Per cent.
pub(crate) const GSM_SIGNAL: Number = percent(Field::GsmSignal);

const fn percent(field: Field) -> Number {
    Number { field, min: 0, max: 100, unknown: &[0xff, U16, U32] }
}

impl Number {
    /// The value as it is kept. What is unknown is nothing, and what cannot be is nothing and noted.
    #[inline]
    pub(crate) fn read(&self, value: Option<i64>, left_out: &mut LeftOut) -> Option<i64> {
        let value = value?;
        if self.unknown.contains(&value) {
            return None;
        }
        if (self.min..=self.max).contains(&value) {
            return Some(value);
        }
        left_out.add(self.field, Flaw::OutOfRange);
        None
    }

    /// The same of a number in other units, of which there are so many in one that is kept.
    pub(crate) fn read_scaled(&self, value: Option<f64>, scale: f64, left_out: &mut LeftOut) -> Option<i64> {
        // What is no number is the largest there is, and so out of range; conversions of the others do not wrap around.
        let whole = |value: f64| if value.is_nan() { i64::MAX } else { (value * scale).round() as i64 };
        self.read(value.map(whole), left_out)
    }
}

/// A course within one turn, in 0.1 degrees.
pub(crate) fn within_a_turn(course: i64) -> u32 {
    course.rem_euclid(3_600) as u32
}
