//! The query of a request. An empty value counts as absent, a name that nobody asks for is ignored, and a list is the
//! same name several times.

use std::{convert::Infallible, str::FromStr};

use armada_proto::Timestamp;
use armada_runtime::{Fields, Result};
use axum::extract::FromRequestParts;
use http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::IntoParams;

/// Ids that a list may be narrowed to.
const IDS_MAX: usize = 500;

/// What all lists have in common.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Listing {
    /// From 1.
    #[param(required = false, minimum = 1)]
    pub(crate) page: u32,
    /// 25 when absent.
    #[param(required = false, minimum = 1, maximum = 500)]
    pub(crate) page_size: u32,
    /// A field, `-` before it for descending.
    #[param(required = false)]
    pub(crate) sort: String,
    /// Text to search for.
    #[param(required = false)]
    pub(crate) q: String,
}

/// The query as it came, and what was found wrong with it so far.
#[derive(Default)]
pub(crate) struct Query {
    pairs: Vec<(String, String)>,
    wrong: Fields,
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(parts.uri.query().unwrap_or_default()))
    }
}

impl Query {
    fn of(query: &str) -> Self {
        let pairs = form_urlencoded::parse(query.as_bytes()).into_owned().filter(|(_, value)| !value.is_empty());
        Self { pairs: pairs.collect(), wrong: Fields::default() }
    }

    /// The first value of a name.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.pairs.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone())
    }

    /// All values of a name.
    pub(crate) fn all(&self, name: &str) -> Vec<String> {
        self.pairs.iter().filter(|(other, _)| other == name).map(|(_, value)| value.clone()).collect()
    }

    /// All values of a name that is said of things; at most 500.
    pub(crate) fn ids(&mut self, name: &str) -> Vec<String> {
        let ids = self.all(name);
        if ids.len() > IDS_MAX {
            self.wrong(name, "too_many");
        }
        ids
    }

    fn parsed<T>(&mut self, name: &str, code: &'static str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        let text = self.text(name)?;
        let value = parse(&text);
        if value.is_none() {
            self.wrong.wrong(name, code);
        }
        value
    }

    /// A whole number; 0 when absent.
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        self.parsed(name, "invalid_number", |text| u32::from_str(text).ok()).unwrap_or_default()
    }

    /// `true` or `false`.
    pub(crate) fn flag(&mut self, name: &str) -> Option<bool> {
        self.parsed(name, "invalid", |text| bool::from_str(text).ok())
    }

    /// An instant. A plus sign that was not encoded arrives as a space.
    pub(crate) fn time(&mut self, name: &str) -> Option<Timestamp> {
        self.parsed(name, "invalid_time", |text| Timestamp::parse_rfc3339(&text.replace(' ', "+")))
    }

    /// One of the names of an enum.
    pub(crate) fn choice<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        self.parsed(name, "unknown", |text| serde_json::from_value(Value::from(text)).ok())
    }

    /// Several of the names of an enum.
    pub(crate) fn choices<T: DeserializeOwned>(&mut self, name: &str) -> Vec<T> {
        let names = self.all(name).into_iter();
        let values: Option<_> = names.map(|text| serde_json::from_value(Value::from(text)).ok()).collect();
        if values.is_none() {
            self.wrong.wrong(name, "unknown");
        }
        values.unwrap_or_default()
    }

    /// Says that a value is wrong.
    pub(crate) fn wrong(&mut self, name: &str, code: &'static str) {
        self.wrong.wrong(name, code);
    }

    /// Page, size, order and search.
    pub(crate) fn listing(&mut self) -> Listing {
        Listing {
            page: self.number("page"),
            page_size: self.page_size(),
            sort: self.text("sort").unwrap_or_default(),
            q: self.text("q").unwrap_or_default(),
        }
    }

    /// At most 500; 0 when absent.
    pub(crate) fn page_size(&mut self) -> u32 {
        let size = self.number("page_size");
        if size > 500 {
            self.wrong("page_size", "too_large");
        }
        size
    }

    /// An error if any value was wrong.
    pub(crate) fn check(self) -> Result<()> {
        self.wrong.check()
    }
}

#[cfg(test)]
mod tests {
    use armada_proto::v1::DeviceStatus;

    use super::*;

    #[test]
    fn reads_what_is_there() {
        let mut query = Query::of(
            "page=2&q=a+b&userIds=1&userIds=&userIds=2&status=active&from=2026-01-01T00:00:00+07:00&x&on=true",
        );
        let listing = query.listing();
        assert_eq!((listing.page, listing.page_size, listing.sort.as_str(), listing.q.as_str()), (2, 0, "", "a b"));
        assert_eq!(query.all("userIds"), ["1", "2"]);
        assert_eq!(query.choice("status"), Some(DeviceStatus::Active));
        assert_eq!(query.time("from").map(Timestamp::to_rfc3339).as_deref(), Some("2025-12-31T17:00:00Z"));
        assert_eq!(query.time("to"), None);
        assert_eq!((query.flag("on"), query.flag("off")), (Some(true), None));
        query.check().expect("nothing is wrong");
    }

    #[test]
    fn names_everything_that_is_wrong() {
        let mut query =
            Query::of(&format!("page=-1&page_size=501&status=flying&from=yesterday&on=yes{}", "&ids=x".repeat(501)));
        query.listing();
        query.choice::<DeviceStatus>("status");
        query.time("from");
        query.flag("on");
        query.ids("ids");
        let fields = query.check().expect_err("it is wrong").fields;
        let mut codes: Vec<_> = fields.iter().map(|(name, code)| format!("{name} {code}")).collect();
        codes.sort();
        let wanted = ["from invalid_time", "ids too_many", "on invalid", "page invalid_number", "page_size too_large"];
        assert_eq!(codes[..5], wanted);
        assert_eq!(codes[5..], ["status unknown"]);
    }
}
