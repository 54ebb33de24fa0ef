//! Frames, messages of many devices: `gps.<gateway>.frame`, a protobuf `PositionFrame`.

use std::{mem, vec};

use armada_proto::v1::PositionFrame;

use crate::{
    input::utf8::{mended_frame, read},
    position::{
        imei::Imei,
        left_out::LeftOut,
        present::*,
        report::{MAX_MESSAGE_BYTES, MAX_POSITIONS_PER_MESSAGE, Reject, Report},
        tracker_id::TrackerId,
        values,
    },
};

/// What a row has as IMEI when its device has none: its identifier is the next one of the column `id`.
const NAMED: u64 = u64::MAX;

/// Collects reports into one frame.
#[derive(Debug, Default)]
pub struct FrameBuilder {
    frame: PositionFrame,
    last_recorded_at: i64,
}

impl FrameBuilder {
    /// With room for so many rows, in the columns that every row has.
    pub fn with_capacity(rows: usize) -> Self {
        let frame = PositionFrame {
            imei: Vec::with_capacity(rows),
            recorded_at: Vec::with_capacity(rows),
            lat: Vec::with_capacity(rows),
            lng: Vec::with_capacity(rows),
            present: Vec::with_capacity(rows),
            ..PositionFrame::default()
        };
        Self { frame, last_recorded_at: 0 }
    }

    /// Adds a row.
    pub fn push(&mut self, id: impl Into<TrackerId>, report: &Report) {
        let (id, frame) = (id.into(), &mut self.frame);
        match id.as_imei() {
            Some(imei) => frame.imei.push(imei.number()),
            None => {
                frame.imei.push(NAMED);
                frame.id.push(id.to_string());
            }
        }
        frame.recorded_at.push(report.recorded_at.wrapping_sub(self.last_recorded_at));
        self.last_recorded_at = report.recorded_at;
        frame.lat.push(report.lat);
        frame.lng.push(report.lng);
        frame.present.push(of_report(report));
        frame.speed.extend(report.speed);
        frame.course.extend(report.course);
        frame.alt.extend(report.alt);
        frame.sat.extend(report.sat);
        frame.odometer.extend(report.odometer);
        frame.fuel_liter.extend(report.fuel_liter);
        frame.fuel_percent.extend(report.fuel_percent.map(u32::from));
        frame.batt_percent.extend(report.batt_percent.map(u32::from));
        frame.gsm_signal.extend(report.gsm_signal.map(u32::from));
        frame.alarm.extend(report.alarm.as_deref().map(str::to_owned));
        frame.attrs.extend(report.attrs.as_deref().map(str::to_owned));
    }

    /// Adds the rows of a frame that [`FrameBuilder`] has made, or that [`FrameRows::new`] has found well shaped.
    pub fn append(&mut self, mut rows: PositionFrame) {
        // The sum of the differences is the instant of the last row.
        let last = rows.recorded_at.iter().copied().fold(0, i64::wrapping_add);
        if self.is_empty() {
            (self.frame, self.last_recorded_at) = (rows, last);
            return;
        }
        let Some(first) = rows.recorded_at.first_mut() else { return };
        *first = first.wrapping_sub(self.last_recorded_at);
        self.last_recorded_at = last;
        let frame = &mut self.frame;
        frame.imei.append(&mut rows.imei);
        frame.recorded_at.append(&mut rows.recorded_at);
        frame.lat.append(&mut rows.lat);
        frame.lng.append(&mut rows.lng);
        frame.present.append(&mut rows.present);
        frame.speed.append(&mut rows.speed);
        frame.course.append(&mut rows.course);
        frame.alt.append(&mut rows.alt);
        frame.sat.append(&mut rows.sat);
        frame.odometer.append(&mut rows.odometer);
        frame.fuel_liter.append(&mut rows.fuel_liter);
        frame.fuel_percent.append(&mut rows.fuel_percent);
        frame.batt_percent.append(&mut rows.batt_percent);
        frame.gsm_signal.append(&mut rows.gsm_signal);
        frame.alarm.append(&mut rows.alarm);
        frame.attrs.append(&mut rows.attrs);
        frame.id.append(&mut rows.id);
    }

    /// Rows so far. A frame of more than [`MAX_POSITIONS_PER_MESSAGE`] is refused by ingest.
    pub fn len(&self) -> usize {
        self.frame.imei.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.frame.imei.is_empty()
    }

    /// The frame; the builder starts anew.
    pub fn take(&mut self) -> PositionFrame {
        mem::take(self).frame
    }
}

/// Decodes a message body and checks its shape once. `Err` refuses the whole message: [`Reject::TooLarge`],
/// [`Reject::TooManyPositions`] or [`Reject::Malformed`].
pub fn read_frame(body: &[u8]) -> Result<FrameRows, Reject> {
    if body.len() > MAX_MESSAGE_BYTES {
        return Err(Reject::TooLarge);
    }
    read_part(body)
}

/// The same of any size: what came as messages of single devices, whose identifier stands in the subject, is larger as rows of
/// a frame. Not for what a gateway sends.
pub fn read_part(body: &[u8]) -> Result<FrameRows, Reject> {
    FrameRows::new(read::<PositionFrame>(body, mended_frame).ok_or(Reject::Malformed)?)
}

/// The rows of a frame in order. An item is the device and its report, or the number that was given as IMEI and why
/// this row alone is refused. Time and place are not checked here: [`crate::validate`] does.
#[derive(Debug)]
pub struct FrameRows {
    row: usize,
    recorded_at: i64,
    frame: PositionFrame,
    speed: vec::IntoIter<u32>,
    course: vec::IntoIter<u32>,
    alt: vec::IntoIter<i32>,
    sat: vec::IntoIter<u32>,
    odometer: vec::IntoIter<u64>,
    fuel_liter: vec::IntoIter<u32>,
    fuel_percent: vec::IntoIter<u32>,
    batt_percent: vec::IntoIter<u32>,
    gsm_signal: vec::IntoIter<u32>,
    alarm: vec::IntoIter<String>,
    attrs: vec::IntoIter<String>,
    id: vec::IntoIter<String>,
}

impl FrameRows {
    /// Checks the shape of a frame: equally many values in the columns of every row, in every other column as many as rows
    /// that have its bit, and as many identifiers as rows without IMEI.
    pub fn new(mut frame: PositionFrame) -> Result<Self, Reject> {
        if frame.imei.len() > MAX_POSITIONS_PER_MESSAGE {
            return Err(Reject::TooManyPositions);
        }
        if !is_well_shaped(&frame) {
            return Err(Reject::Malformed);
        }
        Ok(Self {
            row: 0,
            recorded_at: 0,
            speed: mem::take(&mut frame.speed).into_iter(),
            course: mem::take(&mut frame.course).into_iter(),
            alt: mem::take(&mut frame.alt).into_iter(),
            sat: mem::take(&mut frame.sat).into_iter(),
            odometer: mem::take(&mut frame.odometer).into_iter(),
            fuel_liter: mem::take(&mut frame.fuel_liter).into_iter(),
            fuel_percent: mem::take(&mut frame.fuel_percent).into_iter(),
            batt_percent: mem::take(&mut frame.batt_percent).into_iter(),
            gsm_signal: mem::take(&mut frame.gsm_signal).into_iter(),
            alarm: mem::take(&mut frame.alarm).into_iter(),
            attrs: mem::take(&mut frame.attrs).into_iter(),
            id: mem::take(&mut frame.id).into_iter(),
            frame,
        })
    }

    /// Reads the next row into `report`, whatever that holds; none after the last one. A caller that needs only one at a
    /// time reads all rows into the same, which is faster than iterating.
    pub fn read_into(&mut self, report: &mut Report) -> Option<Result<TrackerId, (u64, Reject)>> {
        let row = self.row;
        let frame = &self.frame;
        let imei = *frame.imei.get(row)?;
        let bits = *frame.present.get(row)?;
        self.recorded_at = self.recorded_at.wrapping_add(*frame.recorded_at.get(row)?);
        (report.recorded_at, report.lat, report.lng) = (self.recorded_at, *frame.lat.get(row)?, *frame.lng.get(row)?);
        self.row += 1;
        self.read_columns(bits, report);
        let id = Imei::new(imei).ok().map(TrackerId::from).or_else(|| self.next_id(imei));
        Some(id.ok_or((imei, Reject::InvalidImei)))
    }

    /// The identifier of a row whose IMEI is none.
    fn next_id(&mut self, imei: u64) -> Option<TrackerId> {
        if imei == NAMED { self.id.next()?.parse().ok() } else { None }
    }

    /// Reads the columns that the row has. What cannot be is left out.
    fn read_columns(&mut self, bits: u32, report: &mut Report) {
        read_report(bits, report);
        let has = |bit| bits & bit != 0;
        let next = |column: &mut vec::IntoIter<u32>, bit| if has(bit) { column.next().map(i64::from) } else { None };
        let mut left_out = LeftOut::NOTHING;
        let out = &mut left_out;
        report.speed = values::SPEED.read(next(&mut self.speed, SPEED), out).map(|speed| speed as u32);
        report.course = values::COURSE.read(next(&mut self.course, COURSE), out).map(values::within_a_turn);
        let alt = if has(ALT) { self.alt.next().map(i64::from) } else { None };
        report.alt = values::ALT.read(alt, out).map(|alt| alt as i32);
        report.sat = values::SAT.read(next(&mut self.sat, SAT), out).map(|sat| sat as u32);
        // What is too large for the type is too large for the field.
        let odometer = if has(ODOMETER) { self.odometer.next() } else { None };
        let odometer = odometer.map(|odometer| i64::try_from(odometer).unwrap_or(i64::MAX));
        report.odometer = values::ODOMETER.read(odometer, out).map(|odometer| odometer as u64);
        report.fuel_liter =
            values::FUEL_LITER.read(next(&mut self.fuel_liter, FUEL_LITER), out).map(|fuel| fuel as u32);
        let percent = |percent: i64| percent as u8;
        report.fuel_percent = values::FUEL_PERCENT.read(next(&mut self.fuel_percent, FUEL_PERCENT), out).map(percent);
        report.batt_percent = values::BATT_PERCENT.read(next(&mut self.batt_percent, BATT_PERCENT), out).map(percent);
        report.gsm_signal = values::GSM_SIGNAL.read(next(&mut self.gsm_signal, GSM_SIGNAL), out).map(percent);
        let alarm = if has(ALARM) { self.alarm.next() } else { None };
        report.take_alarm(alarm.map(Into::into), out);
        let attrs = if has(ATTRS) { self.attrs.next() } else { None };
        report.take_attrs(attrs.map(Into::into), out);
        report.disown_impossible_place(out);
        report.left_out = left_out;
    }
}

impl Iterator for FrameRows {
    type Item = Result<(TrackerId, Report), (u64, Reject)>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut report = Report::new(0, 0, 0);
        let read = self.read_into(&mut report)?;
        Some(read.map(|id| (id, report)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.frame.imei.len() - self.row;
        (left, Some(left))
    }
}

impl ExactSizeIterator for FrameRows {}

fn is_well_shaped(frame: &PositionFrame) -> bool {
    let rows = frame.imei.len();
    let every_row = [frame.recorded_at.len(), frame.lat.len(), frame.lng.len(), frame.present.len()];
    let mut counts = [0; OPTIONAL];
    for bits in &frame.present {
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += (bits >> bit & 1) as usize;
        }
    }
    let lengths = [
        frame.speed.len(),
        frame.course.len(),
        frame.alt.len(),
        frame.sat.len(),
        frame.odometer.len(),
        frame.fuel_liter.len(),
        frame.fuel_percent.len(),
        frame.batt_percent.len(),
        frame.gsm_signal.len(),
        frame.alarm.len(),
        frame.attrs.len(),
    ];
    let named = frame.imei.iter().filter(|&&imei| imei == NAMED).count();
    every_row.iter().all(|&length| length == rows) && counts == lengths && named == frame.id.len()
}
