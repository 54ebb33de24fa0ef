//! From what a sensor says to litres: points of a table, measured when the sensor was built in, and straight lines between
//! them.

use std::{fmt, ops::RangeInclusive, str::FromStr};

/// Points of a table.
const POINTS: RangeInclusive<usize> = 2..=100;
/// What a sensor may say.
const RAW: RangeInclusive<f64> = -1e9..=1e9;
/// Litres of a point.
const LITRES: RangeInclusive<f64> = 0.0..=100_000.0;

/// A point of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FuelPoint {
    /// What the sensor says.
    pub raw: f64,
    /// How much is in the tank then, litres.
    pub litres: f64,
}

/// What a sensor says and how many litres that are: no points, or 2 to 100 in the order of what it says. As text
/// `0 0; 512 30.5; 1023 60`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FuelTable(Vec<FuelPoint>);

/// Why something is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FuelTableError {
    /// What stands for a point is not two numbers, or the first is not between -1e9 and 1e9.
    #[error("a point is two numbers")]
    Unreadable,
    /// One point, or more than 100.
    #[error("a table has 2 to 100 points")]
    Points,
    /// Less than nothing, or more than 100,000 litres.
    #[error("litres are between 0 and 100,000")]
    Litres,
    /// A point does not say more than the one before it.
    #[error("what the sensor says ascends")]
    Order,
}

impl FuelTableError {
    /// As it is told of a field.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unreadable => "fuel_table_unreadable",
            Self::Points => "fuel_table_points",
            Self::Litres => "fuel_table_litres",
            Self::Order => "fuel_table_order",
        }
    }
}

impl FuelTable {
    /// Without points.
    pub const NONE: Self = Self(Vec::new());

    /// Of these points; of none it is no table.
    pub fn new(points: Vec<FuelPoint>) -> Result<Self, FuelTableError> {
        if points.is_empty() {
            return Ok(Self::NONE);
        }
        if !POINTS.contains(&points.len()) {
            return Err(FuelTableError::Points);
        }
        if !points.iter().all(|point| RAW.contains(&point.raw)) {
            return Err(FuelTableError::Unreadable);
        }
        if !points.iter().all(|point| LITRES.contains(&point.litres)) {
            return Err(FuelTableError::Litres);
        }
        if !points.is_sorted_by(|before, after| before.raw < after.raw) {
            return Err(FuelTableError::Order);
        }
        Ok(Self(points))
    }

    /// The points, in the order of what the sensor says.
    pub fn points(&self) -> &[FuelPoint] {
        &self.0
    }

    /// Whether it has no points.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Litres where the sensor says `raw`: those of the nearest point where it says less or more than all of them; none
    /// without points.
    pub fn litres(&self, raw: f64) -> Option<f64> {
        let above = self.0.partition_point(|point| point.raw <= raw);
        let below = above.checked_sub(1).and_then(|place| self.0.get(place));
        match (below, self.0.get(above)) {
            (Some(low), Some(high)) => Some(between(low, high, raw)),
            (Some(end), None) | (None, Some(end)) => Some(end.litres),
            (None, None) => None,
        }
    }

    /// The most litres that it knows.
    pub fn most(&self) -> Option<f64> {
        self.0.iter().map(|point| point.litres).reduce(f64::max)
    }
}

fn between(low: &FuelPoint, high: &FuelPoint, raw: f64) -> f64 {
    let part = (raw - low.raw) / (high.raw - low.raw);
    let litres = low.litres + (high.litres - low.litres) * part;
    litres.clamp(low.litres.min(high.litres), low.litres.max(high.litres))
}

impl FromStr for FuelTable {
    type Err = FuelTableError;

    /// A comma may stand in the place of the point of a decimal number.
    fn from_str(text: &str) -> Result<Self, FuelTableError> {
        let points = text.split(';').map(str::trim).filter(|point| !point.is_empty());
        Self::new(points.map(point).collect::<Result<_, _>>()?)
    }
}

fn point(text: &str) -> Result<FuelPoint, FuelTableError> {
    let mut numbers = text.split_whitespace().map(number);
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Some(raw)), Some(Some(litres)), None) => Ok(FuelPoint { raw, litres }),
        _ => Err(FuelTableError::Unreadable),
    }
}

/// There is one zero alone, so that equal tables have equal texts.
fn number(text: &str) -> Option<f64> {
    let number: f64 = text.replace(',', ".").parse().ok()?;
    number.is_finite().then_some(number + 0.0)
}

impl fmt::Display for FuelTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, FuelPoint { raw, litres }) in self.0.iter().enumerate() {
            let between = if place == 0 { "" } else { "; " };
            write!(f, "{between}{raw} {litres}")?;
        }
        Ok(())
    }
}
