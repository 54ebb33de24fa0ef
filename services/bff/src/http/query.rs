//! The query of a request. An empty value counts as absent, a misspelt name is refused, another one that nobody asks for is
//! ignored, and a list is the same name several times.

use std::{
    collections::BTreeSet,
    convert::Infallible,
    str::FromStr,
    sync::{Mutex, PoisonError},
};

use armada_proto::Timestamp;
use armada_runtime::{Error, Result, Violations};
use axum::extract::FromRequestParts;
use chrono_tz::Tz;
use http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{
    failure::Failure,
    names::{self, KnownNames, Meant},
};

/// A message that stands in a query. The contract says how.
pub trait FromQuery: DeserializeOwned + Default {
    /// Its fields, but for those that stand elsewhere.
    const PARAMS: &'static [Param];
}

/// A field in a query, by its name in JSON.
pub struct Param {
    /// As it stands in the query.
    pub name: &'static str,
    /// What its text has to be.
    pub kind: Kind,
}

/// A field that a query has.
pub(crate) struct Given {
    pub(crate) name: &'static str,
    pub(crate) kind: &'static Kind,
    pub(crate) values: Vec<String>,
}

/// What the text of a field has to be.
pub enum Kind {
    /// Any text.
    Text,
    /// Several texts.
    Texts {
        /// How many there may be.
        max: usize,
    },
    /// A whole number from zero on.
    Number {
        /// The largest one.
        max: u64,
    },
    /// `true` or `false`.
    Flag,
    /// RFC 3339.
    Time,
    /// One of these names.
    Choice(&'static [&'static str]),
    /// Some of these names.
    Choices(&'static [&'static str]),
}

impl Param {
    pub(crate) const fn new(name: &'static str, kind: Kind) -> Self {
        Self { name, kind }
    }

    /// The value in JSON, if there is any, or the code of what is wrong with it.
    fn read(&self, query: &Query) -> Result<Option<Value>, &'static str> {
        let text = || query.text(self.name);
        let value = match self.kind {
            // No text of a database holds it.
            Kind::Text | Kind::Texts { .. } if query.all(self.name).iter().any(|text| text.contains('\0')) => {
                return Err("invalid_characters");
            }
            Kind::Text => text().map(Value::from),
            Kind::Texts { max } => match query.all(self.name) {
                texts if texts.len() > max => return Err("too_many"),
                texts => Some(texts.into()),
            },
            Kind::Number { max } => match text().map(|text| u64::from_str(&text)) {
                // A number that no field can hold is none; one that is more than is allowed is.
                Some(Ok(number)) if number <= max => Some(number.into()),
                Some(Ok(number)) if number <= u64::from(u32::MAX) => return Err("too_large"),
                Some(_) => return Err("invalid_number"),
                None => None,
            },
            Kind::Flag => text().map(|text| bool::from_str(&text)).transpose().map_err(|_| "invalid")?.map(Value::from),
            // A plus sign that was not encoded arrives as a space.
            Kind::Time => match text().map(|text| text.replace(' ', "+")) {
                Some(text) if Timestamp::parse_rfc3339(&text).is_none() => return Err("invalid_time"),
                text => text.map(Value::from),
            },
            Kind::Choice(names) => match text() {
                Some(text) if !names.contains(&&*text) => return Err("unknown"),
                text => text.map(Value::from),
            },
            Kind::Choices(names) => match query.all(self.name) {
                texts if texts.iter().any(|text| !names.contains(&&**text)) => return Err("unknown"),
                texts => Some(texts.into()),
            },
        };
        Ok(value)
    }
}

/// A message that was read from the query; whatever is wrong is told of every field.
pub(crate) struct QueryMessage<T>(pub(crate) T);

impl<T: FromQuery, S: Send + Sync> FromRequestParts<S> for QueryMessage<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let mut query = Query::of(parts.uri.query().unwrap_or_default());
        let message = query.message();
        query.check()?;
        Ok(Self(message))
    }
}

/// The query as it came, and what was found wrong with it so far.
#[derive(Default)]
pub struct Query {
    pairs: Vec<(String, String)>,
    violations: Violations,
    /// What the message that was read can hold.
    params: &'static [Param],
    /// Other names that were asked for.
    asked: Mutex<BTreeSet<String>>,
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(parts.uri.query().unwrap_or_default()))
    }
}

impl Query {
    /// Of what stands behind the question mark.
    pub fn of(query: &str) -> Self {
        let pairs = form_urlencoded::parse(query.as_bytes()).into_owned().filter(|(_, value)| !value.is_empty());
        Self { pairs: pairs.collect(), ..Self::default() }
    }

    /// The first value of a name.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.is_asked(name);
        self.pairs.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone())
    }

    /// All values of a name.
    pub(crate) fn all(&self, name: &str) -> Vec<String> {
        self.is_asked(name);
        self.pairs.iter().filter(|(other, _)| other == name).map(|(_, value)| value.clone()).collect()
    }

    fn is_asked(&self, name: &str) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
    }

    /// The message that the query is. [`Self::check`] tells whether it can be relied upon.
    pub fn message<T: FromQuery>(&mut self) -> T {
        let mut fields = Map::new();
        self.params = T::PARAMS;
        self.name_as_known(T::PARAMS);
        for param in T::PARAMS {
            match param.read(self) {
                Ok(Some(value)) => drop(fields.insert(param.name.to_owned(), value)),
                Ok(None) => {}
                Err(code) => self.wrong(param.name, code),
            }
        }
        serde_json::from_value(Value::Object(fields)).unwrap_or_else(|error| {
            // Whatever a field can be was looked at before.
            self.wrong("query", "wrong_type");
            tracing::error!(error = %Error::internal(error), "a query was read otherwise than its message");
            T::default()
        })
    }

    /// Calls what is written in another style as it is called, and refuses what is misspelt.
    fn name_as_known(&mut self, params: &'static [Param]) {
        let is_param = |name: &str| params.iter().any(|param| param.name == name);
        let mut others = self.pairs.iter_mut().map(|(name, _)| name).filter(|name| !is_param(name)).peekable();
        if others.peek().is_none() {
            return;
        }
        let known = KnownNames::of(params.iter().map(|param| param.name));
        for name in others {
            match known.meant(name) {
                Meant::Same(param) => param.clone_into(name),
                Meant::Nearly(param) => self.violations.add(param, "misspelt"),
                Meant::Nothing => {}
            }
        }
    }

    /// The time zone of the reader, `tz`; UTC where none is named.
    pub(crate) fn time_zone(&mut self) -> Tz {
        let Some(name) = self.text("tz") else { return Tz::UTC };
        name.parse().unwrap_or_else(|_| {
            self.wrong("tz", "invalid_time_zone");
            Tz::UTC
        })
    }

    /// The fields of the message that are there.
    pub(crate) fn given(&self) -> Vec<Given> {
        let given = self.params.iter().map(|param| {
            let values = match param.kind {
                Kind::Texts { .. } | Kind::Choices(_) => self.all(param.name),
                _ => self.text(param.name).into_iter().collect(),
            };
            Given { name: param.name, kind: &param.kind, values }
        });
        given.filter(|given| !given.values.is_empty()).collect()
    }

    /// Says that a value is wrong.
    pub(crate) fn wrong(&mut self, name: &str, code: &'static str) {
        self.violations.add(name, code);
    }

    /// An error if any value was wrong.
    pub fn check(self) -> Result<()> {
        let asked = self.asked.into_inner().unwrap_or_else(PoisonError::into_inner);
        let names: BTreeSet<_> = self.pairs.iter().map(|(name, _)| name.as_str()).collect();
        names.into_iter().filter(|name| !asked.contains(*name)).for_each(names::pass_over);
        Ok(self.violations.check()?)
    }
}
