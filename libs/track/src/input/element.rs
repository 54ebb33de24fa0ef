//! A position as it stands in JSON. Of one in which something is not of the type that it should be, everything that can be
//! read is.

use std::{borrow::Cow, collections::HashMap, fmt, mem};

use armada_proto::Timestamp;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

use crate::{
    input::hardly_json::mended,
    position::{
        left_out::{Field, Flaw, LeftOut},
        report::Reject,
    },
};

/// The name of an alarm that has none.
pub(crate) const UNKNOWN_ALARM: &str = "unknown";

/// A position as it stands in JSON. What it does not name is ignored, null counts as absent.
#[derive(Deserialize)]
pub(crate) struct Element<'a> {
    #[serde(borrow)]
    pub(crate) recorded_at: Cow<'a, str>,
    pub(crate) lat: Option<f64>,
    pub(crate) lng: Option<f64>,
    pub(crate) speed: Option<f64>,
    pub(crate) course: Option<f64>,
    pub(crate) alt: Option<f64>,
    pub(crate) sat: Option<f64>,
    pub(crate) valid: Option<bool>,
    pub(crate) ignition: Option<bool>,
    pub(crate) odometer: Option<f64>,
    pub(crate) fuel_liter: Option<f64>,
    pub(crate) fuel_percent: Option<f64>,
    pub(crate) batt_percent: Option<f64>,
    pub(crate) charge: Option<bool>,
    pub(crate) gsm_signal: Option<f64>,
    pub(crate) alarm: Option<String>,
    #[serde(borrow)]
    pub(crate) attrs: Option<&'a RawValue>,
}

impl<'a> Element<'a> {
    /// Reads one. Most say everything as it should be, and are read at once.
    pub(crate) fn read(text: &'a str) -> Result<(Self, LeftOut), Reject> {
        match serde_json::from_str(text) {
            Ok(element) => Ok((element, LeftOut::NOTHING)),
            Err(_) => Members::of(text).and_then(Members::read).ok_or(Reject::Malformed),
        }
    }
}

/// The first of what a position must have that it has not, or not as it should be, as it is spelt; none if it is all there,
/// or if there is no position at all.
pub(crate) fn wrong_field(text: &str) -> Option<&'static str> {
    let mended = mended(text);
    let mut members = Members::of(mended.as_deref().unwrap_or(text))?;
    if members.recorded_at().is_none() {
        return Some("recorded_at");
    }
    [Field::Lat, Field::Lng].into_iter().find(|field| members.number(*field).is_none()).map(Field::as_str)
}

/// The members of an object, and what could not be read of them.
struct Members<'a> {
    given: Given<'a>,
    left_out: LeftOut,
}

/// The members as they stand, without those that are null. Of one that is there several times the first counts, but alarms do all.
#[derive(Default)]
struct Given<'a> {
    members: HashMap<Name, &'a RawValue>,
    alarms: Vec<&'a RawValue>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Given<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Given::default())
    }
}

impl<'de: 'a, 'a> Visitor<'de> for Given<'a> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a position")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some((name, value)) = map.next_entry::<Name, &'de RawValue>()? {
            match name.0.as_deref() {
                _ if value.get() == "null" => {}
                Some(alarm) if alarm == Field::Alarm.as_str() => self.alarms.push(value),
                _ => _ = self.members.entry(name).or_insert(value),
            }
        }
        Ok(self)
    }
}

/// The name of a member; none of one that no parser reads.
#[derive(PartialEq, Eq, Hash)]
struct Name(Option<String>);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        Ok(Self(serde_json::from_str(raw.get()).ok()))
    }
}

impl<'a> Members<'a> {
    fn of(text: &'a str) -> Option<Self> {
        Some(Self { given: serde_json::from_str(text).ok()?, left_out: LeftOut::NOTHING })
    }

    /// Only its time must be as it should; a place that is not is none.
    fn read(mut self) -> Option<(Element<'a>, LeftOut)> {
        let element = Element {
            recorded_at: self.recorded_at()?.into(),
            lat: self.number(Field::Lat),
            lng: self.number(Field::Lng),
            speed: self.number(Field::Speed),
            course: self.number(Field::Course),
            alt: self.number(Field::Alt),
            sat: self.number(Field::Sat),
            valid: self.flag(Field::Valid),
            ignition: self.flag(Field::Ignition),
            odometer: self.number(Field::Odometer),
            fuel_liter: self.number(Field::FuelLiter),
            fuel_percent: self.number(Field::FuelPercent),
            batt_percent: self.number(Field::BattPercent),
            charge: self.flag(Field::Charge),
            gsm_signal: self.number(Field::GsmSignal),
            alarm: self.alarm(),
            attrs: self.raw(Field::Attrs.as_str()),
        };
        Some((element, self.left_out))
    }

    /// An instant as text.
    fn recorded_at(&self) -> Option<String> {
        let text: String = serde_json::from_str(self.raw("recorded_at")?.get()).ok()?;
        Timestamp::parse_rfc3339(&text).map(|_| text)
    }

    /// As it stands; none where null stands.
    fn raw(&self, name: &str) -> Option<&'a RawValue> {
        self.given.members.get(&Name(Some(name.to_owned()))).copied()
    }

    /// The value of a field.
    fn value(&mut self, field: Field) -> Option<Value> {
        self.parsed(field, self.raw(field.as_str())?)
    }

    /// What stands there of a field; what no parser reads is a number beyond all numbers, or left out.
    fn parsed(&mut self, field: Field, raw: &RawValue) -> Option<Value> {
        let raw = raw.get();
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

    /// The names of alarms, separated by commas.
    fn alarm(&mut self) -> Option<String> {
        let given = mem::take(&mut self.given.alarms);
        let names: Vec<String> = given.into_iter().filter_map(|raw| self.alarm_of(raw)).collect();
        (!names.is_empty()).then(|| names.join(","))
    }

    /// Whatever stands there is one, unless it says that there is none.
    fn alarm_of(&mut self, raw: &RawValue) -> Option<String> {
        match self.parsed(Field::Alarm, raw) {
            Some(Value::Bool(false)) => None,
            Some(Value::String(text)) => Some(text),
            Some(Value::Number(number)) if number.as_f64() == Some(0.0) => None,
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
