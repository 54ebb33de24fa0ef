//! A report as gateways write it in JSON.

use armada_proto::Timestamp;
use armada_track::Report;
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct Element<'a> {
    recorded_at: String,
    lat: f64,
    lng: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    course: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alt: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sat: Option<u32>,
    #[serde(skip_serializing_if = "is_true")]
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignition: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    odometer: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fuel_liter: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fuel_percent: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    batt_percent: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    charge: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gsm_signal: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alarm: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attrs: Option<Value>,
}

fn is_true(value: &bool) -> bool {
    *value
}

/// One object.
pub(crate) fn to_json(report: &Report) -> Vec<u8> {
    let tenth = |value: u32| f64::from(value) / 10.0;
    let element = Element {
        recorded_at: Timestamp::from_millis(report.recorded_at).to_rfc3339(),
        lat: f64::from(report.lat) / 1e7,
        lng: f64::from(report.lng) / 1e7,
        speed: report.speed.map(tenth),
        course: report.course.map(tenth),
        alt: report.alt.map(|alt| f64::from(alt) / 10.0),
        sat: report.sat,
        valid: report.valid,
        ignition: report.ignition,
        odometer: report.odometer,
        fuel_liter: report.fuel_liter.map(tenth),
        fuel_percent: report.fuel_percent,
        batt_percent: report.batt_percent,
        charge: report.charge,
        gsm_signal: report.gsm_signal,
        alarm: report.alarm.as_deref(),
        attrs: report.attrs.as_deref().and_then(|attrs| serde_json::from_str(attrs).ok()),
    };
    serde_json::to_vec(&element).unwrap_or_default()
}
