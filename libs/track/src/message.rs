//! Messages of one device each: `gps.<gateway>.<imei>`, JSON or protobuf.
//!
//! A body that begins with `{` or `[`, behind any white space, is JSON: one object, or an array of objects. Everything
//! else is protobuf. A protobuf body that begins with the byte 0x0a (field 1, length-delimited) is a `PositionReports`,
//! any other (0x08, field 1 as a varint, is the usual first byte) a lone `PositionReport`. A line feed is 0x0a too, so
//! a body that begins with it is JSON only if it is no `PositionReports`; none can be both, since a report never begins
//! with a quotation mark.
//!
//! Every element of an array is judged alone, also by the parser: what is between two commas and does not parse
//! refuses itself, not its neighbours.

use std::borrow::Cow;

use armada_proto::{
    Timestamp,
    v1::{PositionReport, PositionReports},
};
use prost::Message;
use serde::Deserialize;
use serde_json::{Map, Value, value::RawValue};

use crate::report::{
    MAX_ALT_DM, MAX_FUEL_DL, MAX_MESSAGE_BYTES, MAX_ODOMETER_M, MAX_POSITIONS_PER_MESSAGE, MAX_SAT, MAX_SPEED_KMH,
    Reject, Report, Text,
};

/// The reports of a message in order, each read or refused by itself.
pub type Reports = Vec<Result<Report, Reject>>;

/// First byte of a `PositionReports`: field 1, length-delimited.
const REPORTS_TAG: u8 = 0x0a;

/// Decodes a message body of either form. `Err` refuses the whole message: [`Reject::TooLarge`],
/// [`Reject::TooManyPositions`] or [`Reject::Malformed`]. What a report says is in the range of its type and of its
/// unit; times and null island are left to [`crate::validate`].
pub fn decode_message(body: &[u8]) -> Result<Reports, Reject> {
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
    let reports = match body.first() {
        None => return Err(Reject::Malformed),
        Some(&REPORTS_TAG) => PositionReports::decode(body).map(|list| list.reports),
        Some(_) => PositionReport::decode(body).map(|report| vec![report]),
    };
    let reports = reports.map_err(|_| Reject::Malformed)?;
    if reports.len() > MAX_POSITIONS_PER_MESSAGE {
        return Err(Reject::TooManyPositions);
    }
    Ok(reports.into_iter().map(read_report).collect())
}

/// Decodes the JSON form.
pub fn decode_json(body: &[u8]) -> Result<Reports, Reject> {
    if body.len() > MAX_MESSAGE_BYTES {
        return Err(Reject::TooLarge);
    }
    if body.trim_ascii_start().starts_with(b"{") {
        let text = std::str::from_utf8(body).map_err(|_| Reject::Malformed)?;
        let element = serde_json::from_str(text).map_err(|_| Reject::Malformed)?;
        return Ok(vec![read_element(element)]);
    }
    let elements = json_elements(body).ok_or(Reject::Malformed)?;
    if elements.len() > MAX_POSITIONS_PER_MESSAGE {
        return Err(Reject::TooManyPositions);
    }
    let read = |text: &str| serde_json::from_str(text).map_err(|_| Reject::Malformed).and_then(read_element);
    Ok(elements.into_iter().map(read).collect())
}

/// A position as it stands in JSON. What it does not name is ignored, null counts as absent.
#[derive(Deserialize)]
struct Element<'a> {
    #[serde(borrow)]
    recorded_at: Cow<'a, str>,
    lat: Option<f64>,
    lng: Option<f64>,
    speed: Option<f64>,
    course: Option<f64>,
    alt: Option<f64>,
    sat: Option<f64>,
    valid: Option<bool>,
    ignition: Option<bool>,
    odometer: Option<f64>,
    fuel_liter: Option<f64>,
    fuel_percent: Option<f64>,
    batt_percent: Option<f64>,
    charge: Option<bool>,
    gsm_signal: Option<f64>,
    alarm: Option<String>,
    #[serde(borrow)]
    attrs: Option<&'a RawValue>,
}

fn read_element(element: Element<'_>) -> Result<Report, Reject> {
    let recorded_at = Timestamp::parse_rfc3339(&element.recorded_at).ok_or(Reject::Malformed)?;
    let attrs = element.attrs.map(|attrs| match serde_json::from_str::<Map<String, Value>>(attrs.get()) {
        Ok(attrs) if attrs.is_empty() => String::new(),
        Ok(attrs) => Value::Object(attrs).to_string(),
        // Whether that is an object is found out with the rest.
        Err(_) => attrs.get().to_owned(),
    });
    read_report(PositionReport {
        recorded_at: recorded_at.millis(),
        lat: element.lat,
        lng: element.lng,
        speed: element.speed,
        course: element.course,
        alt: element.alt,
        sat: quantise(element.sat, 1.0, 0.0, f64::from(MAX_SAT))?.map(|sat| sat as u32),
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
    })
}

/// Quantises a report. Numbers are judged before they are rounded, so that none can wrap around.
fn read_report(raw: PositionReport) -> Result<Report, Reject> {
    let alarm: Option<Text> = raw.alarm.filter(|alarm| !alarm.is_empty()).map(Into::into);
    let (lat, lng) = match (raw.lat, raw.lng) {
        (Some(lat), Some(lng)) => (lat, lng),
        // Who calls for help need not know where they are.
        (None, None) if alarm.is_some() => (0.0, 0.0),
        _ => return Err(Reject::Malformed),
    };
    // A NaN is in no range.
    if !(-90.0..=90.0).contains(&lat) {
        return Err(Reject::LatitudeOutOfRange);
    }
    if !(-180.0..=180.0).contains(&lng) {
        return Err(Reject::LongitudeOutOfRange);
    }
    let speed = quantise(raw.speed, 10.0, 0.0, f64::from(MAX_SPEED_KMH)).map_err(|_| Reject::SpeedOutOfRange)?;
    let course = quantise(raw.course, 10.0, 0.0, 360.0).map_err(|_| Reject::CourseOutOfRange)?;
    let max_alt = f64::from(MAX_ALT_DM) / 10.0;
    let percent = |value| quantise(value, 1.0, 0.0, 100.0).map(|value| value.map(|percent| percent as u8));
    let mut report = Report {
        recorded_at: raw.recorded_at,
        lat: (lat * 1e7).round() as i32,
        lng: (lng * 1e7).round() as i32,
        speed: speed.map(|speed| speed as u32),
        course: course.map(|course| course as u32 % 3_600),
        alt: quantise(raw.alt, 10.0, -max_alt, max_alt)?.map(|alt| alt as i32),
        sat: raw.sat,
        odometer: quantise(raw.odometer, 1.0, 0.0, MAX_ODOMETER_M as f64)?.map(|odometer| odometer as u64),
        fuel_liter: quantise(raw.fuel_liter, 10.0, 0.0, f64::from(MAX_FUEL_DL) / 10.0)?.map(|fuel| fuel as u32),
        fuel_percent: percent(raw.fuel_percent)?,
        batt_percent: percent(raw.batt_percent)?,
        gsm_signal: percent(raw.gsm_signal)?,
        valid: raw.valid.unwrap_or(true),
        ignition: raw.ignition,
        charge: raw.charge,
        alarm,
        attrs: None,
        left_out: false,
    };
    report.take_attrs(raw.attrs.filter(|attrs| !attrs.is_empty()).map(Into::into))?;
    report.disown_no_place();
    Ok(report)
}

/// The nearest whole number of `1 / scale` units; [`Reject::ValueOutOfRange`] outside of `min` to `max`.
fn quantise(value: Option<f64>, scale: f64, min: f64, max: f64) -> Result<Option<i64>, Reject> {
    match value {
        None => Ok(None),
        Some(value) if (min..=max).contains(&value) => Ok(Some((value * scale).round() as i64)),
        Some(_) => Err(Reject::ValueOutOfRange),
    }
}

/// The texts of the elements of a JSON message; `None` when it is none.
pub(crate) fn json_elements(body: &[u8]) -> Option<Vec<&str>> {
    let text = std::str::from_utf8(body).ok()?.trim_ascii();
    if text.starts_with('{') { Some(vec![text]) } else { split_array(text) }
}

/// The texts between the commas of a JSON array; `None` when it is not closed or something follows it. Brackets are
/// only counted: the parser of an element finds what is wrong inside.
fn split_array(text: &str) -> Option<Vec<&str>> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let (mut elements, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    let (mut in_string, mut escaped) = (false, false);
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
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
    if in_string || depth > 0 {
        return None;
    }
    let last = &inner[start..];
    if !(elements.is_empty() && last.trim_ascii().is_empty()) {
        elements.push(last);
    }
    Some(elements)
}
