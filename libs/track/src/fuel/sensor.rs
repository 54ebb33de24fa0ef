//! Which of the values that a tracker says is its fuel, and how much that is.
//!
//! With a **calibration table** litres come from it. Without one they are the tracker's own litres, its per cent of the tank,
//! or an attribute that says litres, as is chosen; a tracker that says per cent alone has litres where its tank is known. **Per
//! cent** are the tracker's own, but for what comes from a table or an attribute: those are litres of the tank, or, where that
//! is not known, of the most that the table knows.

use armada_proto::v1::{self, FuelSource, LastPosition};
use serde_json::Value;

use super::calibration::{FuelPoint, FuelTable};
use crate::{
    position::{report::Report, values::MAX_FUEL_DL},
    wire::bytes::checksum,
};

/// How the fuel of a device is read. Nothing is stored by it: what was reported is read by what holds now.
#[derive(Clone, Debug, PartialEq)]
pub struct FuelSensor {
    source: FuelSource,
    /// The name of the value among the attributes.
    attribute: String,
    /// 0.1 litres; 0 for unknown.
    tank_dl: u32,
    table: FuelTable,
    /// Tells it from others.
    fingerprint: u32,
}

/// How much fuel there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FuelLevel {
    /// 0.1 litres; none where that is not known.
    pub litres: Option<u32>,
    /// Whole per cent; none where that is not known.
    pub percent: Option<u8>,
}

/// As trackers say it themselves, of a tank that is not known.
static PLAIN: FuelSensor = FuelSensor {
    source: FuelSource::Liter,
    attribute: String::new(),
    tank_dl: 0,
    table: FuelTable::NONE,
    fingerprint: 0,
};

impl FuelSensor {
    /// Of a tank of so many litres, 0 for unknown.
    pub fn new(source: FuelSource, attribute: String, tank: u32, table: FuelTable) -> Self {
        let tank_dl = tank.saturating_mul(10).min(MAX_FUEL_DL);
        let text = format!("{} {tank_dl} {table} {attribute}", i32::from(source));
        Self { source, attribute, tank_dl, table, fingerprint: checksum(text.as_bytes()) }
    }

    /// As trackers say it themselves, of a tank that is not known.
    pub fn plain() -> &'static Self {
        &PLAIN
    }

    /// As it stands in a binding, where a plain one is left out.
    pub fn of_binding(binding: Option<v1::FuelSensor>) -> Option<Self> {
        let v1::FuelSensor { source, attribute, tank, raw, litres } = binding?;
        let points = raw.into_iter().zip(litres).map(|(raw, litres)| FuelPoint { raw, litres });
        let table = FuelTable::new(points.collect()).unwrap_or_default();
        Some(Self::new(FuelSource::try_from(source).unwrap_or_default(), attribute, tank, table))
    }

    /// As it stands in a binding.
    pub fn to_binding(&self) -> Option<v1::FuelSensor> {
        let Self { source, attribute, tank_dl, table, .. } = self;
        let is_plain = self.is_of_tracker() && *tank_dl == 0 && table.is_empty();
        let points = table.points().iter();
        (!is_plain).then(|| v1::FuelSensor {
            source: (*source).into(),
            attribute: attribute.clone(),
            tank: tank_dl / 10,
            raw: points.clone().map(|point| point.raw).collect(),
            litres: points.map(|point| point.litres).collect(),
        })
    }

    /// How much there is at a fix.
    pub fn level(&self, report: &Report) -> FuelLevel {
        let litres = self.litres(report);
        let is_reported = self.table.is_empty() && self.source != FuelSource::Attribute;
        let reported = report.fuel_percent.filter(|_| is_reported);
        let percent = reported.or_else(|| litres.and_then(|litres| self.percent(litres)));
        FuelLevel { litres, percent }
    }

    /// Puts how much there is in the place of what was reported.
    pub fn show(&self, report: &mut Report) {
        let FuelLevel { litres, percent } = self.level(report);
        (report.fuel_liter, report.fuel_percent) = (litres, percent);
    }

    /// The same in the newest position of a device, of which this was reported.
    pub fn show_last(&self, report: &Report, shown: &mut LastPosition) {
        let FuelLevel { litres, percent } = self.level(report);
        shown.fuel_liter = litres.map(|litres| f64::from(litres) / 10.0);
        shown.fuel_percent = percent.map(f64::from);
    }

    /// 0.1 litres of a full tank, as far as is known; else 0.
    pub(super) fn full_dl(&self) -> u32 {
        match self.tank_dl {
            0 => self.table.most().map_or(0, decilitres),
            tank => tank,
        }
    }

    /// Whether so many tenths of a litre are an end of what it can say, as a sensor says that has failed: nothing, and as much as a
    /// full tank has; with a table its lowest and its highest litres.
    pub(super) fn is_at_end(&self, litres: u32) -> bool {
        let points = || self.table.points().iter().map(|point| decilitres(point.litres));
        match (points().min(), points().max()) {
            (Some(lowest), Some(highest)) => litres <= lowest || litres >= highest,
            _ => litres == 0 || self.tank_dl > 0 && litres >= self.tank_dl,
        }
    }

    /// What it says is compared with what it said before; what another one said is not.
    pub(super) fn fingerprint(&self) -> u32 {
        self.fingerprint
    }

    fn is_of_tracker(&self) -> bool {
        matches!(self.source, FuelSource::Unspecified | FuelSource::Liter)
    }

    fn litres(&self, report: &Report) -> Option<u32> {
        let of_percent = || report.fuel_percent.and_then(|percent| self.of_tank(percent));
        if !self.table.is_empty() {
            return self.table.litres(self.raw(report)?).map(decilitres);
        }
        match self.source {
            FuelSource::Unspecified | FuelSource::Liter => report.fuel_liter.or_else(of_percent),
            FuelSource::Percent => of_percent(),
            FuelSource::Attribute => {
                let possible = 0.0..=f64::from(MAX_FUEL_DL) / 10.0;
                self.raw(report).filter(|litres| possible.contains(litres)).map(decilitres)
            }
        }
    }

    fn raw(&self, report: &Report) -> Option<f64> {
        match self.source {
            FuelSource::Unspecified | FuelSource::Liter => report.fuel_liter.map(|litres| f64::from(litres) / 10.0),
            FuelSource::Percent => report.fuel_percent.map(f64::from),
            FuelSource::Attribute => attribute(report.attrs.as_deref()?, &self.attribute),
        }
    }

    fn of_tank(&self, percent: u8) -> Option<u32> {
        (self.tank_dl > 0).then(|| (self.tank_dl * u32::from(percent) + 50) / 100)
    }

    fn percent(&self, litres: u32) -> Option<u8> {
        let full = self.full_dl();
        (full > 0).then(|| (f64::from(litres) / f64::from(full) * 100.0).round().min(100.0) as u8)
    }
}

fn decilitres(litres: f64) -> u32 {
    (litres * 10.0).round() as u32
}

/// A number of the attributes; some trackers write it as a text.
fn attribute(attrs: &str, name: &str) -> Option<f64> {
    let attrs: Value = serde_json::from_str(attrs).ok()?;
    let value = attrs.get(name)?;
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    number.is_finite().then_some(number)
}
