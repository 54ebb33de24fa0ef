//! A position in JSON of which something is not of the type that it should be: everything that can be read is.

use std::collections::HashMap;

use armada_proto::Timestamp;
use serde_json::{Value, value::RawValue};

use crate::{
    left_out::{Field, Flaw, LeftOut},
    message::Element,
    report::Reject,
};

/// The name of an alarm that has none.
const UNKNOWN_ALARM: &str = "unknown";

/// The members of an object, and what could not be read of them.
struct Members<'a> {
    members: HashMap<String, &'a RawValue>,
    left_out: LeftOut,
}

/// Reads an element member by member. Only its time must be as it should; a place that is not is none.
pub(crate) fn read(text: &str) -> Result<(Element<'_>, LeftOut), Reject> {
    let members: HashMap<String, &RawValue> = serde_json::from_str(text).map_err(|_| Reject::Malformed)?;
    let mut members = Members { members, left_out: LeftOut::NOTHING };
    let recorded_at: String =
        members.raw("recorded_at").and_then(|raw| serde_json::from_str(raw.get()).ok()).ok_or(Reject::Malformed)?;
    if Timestamp::parse_rfc3339(&recorded_at).is_none() {
        return Err(Reject::Malformed);
    }
    let element = Element {
        recorded_at: recorded_at.into(),
        lat: members.number(Field::Lat),
        lng: members.number(Field::Lng),
        speed: members.number(Field::Speed),
        course: members.number(Field::Course),
        alt: members.number(Field::Alt),
        sat: members.number(Field::Sat),
        valid: members.flag(Field::Valid),
        ignition: members.flag(Field::Ignition),
        odometer: members.number(Field::Odometer),
        fuel_liter: members.number(Field::FuelLiter),
        fuel_percent: members.number(Field::FuelPercent),
        batt_percent: members.number(Field::BattPercent),
        charge: members.flag(Field::Charge),
        gsm_signal: members.number(Field::GsmSignal),
        alarm: members.alarm(),
        attrs: members.raw("attrs"),
    };
    Ok((element, members.left_out))
}

impl<'a> Members<'a> {
    /// As it stands; none where null stands.
    fn raw(&self, name: &str) -> Option<&'a RawValue> {
        self.members.get(name).copied().filter(|raw| raw.get() != "null")
    }

    /// The value of a field; one that no parser reads is a number beyond all numbers, or left out.
    fn value(&mut self, field: Field) -> Option<Value> {
        let raw = self.raw(field.as_str())?.get();
        let is_number = raw.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        serde_json::from_str(raw)
            .inspect_err(|_| self.left_out.add(field, if is_number { Flaw::OutOfRange } else { Flaw::WrongType }))
            .ok()
    }

    /// A number, also one that is written as text; an empty text is nothing.
    fn number(&mut self, field: Field) -> Option<f64> {
        let number = match self.value(field)? {
            Value::Number(number) => number.as_f64(),
            Value::String(text) if text.trim().is_empty() => return None,
            Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
            _ => None,
        };
        self.noted(field, number)
    }

    /// True or false, also as text or as 1 or 0.
    fn flag(&mut self, field: Field) -> Option<bool> {
        let flag = match self.value(field)? {
            Value::Bool(flag) => Some(flag),
            Value::Number(number) => number.as_f64().and_then(|number| flag_of(&number.to_string())),
            Value::String(text) if text.trim().is_empty() => return None,
            Value::String(text) => flag_of(text.trim()),
            _ => None,
        };
        self.noted(field, flag)
    }

    /// The names of alarms. Whatever stands there is one, unless it says that there is none.
    fn alarm(&mut self) -> Option<String> {
        self.raw(Field::Alarm.as_str())?;
        match self.value(Field::Alarm) {
            Some(Value::Bool(false)) => None,
            Some(Value::String(text)) => Some(text),
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => {
                self.left_out.add(Field::Alarm, Flaw::WrongType);
                Some(UNKNOWN_ALARM.to_owned())
            }
        }
    }

    /// The value; where there is none, that it was left out.
    fn noted<T>(&mut self, field: Field, value: Option<T>) -> Option<T> {
        if value.is_none() {
            self.left_out.add(field, Flaw::WrongType);
        }
        value
    }
}

fn flag_of(text: &str) -> Option<bool> {
    match text {
        "1" => Some(true),
        "0" => Some(false),
        _ if text.eq_ignore_ascii_case("true") => Some(true),
        _ if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}
