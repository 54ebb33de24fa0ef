//! The names of fields and parameters as people write them: in another style, misspelt, or unknown.

use std::{cell::RefCell, collections::BTreeSet};

use axum::{extract::Request, middleware::Next, response::Response};
use http::{HeaderName, HeaderValue};
use serde::{
    Deserializer,
    de::{DeserializeOwned, Error, Visitor, value},
    forward_to_deserialize_any,
};

/// Letters that a name must have at least to be taken for a misspelt one.
const LETTERS_MIN: usize = 5;
/// Names that an answer tells, and the letters of one.
const TOLD_MAX: usize = 10;
const TOLD_LETTERS_MAX: usize = 64;

/// What the product's specification calls fields and parameters that have another name here: without its style, and the name
/// here. Where several are named for one, the first that a request has is meant.
const ALSO_CALLED: [(&str, &str); 9] = [
    ("chasisnumber", "chassis_number"),
    ("device", "device_id"),
    ("devicegroups", "group_ids"),
    ("devicegroups", "group_id"),
    ("hazmatcertificate", "has_hazmat_certificate"),
    ("subscriptionactive", "is_subscription_active"),
    ("tenant", "tenant_id"),
    ("trackingdeviceserialnumber", "tracker_serial_number"),
    ("user", "user_id"),
];

/// The header of an answer with the names that were passed over: nobody knows them.
static UNKNOWN_NAMES: HeaderName = HeaderName::from_static("armada-unknown-names");

tokio::task_local! {
    static PASSED_OVER: RefCell<BTreeSet<String>>;
}

/// Says that a name of the request means nothing.
pub(super) fn pass_over(name: &str) {
    let is_shown = |letter: &char| letter.is_ascii_graphic() && *letter != ',';
    let shown: String = name.chars().filter(is_shown).take(TOLD_LETTERS_MAX).collect();
    // Outside of a request, in a test for one, nobody wants to know.
    let _ = PASSED_OVER.try_with(|names| {
        let mut names = names.borrow_mut();
        if names.len() < TOLD_MAX {
            names.insert(shown);
        }
    });
}

/// Tells with the answer which names of the request were passed over.
pub(crate) async fn tell_unknown(request: Request, next: Next) -> Response {
    let answered = async {
        let mut response = next.run(request).await;
        let names: Vec<_> = PASSED_OVER.with(RefCell::take).into_iter().collect();
        if let Ok(value) = HeaderValue::from_str(&names.join(", "))
            && !names.is_empty()
        {
            response.headers_mut().insert(UNKNOWN_NAMES.clone(), value);
        }
        response
    };
    PASSED_OVER.scope(RefCell::default(), answered).await
}

/// What an unknown name is.
#[derive(Debug, PartialEq, Eq)]
pub enum Meant {
    /// This one, written in another style, `dueDate` for `due_date`, or as the specification calls it.
    Same(&'static str),
    /// Most likely this one: it has a letter too many, too few, another one, or two in the wrong order.
    Nearly(&'static str),
    /// None that is known.
    Nothing,
}

/// Names that are known, each with what is left of it without its style.
pub struct KnownNames(Vec<(&'static str, String)>);

impl KnownNames {
    /// These.
    pub fn of(names: impl IntoIterator<Item = &'static str>) -> Self {
        Self(names.into_iter().map(|name| (name, plain(name))).collect())
    }

    /// What is meant by a name that is not among them.
    pub fn meant(&self, name: &str) -> Meant {
        let name = plain(name);
        let same = self.0.iter().find(|(_, known)| *known == name).or_else(|| self.also_called(&name));
        if let Some((same, _)) = same {
            return Meant::Same(same);
        }
        // To compare a name that somebody made a megabyte long takes a while.
        let is_near = |known: &str| {
            known.len().max(name.len()) >= LETTERS_MIN
                && known.len().abs_diff(name.len()) <= char::MAX.len_utf8()
                && strsim::osa_distance(known, &name) == 1
        };
        self.0.iter().find(|(_, known)| is_near(known)).map_or(Meant::Nothing, |(near, _)| Meant::Nearly(near))
    }

    fn also_called(&self, name: &str) -> Option<&(&'static str, String)> {
        let mut here = ALSO_CALLED.iter().filter(|(called, _)| *called == name).map(|(_, here)| here);
        here.find_map(|here| self.0.iter().find(|(known, _)| known == here))
    }
}

/// A name without its style.
pub(super) fn plain(name: &str) -> String {
    name.replace(['_', '-'], "").to_lowercase()
}

/// The names of the fields of a message in JSON.
pub fn fields_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut fields: &'static [&'static str] = &[];
    // It asks for its fields, and gets nothing.
    let _ = T::deserialize(Asked(&mut fields));
    fields
}

struct Asked<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = value::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        Err(Self::Error::custom("these are its fields"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(Self::Error::custom("it has no fields"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
