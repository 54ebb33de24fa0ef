//! Section `bff.maps`.

use std::{collections::HashSet, path::PathBuf};

use armada_runtime::{Result, Secret};
use http::Uri;
use serde::Deserialize;

use super::check::{refused, within};

/// Ids that begin so are those of files.
pub(crate) const FILE_PREFIX: &str = "file-";
/// The largest cache: a terabyte.
const CACHE_MB_MAX: u64 = 1 << 20;
const CACHE_DAYS_MAX: u64 = 365;
/// The addresses of maps are good for a day at least: 23 hours, so that others are there before that is over.
const RENEW_SECONDS_MAX: u64 = 23 * 3600;
const ID_MAX: usize = 32;
const NAME_MAX: usize = 100;
const ATTRIBUTION_MAX: usize = 500;
/// Beyond it there are no tiles anywhere, and columns still fit into 32 bits.
const ZOOM_MAX: u8 = 24;

/// Section `bff.maps`: the street maps that there are.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MapsConfig {
    /// From where tiles are fetched.
    pub sources: Vec<MapSourceConfig>,
    /// The folder with `maps`, which has PMTiles files, and `map-cache`, which gets fetched tiles. Without it there are no
    /// files, and no tile is kept.
    pub data_dir: Option<PathBuf>,
    /// Megabytes (of 1,048,576 bytes) that fetched tiles may take; 0 for no cache.
    pub cache_mb: u64,
    /// Days after which a tile is fetched again.
    pub cache_days: u64,
    /// Seconds after which the visitors of a share link whose page stays open are told other addresses of the maps.
    pub renew_seconds: u64,
}

impl Default for MapsConfig {
    fn default() -> Self {
        let (cache_mb, cache_days, renew_seconds) = (512, 7, RENEW_SECONDS_MAX);
        Self { sources: Vec::new(), data_dir: None, cache_mb, cache_days, renew_seconds }
    }
}

/// A source of tiles.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapSourceConfig {
    /// Lower-case letters, digits and dashes. Tiles are kept under it.
    pub id: String,
    /// For people.
    pub name: String,
    /// With `{z}`, `{x}` and `{y}` in it, and perhaps a key.
    pub url: Secret,
    /// Whose data they are, as text.
    pub attribution: String,
    /// The deepest zoom that it has.
    #[serde(default = "usual_max_zoom")]
    pub max_zoom: u8,
}

fn usual_max_zoom() -> u8 {
    19
}

impl MapsConfig {
    pub(crate) fn check(&self) -> Result<()> {
        if self.cache_mb > 0 {
            within("bff.maps.cache_mb", self.cache_mb, CACHE_MB_MAX)?;
        }
        within("bff.maps.cache_days", self.cache_days, CACHE_DAYS_MAX)?;
        within("bff.maps.renew_seconds", self.renew_seconds, RENEW_SECONDS_MAX)?;
        let mut ids = HashSet::new();
        for source in &self.sources {
            let wrong = |what: &str| refused(format!("bff.maps.sources: {}: {what}", source.id));
            source.check().map_err(wrong)?;
            if !ids.insert(source.id.as_str()) {
                return Err(wrong("another source has this id"));
            }
        }
        Ok(())
    }
}

impl MapSourceConfig {
    /// The address of a tile.
    pub(crate) fn address(&self, z: u8, x: u32, y: u32) -> String {
        let filled = self.url.reveal().replace("{z}", &z.to_string()).replace("{x}", &x.to_string());
        filled.replace("{y}", &y.to_string())
    }

    /// What is wrong with it, if anything is. The address is not named: it may hold a key.
    fn check(&self) -> Result<(), &'static str> {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if !(1..=ID_MAX).contains(&self.id.len()) || !self.id.bytes().all(is_plain) {
            return Err("an id has 1 to 32 characters of a-z, 0-9 and -");
        }
        if self.id.starts_with(FILE_PREFIX) {
            return Err("ids that begin with file- are those of files");
        }
        if self.name.trim().is_empty() || self.name.chars().count() > NAME_MAX {
            return Err("name must have 1 to 100 characters");
        }
        if self.attribution.chars().count() > ATTRIBUTION_MAX {
            return Err("attribution must have at most 500 characters");
        }
        if self.max_zoom > ZOOM_MAX {
            return Err("max_zoom must be 0 to 24");
        }
        self.check_url()
    }

    fn check_url(&self) -> Result<(), &'static str> {
        let url = self.url.reveal();
        if url.contains("{s}") {
            return Err("url must name one host instead of {s}");
        }
        if ["{z}", "{x}", "{y}"].iter().any(|placeholder| !url.contains(placeholder)) {
            return Err("url must have {z}, {x} and {y} in it");
        }
        let filled = self.address(0, 0, 0);
        if filled.contains(['{', '}']) {
            return Err("url may have {z}, {x} and {y} in it and no other placeholder");
        }
        let uri: Uri = filled.parse().map_err(|_| "url is no address")?;
        let is_http = matches!(uri.scheme_str(), Some("http" | "https"));
        if is_http && uri.host().is_some_and(|host| !host.is_empty()) {
            Ok(())
        } else {
            Err("url must begin with https:// or http:// and a host")
        }
    }
}
