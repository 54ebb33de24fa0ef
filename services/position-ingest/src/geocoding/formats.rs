//! How each kind of geocoder is asked, and what it answers.

use armada_proto::v1::Locale;
use form_urlencoded::Serializer;
use serde::{Deserialize, de::DeserializeOwned};

use super::place::Place;
use crate::config::{GeocoderConfig, GeocoderKind};

/// Characters of an address that are kept: none in the world needs more.
const ADDRESS_MAX: usize = 300;
/// What Nominatim says where there is nothing.
const NOTHING_THERE: &str = "Unable to geocode";

/// An answer that is not what geocoders of its kind say.
#[derive(Debug, PartialEq, Eq)]
pub struct Unreadable;

impl GeocoderKind {
    /// How a geocoder calls a language. None speaks Javanese; and Photon refuses languages that it was not built with, which
    /// Indonesian and Chinese usually are, while `default` is what things are called where they are.
    pub(super) fn language(self, locale: Locale) -> &'static str {
        match (self, locale) {
            (_, Locale::En) => "en",
            (Self::Photon, _) => "default",
            (_, Locale::Zh) => "zh",
            (_, Locale::Id | Locale::Jv | Locale::Unspecified) => "id",
        }
    }

    /// The address of a place in an answer; none where there is nothing.
    pub(super) fn read(self, body: &[u8]) -> Result<Option<String>, Unreadable> {
        let text = match self {
            Self::Nominatim => serde_json::from_slice::<Nominatim>(body).map_err(|_| Unreadable)?.address()?,
            Self::Photon => first::<Photon>(body)?.map(|found| found.address()),
            Self::Pelias => first::<Pelias>(body)?.map(|found| found.label),
        };
        Ok(text.map(|text| tidy(&text)).filter(|text| !text.is_empty()))
    }
}

/// The address of the call that asks for a place. It has the key in it.
pub fn request_address(config: &GeocoderConfig, place: Place) -> String {
    let (lat, lng) = (format!("{:.4}", place.lat()), format!("{:.4}", place.lng()));
    let mut query = Serializer::new(String::new());
    let (path, key_name) = match config.kind {
        GeocoderKind::Nominatim => {
            query.append_pair("format", "jsonv2").append_pair("lat", &lat).append_pair("lon", &lng);
            query.append_pair("zoom", "18").append_pair("accept-language", place.language);
            ("reverse", "key")
        }
        GeocoderKind::Photon => {
            query.append_pair("lat", &lat).append_pair("lon", &lng).append_pair("lang", place.language);
            ("reverse", "api_key")
        }
        GeocoderKind::Pelias => {
            query.append_pair("point.lat", &lat).append_pair("point.lon", &lng);
            query.append_pair("size", "1").append_pair("lang", place.language);
            ("v1/reverse", "api_key")
        }
    };
    if let Some(key) = &config.key {
        query.append_pair(key_name, key.reveal());
    }
    format!("{}/{path}?{}", config.url.trim_end_matches('/'), query.finish())
}

/// Without what would disguise a text or break a line, and no longer than addresses are.
fn tidy(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(ADDRESS_MAX).collect()
}

/// The parts that there are, with commas between them. What stands twice in a row, like a city that is a state, is said
/// once.
fn joined<'a>(parts: impl IntoIterator<Item = Option<&'a str>>) -> String {
    let mut parts: Vec<&str> = parts.into_iter().flatten().map(str::trim).filter(|part| !part.is_empty()).collect();
    parts.dedup();
    parts.join(", ")
}

/// A street with the number of a house, as it is written in most of the world.
fn street(name: Option<&str>, number: Option<&str>) -> Option<String> {
    let name = name?;
    Some(number.map_or_else(|| name.to_owned(), |number| format!("{name} {number}")))
}

#[derive(Deserialize)]
struct Nominatim {
    error: Option<String>,
    display_name: Option<String>,
    address: Option<NominatimParts>,
}

/// Of what Nominatim takes a place apart into, what people need to find it.
#[derive(Deserialize)]
struct NominatimParts {
    road: Option<String>,
    house_number: Option<String>,
    suburb: Option<String>,
    village: Option<String>,
    city: Option<String>,
    town: Option<String>,
    county: Option<String>,
    state: Option<String>,
}

impl Nominatim {
    /// In short where there is a street, since the whole has everything up to the country and the postcode.
    fn address(self) -> Result<Option<String>, Unreadable> {
        let short = self.address.as_ref().and_then(NominatimParts::short);
        match short.or(self.display_name) {
            Some(text) => Ok(Some(text)),
            None if self.error.as_deref().is_some_and(|error| error.starts_with(NOTHING_THERE)) => Ok(None),
            None => Err(Unreadable),
        }
    }
}

impl NominatimParts {
    fn short(&self) -> Option<String> {
        let street = street(self.road.as_deref(), self.house_number.as_deref())?;
        let district = self.suburb.as_deref().or(self.village.as_deref());
        let city = self.city.as_deref().or(self.town.as_deref()).or(self.county.as_deref());
        city.or(district)?;
        Some(joined([Some(street.as_str()), district, city, self.state.as_deref()]))
    }
}

/// GeoJSON, as far as it is needed here.
#[derive(Deserialize)]
struct Features<T> {
    features: Vec<Feature<T>>,
}

#[derive(Deserialize)]
struct Feature<T> {
    properties: T,
}

/// What the first of the things that were found says of itself.
fn first<T: DeserializeOwned>(body: &[u8]) -> Result<Option<T>, Unreadable> {
    let found: Features<T> = serde_json::from_slice(body).map_err(|_| Unreadable)?;
    Ok(found.features.into_iter().next().map(|feature| feature.properties))
}

#[derive(Deserialize)]
struct Photon {
    name: Option<String>,
    housenumber: Option<String>,
    street: Option<String>,
    district: Option<String>,
    city: Option<String>,
    state: Option<String>,
}

impl Photon {
    fn address(&self) -> String {
        let street = street(self.street.as_deref(), self.housenumber.as_deref());
        let parts = [self.name.as_deref(), street.as_deref(), self.district.as_deref(), self.city.as_deref()];
        joined(parts.into_iter().chain([self.state.as_deref()]))
    }
}

#[derive(Deserialize)]
struct Pelias {
    label: String,
}
