//! A recorded trace: CSV with one fix per row, in the order in which the fixes arrived.

use std::{
    collections::HashMap,
    fs::File,
    io::{BufReader, Read},
    path::Path,
};

use anyhow::{Context as _, Result, ensure};
use armada_proto::Timestamp;
use armada_track::{Imei, Reject, Report, decode_json, imei_of_name};
use csv::{ReaderBuilder, StringRecord};
use flate2::read::MultiGzDecoder;

const HEADER: [&str; 7] = ["device", "recorded_at", "lat", "lng", "speed_kmh", "course", "extra"];

/// One fix of one device.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    /// From the device's name.
    pub(super) imei: Imei,
    /// The fix.
    pub(super) report: Report,
}

/// What is in a trace.
#[derive(Debug, Default)]
pub(super) struct TraceSummary {
    /// Rows, good or not.
    pub(super) rows: u64,
    /// Names of the devices, in the order of their first rows.
    pub(super) devices: Vec<String>,
}

/// The rows of a file, read one at a time.
pub(super) struct Trace {
    reader: csv::Reader<Box<dyn Read + Send>>,
    record: StringRecord,
    imeis: HashMap<String, Imei>,
}

impl Trace {
    /// Opens a file and checks its header.
    pub(super) fn open(file: &Path) -> Result<Self> {
        let opened = File::open(file).with_context(|| file.display().to_string())?;
        let bytes = BufReader::with_capacity(1 << 16, opened);
        let zipped = file.extension().is_some_and(|extension| extension == "gz");
        let text: Box<dyn Read + Send> = if zipped { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) };
        let trace = Self::read(text);
        trace.with_context(|| format!("{} is no trace", file.display()))
    }

    fn read(text: Box<dyn Read + Send>) -> Result<Self> {
        let mut reader = ReaderBuilder::new().flexible(true).from_reader(text);
        let header = reader.headers()?;
        ensure!(*header == HEADER[..], "its columns are not {}", HEADER.join(","));
        Ok(Self { reader, record: StringRecord::new(), imeis: HashMap::new() })
    }

    /// The next row, or why it is refused before it is sent. An error of its own when the file cannot be read.
    pub(super) fn next_row(&mut self) -> Result<Option<Result<Row, Reject>>> {
        match self.reader.read_record(&mut self.record) {
            Ok(true) => Ok(Some(self.parse())),
            Ok(false) => Ok(None),
            Err(error) if error.is_io_error() => Err(error).context("the trace ends in the middle"),
            Err(_) => Ok(Some(Err(Reject::Malformed))),
        }
    }

    fn parse(&mut self) -> Result<Row, Reject> {
        let report = report(&self.record)?;
        let name = &self.record[0];
        let imei = match self.imeis.get(name) {
            Some(imei) => *imei,
            None => *self.imeis.entry(name.to_owned()).or_insert(imei_of_name(name)),
        };
        Ok(Row { imei, report })
    }
}

/// Looks through a whole trace.
pub(super) fn scan_trace(file: &Path) -> Result<TraceSummary> {
    let mut trace = Trace::open(file)?;
    let mut summary = TraceSummary::default();
    let mut seen = std::collections::HashSet::new();
    while let Some(row) = trace.next_row()? {
        summary.rows += 1;
        if let Ok(row) = row
            && seen.insert(row.imei)
        {
            summary.devices.push(trace.record[0].to_owned());
        }
    }
    Ok(summary)
}

/// The name of a trace: of its file, or of the folder when the file has the name that all of them have.
pub(super) fn default_tenant(file: &Path) -> String {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let folder = std::path::absolute(file).ok().and_then(|path| Some(path.parent()?.file_name()?.to_str()?.to_owned()));
    match folder {
        Some(folder) if stem == "norm" || stem.is_empty() => folder,
        _ => stem.to_owned(),
    }
}

/// What can be said in a frame is said, however wrong: ingest decides. Of what cannot, time and place are refused here, and
/// the rest is left out.
fn report(record: &StringRecord) -> Result<Report, Reject> {
    if record.len() != HEADER.len() || record[0].is_empty() {
        return Err(Reject::Malformed);
    }
    let recorded_at = Timestamp::parse_rfc3339(&record[1]).ok_or(Reject::Malformed)?.millis();
    let lat = scaled(&record[2], 1e7)?.ok_or(Reject::Malformed)?;
    let lng = scaled(&record[3], 1e7)?.ok_or(Reject::Malformed)?;
    let lat = i32::try_from(lat).map_err(|_| Reject::LatitudeOutOfRange)?;
    let lng = i32::try_from(lng).map_err(|_| Reject::LongitudeOutOfRange)?;
    let mut report = Report::new(recorded_at, lat, lng);
    report.speed = tenths(&record[4]).and_then(|speed| speed.try_into().ok());
    report.course = tenths(&record[5]).map(|course| course.rem_euclid(3_600) as u32);
    report.attrs = match record[6].trim() {
        "" | "{}" => None,
        extra => Some(extra.into()),
    };
    if let Some(status_of) = report.attrs.as_deref().and_then(status_of) {
        (report.ignition, report.alarm) = (status_of.ignition, status_of.alarm);
    }
    Ok(report)
}

/// What `extra` tells of ignition and alarm, where it has members of these names, as in the messages of gateways.
fn status_of(extra: &str) -> Option<Report> {
    if !["\"ignition\"", "\"alarm\""].iter().any(|name| extra.contains(name)) {
        return None;
    }
    let members = extra.strip_prefix('{')?;
    let element = format!("{{\"recorded_at\":\"2000-01-01T00:00:00Z\",\"lat\":0,\"lng\":0,{members}");
    decode_json(element.as_bytes()).ok()?.pop()?.ok()
}

fn tenths(text: &str) -> Option<i64> {
    scaled(text, 10.0).ok().flatten()
}

fn scaled(text: &str, factor: f64) -> Result<Option<i64>, Reject> {
    if text.is_empty() {
        return Ok(None);
    }
    let number: f64 = text.trim().parse().map_err(|_| Reject::Malformed)?;
    if !number.is_finite() {
        return Err(Reject::Malformed);
    }
    Ok(Some((number * factor).round() as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &'static str) -> Vec<Result<Row, Reject>> {
        let text = format!("{}\n{text}", HEADER.join(","));
        let mut trace = Trace::read(Box::new(std::io::Cursor::new(text))).expect("a trace");
        std::iter::from_fn(|| trace.next_row().expect("it can be read")).collect()
    }

    #[test]
    fn a_row_is_a_report() {
        let row = rows("bus-1,2015-03-07T06:00:22.5Z,30.268604,-97.74414,12.34,359.96,\"{\"\"route\"\":\"\"4\"\"}\"");
        let row = row[0].clone().expect("it is good");
        assert_eq!(row.imei, imei_of_name("bus-1"));
        assert_eq!(row.report.recorded_at, 1_425_708_022_500);
        assert_eq!((row.report.lat, row.report.lng), (302_686_040, -977_441_400));
        assert_eq!((row.report.speed, row.report.course), (Some(123), Some(0)));
        assert_eq!(row.report.attrs.as_deref(), Some("{\"route\":\"4\"}"));
        let bare = rows("a,2015-03-07T06:00:22Z,0,0,,,{}")[0].clone().expect("ingest decides about null island");
        assert_eq!(bare.report, Report::new(1_425_708_022_000, 0, 0));
    }

    #[test]
    fn ignition_and_alarm_are_read_where_they_are_told() {
        let rows = rows(
            "a,2015-03-07T06:00:22Z,1,1,,,\"{\"\"ignition\"\":true,\"\"alarm\"\":\"\"sos\"\"}\"\n\
             a,2015-03-07T06:00:23Z,1,1,,,\"{\"\"ignition\"\":\"\"on\"\"}\"\n",
        );
        let reports: Vec<Report> = rows.into_iter().map(|row| row.expect("it is good").report).collect();
        assert_eq!((reports[0].ignition, reports[0].alarm.as_deref()), (Some(true), Some("sos")));
        assert_eq!((reports[1].ignition, reports[1].alarm.as_deref()), (None, None), "it says something else by it");
        assert!(reports.iter().all(|report| report.attrs.is_some()));
    }

    #[test]
    fn rejects_rows_that_cannot_be_sent() {
        let refused = rows(
            "a,2015-03-07T06:00:22Z,,1,,,\na,yesterday,1,1,,,\na,2015-03-07T06:00:22Z,900,1,,,\n\
             a,2015-03-07T06:00:22Z,1\na,2015-03-07T06:00:22Z,1,NaN,,,\n",
        );
        let reasons: Vec<_> = refused.into_iter().map(|row| row.expect_err("it is bad")).collect();
        use Reject::*;
        assert_eq!(reasons, [Malformed, Malformed, LatitudeOutOfRange, Malformed, Malformed]);
    }

    #[test]
    fn values_that_cannot_be_sent_are_left_out() {
        let row = rows("a,2015-03-07T06:00:22Z,1,1,-1,-90,\na,2015-03-07T06:00:22Z,1,1,fast,,\n");
        let said: Vec<_> = row.into_iter().map(|row| row.expect("the fix stays").report).collect();
        assert_eq!((said[0].speed, said[0].course, said[1].speed), (None, Some(2_700), None));
    }

    #[test]
    fn rejects_files_that_are_no_traces() {
        let other = Trace::read(Box::new(std::io::Cursor::new("a,b\n1,2")));
        assert!(other.err().is_some_and(|error| error.to_string().contains("columns")));
    }

    #[test]
    fn names() {
        assert_eq!(default_tenant(Path::new("/data/austin/norm.csv.gz")), "austin");
        assert_eq!(default_tenant(Path::new("/data/austin/monday.csv.gz")), "monday");
    }
}
