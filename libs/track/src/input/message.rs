//! Messages of one device each: `gps.<gateway>.<imei>`, JSON or protobuf.
//!
//! A body that begins with `{` or `[`, behind any white space and a byte order mark, is JSON: one object, or an array of
//! objects. Everything else is protobuf. A protobuf body that begins with the byte 0x0a (field 1, length-delimited) is a `PositionReports`,
//! any other (0x08, field 1 as a varint, is the usual first byte) a lone `PositionReport`. A line feed is 0x0a too, so
//! a body that begins with it is JSON only if it is no `PositionReports`; none can be both, since a report never begins
//! with a quotation mark.
//!
//! Every element of an array is judged alone, also by the parser: what is between two commas and does not parse
//! refuses itself, not its neighbours, even if its quotation marks do not match.

use armada_proto::{
    Timestamp,
    v1::{PositionReport, PositionReports},
};
use serde_json::{Map, Value};

use crate::{
    input::{
        element::Element,
        hardly_json::{is_readable, mended},
        utf8::{mended_report, mended_reports, read},
        wrong_wire_types,
    },
    position::{
        left_out::LeftOut,
        report::{MAX_MESSAGE_BYTES, MAX_POSITIONS_PER_MESSAGE, Reject, Report},
        values,
    },
};

/// The reports of a message in order, each read or refused by itself.
pub type Reports = Vec<Result<Report, Reject>>;

/// First byte of a `PositionReports`: field 1, length-delimited.
const REPORTS_TAG: u8 = 0x0a;
/// What some write before a text in UTF-8. No protobuf begins so.
const BOM: &str = "\u{feff}";

/// Decodes a message body of either form. `Err` refuses the whole message: [`Reject::TooLarge`],
/// [`Reject::TooManyPositions`] or [`Reject::Malformed`]. What a report says is in the range of its type and of its
/// unit; times and null island are left to [`crate::validate`].
pub fn decode_message(body: &[u8]) -> Result<Reports, Reject> {
    let body = body.strip_prefix(BOM.as_bytes()).unwrap_or(body);
    let looks_like_json = matches!(body.trim_ascii_start().first(), Some(b'{' | b'['));
    match body.first() {
        Some(&REPORTS_TAG) if looks_like_json => match decode_protobuf(body) {
            Err(Reject::Malformed) => decode_json(body),
            decoded => decoded,
        },
        _ if looks_like_json => decode_json(body),
        _ => decode_protobuf(body),
    }
}

/// Decodes the protobuf form.
pub fn decode_protobuf(body: &[u8]) -> Result<Reports, Reject> {
    if body.len() > MAX_MESSAGE_BYTES {
        return Err(Reject::TooLarge);
    }
    let whole = |report| (report, LeftOut::NOTHING);
    let reports = match body.first() {
        None => None,
        Some(&REPORTS_TAG) => read::<PositionReports>(body, mended_reports)
            .map(|list| list.reports.into_iter().map(whole).collect())
            .or_else(|| wrong_wire_types::reports_of(body)),
        Some(_) => read::<PositionReport>(body, mended_report)
            .map(whole)
            .or_else(|| wrong_wire_types::report_of(body))
            .map(|report| vec![report]),
    };
    let reports = reports.ok_or(Reject::Malformed)?;
    if reports.len() > MAX_POSITIONS_PER_MESSAGE {
        return Err(Reject::TooManyPositions);
    }
    Ok(reports.into_iter().map(|(report, left_out)| read_report(report, left_out)).collect())
}

/// Decodes the JSON form.
pub fn decode_json(body: &[u8]) -> Result<Reports, Reject> {
    if body.len() > MAX_MESSAGE_BYTES {
        return Err(Reject::TooLarge);
    }
    // What trackers say in other character sets stands in texts alone.
    let text = String::from_utf8_lossy(body);
    let elements = json_elements(&text).ok_or(Reject::Malformed)?;
    let reports = read_elements(&elements)?;
    if !reports.contains(&Err(Reject::Malformed)) {
        return Ok(reports);
    }
    if is_alone(&text) {
        return Err(Reject::Malformed);
    }
    taken_apart(&elements).map_or(Ok(reports), |elements| read_elements(&elements))
}

fn read_elements(elements: &[&str]) -> Result<Reports, Reject> {
    if elements.len() > MAX_POSITIONS_PER_MESSAGE {
        return Err(Reject::TooManyPositions);
    }
    Ok(elements.iter().map(|element| read_element(element)).collect())
}

fn read_element(text: &str) -> Result<Report, Reject> {
    match Element::read(text) {
        Ok((element, left_out)) => report_of(element, left_out),
        Err(reject) => {
            let text = mended(text).ok_or(reject)?;
            let (element, left_out) = Element::read(&text)?;
            report_of(element, left_out)
        }
    }
}

fn report_of(element: Element<'_>, left_out: LeftOut) -> Result<Report, Reject> {
    let recorded_at = Timestamp::parse_rfc3339(&element.recorded_at).ok_or(Reject::Malformed)?;
    let attrs = element.attrs.map(|attrs| match serde_json::from_str::<Map<String, Value>>(attrs.get()) {
        Ok(attrs) if attrs.is_empty() => String::new(),
        Ok(attrs) => Value::Object(attrs).to_string(),
        // Whether that is an object is found out with the rest.
        Err(_) => attrs.get().to_owned(),
    });
    let report = PositionReport {
        recorded_at: recorded_at.millis(),
        lat: element.lat,
        lng: element.lng,
        speed: element.speed,
        course: element.course,
        alt: element.alt,
        sat: None,
        valid: element.valid,
        ignition: element.ignition,
        odometer: element.odometer,
        fuel_liter: element.fuel_liter,
        fuel_percent: element.fuel_percent,
        batt_percent: element.batt_percent,
        charge: element.charge,
        gsm_signal: element.gsm_signal,
        alarm: element.alarm,
        attrs,
    };
    let mut report = read_report(report, left_out)?;
    report.sat = values::SAT.read_scaled(element.sat, 1.0, &mut report.left_out).map(|sat| sat as u32);
    Ok(report)
}

/// Quantises a report. Only its time and its place decide whether it is one; of the rest, what cannot be is left out.
fn read_report(raw: PositionReport, mut left_out: LeftOut) -> Result<Report, Reject> {
    let mut report = Report::new(raw.recorded_at, 0, 0);
    report.take_alarm(raw.alarm.map(Into::into), &mut left_out);
    match read_place(raw.lat, raw.lng) {
        Ok(place) => (report.lat, report.lng) = place,
        // Who calls for help need not know where they are.
        Err(_) if report.alarm.is_some() => left_out.place(!is_lat(raw.lat), !is_lng(raw.lng)),
        Err(reject) => return Err(reject),
    }
    let out = &mut left_out;
    report.speed = values::SPEED.read_scaled(raw.speed, 10.0, out).map(|speed| speed as u32);
    report.course = values::COURSE.read_scaled(raw.course, 10.0, out).map(values::within_a_turn);
    report.alt = values::ALT.read_scaled(raw.alt, 10.0, out).map(|alt| alt as i32);
    let sat = raw.sat.map(|sat| i64::try_from(sat).unwrap_or(i64::MAX));
    report.sat = values::SAT.read(sat, out).map(|sat| sat as u32);
    report.odometer = values::ODOMETER.read_scaled(raw.odometer, 1.0, out).map(|odometer| odometer as u64);
    report.fuel_liter = values::FUEL_LITER.read_scaled(raw.fuel_liter, 10.0, out).map(|fuel| fuel as u32);
    report.fuel_percent = values::FUEL_PERCENT.read_scaled(raw.fuel_percent, 1.0, out).map(|percent| percent as u8);
    report.batt_percent = values::BATT_PERCENT.read_scaled(raw.batt_percent, 1.0, out).map(|percent| percent as u8);
    report.gsm_signal = values::GSM_SIGNAL.read_scaled(raw.gsm_signal, 1.0, out).map(|percent| percent as u8);
    report.valid = raw.valid.unwrap_or(true);
    (report.ignition, report.charge) = (raw.ignition, raw.charge);
    report.take_attrs(raw.attrs.filter(|attrs| !attrs.is_empty()).map(Into::into), out);
    report.disown_no_place();
    report.left_out = left_out;
    Ok(report)
}

/// A place in 1e-7 degrees.
fn read_place(lat: Option<f64>, lng: Option<f64>) -> Result<(i32, i32), Reject> {
    let (Some(north), Some(east)) = (lat, lng) else { return Err(Reject::Malformed) };
    if !is_lat(lat) {
        return Err(Reject::LatitudeOutOfRange);
    }
    if !is_lng(lng) {
        return Err(Reject::LongitudeOutOfRange);
    }
    Ok(((north * 1e7).round() as i32, (east * 1e7).round() as i32))
}

/// Whether it can be one, if there is one. A NaN is in no range.
fn is_lat(lat: Option<f64>) -> bool {
    lat.is_none_or(|lat| (-90.0..=90.0).contains(&lat))
}

fn is_lng(lng: Option<f64>) -> bool {
    lng.is_none_or(|lng| (-180.0..=180.0).contains(&lng))
}

/// The texts of the elements of a JSON message; `None` when it is none. Some of them may have run into each other: see
/// [`taken_apart`].
fn json_elements(text: &str) -> Option<Vec<&str>> {
    let text = text.trim_start_matches(BOM).trim_ascii();
    if is_alone(text) { Some(vec![text]) } else { split_array(text) }
}

/// The same of a message of which something is refused, as it was read at last.
pub(crate) fn refused_elements(text: &str) -> Option<Vec<&str>> {
    let elements = json_elements(text)?;
    Some(if is_alone(text) { elements } else { taken_apart(&elements).unwrap_or(elements) })
}

/// Whether it is one object, not an array of them.
fn is_alone(text: &str) -> bool {
    text.trim_start_matches(BOM).trim_ascii_start().starts_with('{')
}

/// The texts between the commas of a JSON array; `None` when it is not closed or something follows it. Brackets are
/// only counted: the parser of an element finds what is wrong inside.
fn split_array(text: &str) -> Option<Vec<&str>> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    split(inner, Quotes::Heeded)
}

/// The same elements, those apart that ran into each other since quotation marks inside do not match; none when there are no such.
/// In an element that parsers read, whatever looks like several stands in a text.
fn taken_apart<'a>(elements: &[&'a str]) -> Option<Vec<&'a str>> {
    let mut apart = Vec::with_capacity(elements.len());
    for element in elements {
        match split(element, Quotes::Ignored) {
            Some(pieces) if pieces.len() > 1 && !is_readable(element) => apart.extend(pieces),
            _ => apart.push(*element),
        }
    }
    (apart.len() > elements.len()).then_some(apart)
}

/// Whether what stands between quotation marks is text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    Heeded,
    /// Where they do not match nobody knows.
    Ignored,
}

/// What is between commas; none when brackets are not closed. Where a quotation mark is not, all are ignored from its element on.
fn split(inner: &str, quotes: Quotes) -> Option<Vec<&str>> {
    let (mut elements, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    let (mut in_string, mut escaped) = (false, false);
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' if quotes == Quotes::Heeded => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => {
                elements.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = &inner[start..];
    if in_string {
        elements.extend(split(last, Quotes::Ignored)?);
        return Some(elements).filter(|elements| elements.len() > 1);
    }
    if depth > 0 {
        return None;
    }
    if !(elements.is_empty() && last.trim_ascii().is_empty()) {
        elements.push(last);
    }
    Some(elements)
}
