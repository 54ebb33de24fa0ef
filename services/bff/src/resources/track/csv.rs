//! A track as CSV: a line for each fix, its columns named as the fields of a `TrackPoint`.

use std::borrow::Cow;

use armada_proto::{Choice, Timestamp, v1::TrackPoint};
use armada_runtime::{Error, Result};
use armada_tables::{Cell, Column, Table, csv::Writer};
use armada_track::Position;

use super::writer::TrackWriter;

const FIELDS: [&str; 20] = [
    "recorded_at",
    "lat",
    "lng",
    "speed",
    "course",
    "alt",
    "sat",
    "valid",
    "motion",
    "motion_since",
    "ignition",
    "odometer",
    "engine_seconds",
    "fuel_liter",
    "fuel_percent",
    "batt_percent",
    "charge",
    "gsm_signal",
    "alarm",
    "mark",
];

/// A line for each position.
pub struct CsvWriter;

impl TrackWriter for CsvWriter {
    const MEDIA_TYPE: &str = "text/csv; charset=utf-8";

    fn head(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let column = |name: &str| Column { heading: name.to_owned(), width: 0.0, numeric: false };
        let table = Table { title: String::new(), columns: FIELDS.map(column).into() };
        let head = Writer::with_head(Vec::new(), &table).and_then(Writer::finish).map_err(Error::internal)?;
        out.extend_from_slice(&head);
        Ok(())
    }

    fn positions(&mut self, positions: &[Position], out: &mut Vec<u8>) -> Result<()> {
        let mut writer = Writer::new(out);
        for position in positions {
            writer.row(cells(&position.to_track_point())).map_err(Error::internal)?;
        }
        writer.finish().map_err(Error::internal)?;
        Ok(())
    }

    fn end(&mut self, _: &mut Vec<u8>) -> Result<()> {
        Ok(())
    }
}

/// In the order of [`FIELDS`].
fn cells(point: &TrackPoint) -> [Cell<'static>; 20] {
    let text = |text: String| Cell::Text(Cow::Owned(text));
    let number = |number: Option<f64>| number.map_or(Cell::Empty, Cell::Number);
    let flag = |flag: Option<bool>| flag.map_or(Cell::Empty, |flag| text(flag.to_string()));
    let time = |time: Option<Timestamp>| time.map_or(Cell::Empty, |time| text(time.to_rfc3339()));
    [
        time(point.recorded_at),
        Cell::Number(point.lat),
        Cell::Number(point.lng),
        number(point.speed),
        number(point.course),
        number(point.alt),
        number(point.sat.map(f64::from)),
        flag(Some(point.valid)),
        text(point.motion().name().to_owned()),
        time(point.motion_since),
        flag(point.ignition),
        number(point.odometer),
        number(point.engine_seconds),
        number(point.fuel_liter),
        number(point.fuel_percent),
        number(point.batt_percent),
        flag(point.charge),
        number(point.gsm_signal),
        point.alarm.clone().map_or(Cell::Empty, text),
        point.mark.map_or(Cell::Empty, |_| text(point.mark().name().to_owned())),
    ]
}
