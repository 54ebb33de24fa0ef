//! A track as columns, for a console that draws a month of it at once.

use armada_proto::v1::TrackColumns;
use prost::Message as _;

use crate::{
    codec::row_bits::{CHARGE_KNOWN, CHARGING, COLUMNS, IGNITION_KNOWN, IGNITION_ON, VALID, flag},
    position::{alarm_names::first_alarm, enriched::Position},
};

/// The lowest bit of a fix's mark in `present`: behind those of the columns.
const MARK: u32 = COLUMNS + 6;

/// Writes one `TrackColumns` after the other. Together they are one: the columns of messages that follow each other are put
/// together by whoever reads protobuf, and differences go on from one to the next.
#[derive(Clone, Debug, Default)]
pub struct TrackColumnWriter {
    recorded_at: i64,
    lat: i32,
    lng: i32,
}

impl TrackColumnWriter {
    /// The next positions, ascending in time.
    pub fn positions(&mut self, positions: &[Position]) -> Vec<u8> {
        let mut columns = TrackColumns::default();
        for position in positions {
            self.push(position, &mut columns);
        }
        columns.encode_to_vec()
    }

    /// What stands behind all positions: without it the track is not whole.
    pub fn end() -> Vec<u8> {
        TrackColumns { complete: true, ..TrackColumns::default() }.encode_to_vec()
    }

    fn push(&mut self, position: &Position, columns: &mut TrackColumns) {
        let Position { report, derived, .. } = position;
        columns.recorded_at.push(report.recorded_at.wrapping_sub(self.recorded_at));
        columns.lat.push(report.lat.wrapping_sub(self.lat));
        columns.lng.push(report.lng.wrapping_sub(self.lng));
        (self.recorded_at, self.lat, self.lng) = (report.recorded_at, report.lat, report.lng);
        let mut present = (derived.motion as u32) & 3;
        present |= if report.valid { VALID } else { 0 };
        present |= (position.mark as u32) << MARK;
        present |= flag(position.ignition(), IGNITION_KNOWN, IGNITION_ON);
        present |= flag(report.charge, CHARGE_KNOWN, CHARGING);
        let cells = [
            (report.speed, &mut columns.speed),
            (report.course, &mut columns.course),
            (report.fuel_liter, &mut columns.fuel_liter),
            (report.fuel_percent.map(u32::from), &mut columns.fuel_percent),
            (report.batt_percent.map(u32::from), &mut columns.batt_percent),
        ];
        for (place, (value, column)) in cells.into_iter().enumerate() {
            if let Some(value) = value {
                present |= 1 << (COLUMNS + place as u32);
                column.push(value);
            }
        }
        if let Some(alarm) = &report.alarm {
            present |= 1 << (COLUMNS + 5);
            columns.alarm.push(first_alarm(alarm).unwrap_or_default().to_owned());
        }
        columns.present.push(present);
    }
}
