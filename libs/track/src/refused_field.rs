//! Which field of a message a refusal is about, for whoever connects a gateway. Looked for only once something was
//! refused, so that what is right does not pay for it.

use armada_proto::Timestamp;
use serde_json::{Map, Value};

use crate::{
    message::json_elements,
    report::{
        MAX_ALARM_BYTES, MAX_ALT_DM, MAX_ATTRS_BYTES, MAX_FUEL_DL, MAX_ODOMETER_M, MAX_SAT, MAX_SPEED_KMH, Reject,
    },
};

/// The elements of a JSON message; none of a message in protobuf.
pub struct RefusedFields<'a>(Vec<&'a str>);

impl<'a> RefusedFields<'a> {
    /// Of a message body.
    pub fn of(body: &'a [u8]) -> Self {
        Self(json_elements(body).unwrap_or_default())
    }

    /// The field because of which the element at `index` was refused, as it is spelt in JSON; none when it is not one
    /// field, or cannot be told.
    pub fn of_element(&self, index: usize, reject: Reject) -> Option<&'static str> {
        match reject {
            Reject::LatitudeOutOfRange | Reject::NullIsland => Some("lat"),
            Reject::LongitudeOutOfRange => Some("lng"),
            Reject::FutureFix | Reject::AncientFix | Reject::BeforeBinding | Reject::ExpiredFix => Some("recorded_at"),
            Reject::SpeedOutOfRange => Some("speed"),
            Reject::CourseOutOfRange => Some("course"),
            Reject::Malformed | Reject::ValueOutOfRange => wrong_field(&serde_json::from_str(self.0.get(index)?).ok()?),
            _ => None,
        }
    }
}

/// What a field of a JSON element must be.
enum Kind {
    Instant,
    Number(f64, f64),
    Flag,
    Text(usize),
    Object(usize),
}

const MAX_ALT: f64 = MAX_ALT_DM as f64 / 10.0;

const FIELDS: [(&str, Kind); 17] = [
    ("recorded_at", Kind::Instant),
    ("lat", Kind::Number(-90.0, 90.0)),
    ("lng", Kind::Number(-180.0, 180.0)),
    ("speed", Kind::Number(0.0, MAX_SPEED_KMH as f64)),
    ("course", Kind::Number(0.0, 360.0)),
    ("alt", Kind::Number(-MAX_ALT, MAX_ALT)),
    ("sat", Kind::Number(0.0, MAX_SAT as f64)),
    ("valid", Kind::Flag),
    ("ignition", Kind::Flag),
    ("odometer", Kind::Number(0.0, MAX_ODOMETER_M as f64)),
    ("fuel_liter", Kind::Number(0.0, MAX_FUEL_DL as f64 / 10.0)),
    ("fuel_percent", Kind::Number(0.0, 100.0)),
    ("batt_percent", Kind::Number(0.0, 100.0)),
    ("charge", Kind::Flag),
    ("gsm_signal", Kind::Number(0.0, 100.0)),
    ("alarm", Kind::Text(MAX_ALARM_BYTES)),
    ("attrs", Kind::Object(MAX_ATTRS_BYTES)),
];
/// So many of them must be there.
const REQUIRED: usize = 3;

fn wrong_field(element: &Map<String, Value>) -> Option<&'static str> {
    let is_there = |name: &str| element.get(name).is_some_and(|value| !value.is_null());
    let (has_alarm, has_place) = (is_there("alarm"), is_there("lat") || is_there("lng"));
    let wrong = |(place, (name, kind)): &(usize, &(&str, Kind))| match element.get(*name) {
        // An alarm may come without a place.
        None | Some(Value::Null) => *place < REQUIRED && (*place == 0 || !has_alarm || has_place),
        Some(value) => !is_of(value, kind),
    };
    FIELDS.iter().enumerate().find(wrong).map(|(_, (name, _))| *name)
}

fn is_of(value: &Value, kind: &Kind) -> bool {
    match kind {
        Kind::Instant => value.as_str().is_some_and(|text| Timestamp::parse_rfc3339(text).is_some()),
        Kind::Number(min, max) => value.as_f64().is_some_and(|number| (*min..=*max).contains(&number)),
        Kind::Flag => value.is_boolean(),
        Kind::Text(bytes) => value.as_str().is_some_and(|text| text.len() <= *bytes),
        Kind::Object(bytes) => value.is_object() && value.to_string().len() <= *bytes,
    }
}
