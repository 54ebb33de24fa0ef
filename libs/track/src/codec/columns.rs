//! Positions as columns: what the codecs work on, and what readers take that want a few columns of many positions.

use crate::position::{
    enriched::{Derived, Position},
    present::*,
    report::{Report, Text},
};

/// Positions as columns. `recorded_at`, `lat`, `lng`, `present` and `derived` have a value for every row; every other
/// column holds values only for the rows whose `present` has its bit, in the order of the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Milliseconds since 1970.
    pub recorded_at: Vec<i64>,
    /// 1e-7 degrees.
    pub lat: Vec<i32>,
    /// 1e-7 degrees.
    pub lng: Vec<i32>,
    /// The bits of `PositionFrame.present`; bit 21 says that a fix came late, bits 28 to 30 are its `FixMark`, those between
    /// are the codec's own.
    pub present: Vec<u32>,
    /// What was derived.
    pub derived: Vec<Derived>,
    /// 0.1 km/h.
    pub speed: Vec<u32>,
    /// 0.1 degrees.
    pub course: Vec<u32>,
    /// 0.1 metres.
    pub alt: Vec<i32>,
    /// Satellites.
    pub sat: Vec<u32>,
    /// Metres.
    pub odometer: Vec<u64>,
    /// 0.1 litres.
    pub fuel_liter: Vec<u32>,
    /// Percent.
    pub fuel_percent: Vec<u8>,
    /// Percent.
    pub batt_percent: Vec<u8>,
    /// Percent.
    pub gsm_signal: Vec<u8>,
    /// Names of alarms.
    pub alarm: Vec<Text>,
    /// JSON objects.
    pub attrs: Vec<Text>,
}

/// A place in [`Columns`]: a row, and how many values of each optional column lie before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cursor {
    row: usize,
    before: [usize; OPTIONAL],
}

impl Columns {
    /// Of some positions.
    pub fn of<'a>(positions: impl IntoIterator<Item = &'a Position>) -> Self {
        let mut columns = Self::default();
        for position in positions {
            columns.push(position);
        }
        columns
    }

    /// Rows.
    pub fn len(&self) -> usize {
        self.recorded_at.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.recorded_at.is_empty()
    }

    /// Adds a row.
    pub fn push(&mut self, position: &Position) {
        let report = &position.report;
        self.recorded_at.push(report.recorded_at);
        self.lat.push(report.lat);
        self.lng.push(report.lng);
        self.present.push(of_position(position));
        self.derived.push(position.derived);
        self.speed.extend(report.speed);
        self.course.extend(report.course);
        self.alt.extend(report.alt);
        self.sat.extend(report.sat);
        self.odometer.extend(report.odometer);
        self.fuel_liter.extend(report.fuel_liter);
        self.fuel_percent.extend(report.fuel_percent);
        self.batt_percent.extend(report.batt_percent);
        self.gsm_signal.extend(report.gsm_signal);
        self.alarm.extend(report.alarm.clone());
        self.attrs.extend(report.attrs.clone());
    }

    /// The rows in order.
    pub fn rows(&self) -> impl Iterator<Item = Position> + '_ {
        let mut cursor = Cursor::default();
        std::iter::from_fn(move || self.read(&mut cursor))
    }

    /// Adds the rows of `other` behind its own.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.recorded_at.append(&mut other.recorded_at);
        self.lat.append(&mut other.lat);
        self.lng.append(&mut other.lng);
        self.present.append(&mut other.present);
        self.derived.append(&mut other.derived);
        self.speed.append(&mut other.speed);
        self.course.append(&mut other.course);
        self.alt.append(&mut other.alt);
        self.sat.append(&mut other.sat);
        self.odometer.append(&mut other.odometer);
        self.fuel_liter.append(&mut other.fuel_liter);
        self.fuel_percent.append(&mut other.fuel_percent);
        self.batt_percent.append(&mut other.batt_percent);
        self.gsm_signal.append(&mut other.gsm_signal);
        self.alarm.append(&mut other.alarm);
        self.attrs.append(&mut other.attrs);
    }

    /// Forgets the rows and keeps the memory.
    pub(crate) fn clear(&mut self) {
        let Self {
            recorded_at,
            lat,
            lng,
            present,
            derived,
            speed,
            course,
            alt,
            sat,
            odometer,
            fuel_liter,
            fuel_percent,
            batt_percent,
            gsm_signal,
            alarm,
            attrs,
        } = self;
        recorded_at.clear();
        lat.clear();
        lng.clear();
        present.clear();
        derived.clear();
        speed.clear();
        course.clear();
        alt.clear();
        sat.clear();
        odometer.clear();
        fuel_liter.clear();
        fuel_percent.clear();
        batt_percent.clear();
        gsm_signal.clear();
        alarm.clear();
        attrs.clear();
    }

    /// How many rows have each of the optional columns.
    pub(crate) fn counts(&self) -> [usize; OPTIONAL] {
        let mut counts = [0; OPTIONAL];
        for bits in &self.present {
            for (bit, count) in counts.iter_mut().enumerate() {
                *count += (bits >> bit & 1) as usize;
            }
        }
        counts
    }

    /// The row at the cursor, which moves on; `None` behind the last.
    #[inline]
    pub(crate) fn read(&self, cursor: &mut Cursor) -> Option<Position> {
        let mut position = Position::late(Report::new(0, 0, 0));
        self.read_into(cursor, &mut position).then_some(position)
    }

    /// Overwrites a position with the row at the cursor, which moves on; false behind the last.
    #[inline(always)]
    pub(crate) fn read_into(&self, cursor: &mut Cursor, position: &mut Position) -> bool {
        let row = cursor.row;
        let (Some(&bits), Some(derived)) = (self.present.get(row), self.derived.get(row)) else { return false };
        let (Some(&recorded_at), Some(&lat), Some(&lng)) =
            (self.recorded_at.get(row), self.lat.get(row), self.lng.get(row))
        else {
            return false;
        };
        cursor.row += 1;
        let report = &mut position.report;
        (report.recorded_at, report.lat, report.lng) = (recorded_at, lat, lng);
        read_report(bits, report);
        self.read_optional(bits, cursor, report);
        position.derived = *derived;
        position.mark = read_mark(bits);
        position.late = is_late(bits);
        true
    }

    #[inline(always)]
    fn read_optional(&self, bits: u32, cursor: &mut Cursor, report: &mut Report) {
        report.speed = cursor.next(bits, SPEED, &self.speed).copied();
        report.course = cursor.next(bits, COURSE, &self.course).copied();
        report.alt = cursor.next(bits, ALT, &self.alt).copied();
        report.sat = cursor.next(bits, SAT, &self.sat).copied();
        report.odometer = cursor.next(bits, ODOMETER, &self.odometer).copied();
        report.fuel_liter = cursor.next(bits, FUEL_LITER, &self.fuel_liter).copied();
        report.fuel_percent = cursor.next(bits, FUEL_PERCENT, &self.fuel_percent).copied();
        report.batt_percent = cursor.next(bits, BATT_PERCENT, &self.batt_percent).copied();
        report.gsm_signal = cursor.next(bits, GSM_SIGNAL, &self.gsm_signal).copied();
        report.alarm = cursor.next(bits, ALARM, &self.alarm).cloned();
        report.attrs = cursor.next(bits, ATTRS, &self.attrs).cloned();
    }
}

impl Cursor {
    /// Moves past a row of these bits without reading it.
    pub(crate) fn skip(&mut self, bits: u32) {
        self.row += 1;
        for (bit, before) in self.before.iter_mut().enumerate() {
            *before += (bits >> bit & 1) as usize;
        }
    }

    #[inline(always)]
    fn next<'a, T>(&mut self, bits: u32, bit: u32, column: &'a [T]) -> Option<&'a T> {
        if bits & bit == 0 {
            return None;
        }
        let before = &mut self.before[bit.trailing_zeros() as usize];
        *before += 1;
        column.get(*before - 1)
    }
}
