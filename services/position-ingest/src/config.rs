//! The service's name, and what can be configured of it.

use std::time::Duration;

use armada_runtime::{Code, Error, Result, Secret};
use http::{HeaderValue, Uri};
use serde::Deserialize;

use crate::metrics::standstill::HeldSteps;

/// The service's name.
pub const NAME: &str = "position-ingest";

/// The most requests to a geocoder in a second.
const REQUESTS_PER_SECOND_MAX: u32 = 1000;
/// Ten years.
const CACHE_DAYS_MAX: u32 = 3653;

/// Settings of ingest.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// How many partitions there are. Fixed with the first start: the stream remembers, and another number is refused.
    pub partitions: u32,
    /// Bytes that RAW may take.
    pub raw_max_bytes: i64,
    /// Bytes that POSITIONS may take.
    pub positions_max_bytes: i64,
    /// Bytes that the dead letters may take; beyond, the oldest go.
    pub dead_letters_max_bytes: i64,
    /// Bytes that fixes of IMEIs may take which nobody has; beyond, the oldest go.
    pub held_max_bytes: i64,
    /// Bytes that refused messages may take which are kept for who sees their devices; beyond, the oldest go.
    pub refused_max_bytes: i64,
    /// How long positions are gathered before they are committed, in milliseconds; four times as long in a flood (more
    /// than 1,000 positions of a partition within this time). The live map does not wait for it.
    pub commit_linger_ms: u64,
    /// How often hot frames are sealed, in seconds.
    pub seal_seconds: u64,
    /// Positions of one partition after which they are sealed sooner.
    pub seal_positions: usize,
    /// Who is asked what is at a place; without one, no addresses are known.
    pub geocoder: Option<GeocoderConfig>,
    /// Steps that a test holds.
    #[serde(skip)]
    pub held_steps: HeldSteps,
}

/// Section `position_ingest.geocoder`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeocoderConfig {
    /// How it is asked and answers.
    pub kind: GeocoderKind,
    /// Where it is, without the path of a call: `https://nominatim.example.com`.
    pub url: String,
    /// What it wants to know its customers by.
    pub key: Option<Secret>,
    /// Requests of one process in a second: 1 to 1000. As many are under way at a time, but for 16 at most.
    #[serde(default = "usual_requests_per_second")]
    pub requests_per_second: u32,
    /// Days after which an address is asked for again: 1 to 3653.
    #[serde(default = "usual_cache_days")]
    pub cache_days: u32,
    /// As what Armada presents itself, where the operator of the geocoder wants a way to write to whoever asks:
    /// `Armada (fleet@example.com)`.
    pub user_agent: Option<String>,
}

/// A program that turns coordinates into addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GeocoderKind {
    /// <https://nominatim.org>, and services that answer as it does.
    Nominatim,
    /// <https://photon.komoot.io>.
    Photon,
    /// <https://pelias.io>.
    Pelias,
}

fn usual_requests_per_second() -> u32 {
    1
}

fn usual_cache_days() -> u32 {
    365
}

impl Default for Config {
    fn default() -> Self {
        Self {
            partitions: 8,
            raw_max_bytes: 4 << 30,
            positions_max_bytes: 2 << 30,
            dead_letters_max_bytes: 256 << 20,
            held_max_bytes: 512 << 20,
            refused_max_bytes: 128 << 20,
            commit_linger_ms: 25,
            seal_seconds: 60,
            seal_positions: 1_000_000,
            geocoder: None,
            held_steps: HeldSteps::default(),
        }
    }
}

impl Config {
    /// Refuses what no process can work with.
    pub fn check(&self) -> Result<()> {
        let wrong = |what: &str| Error::new(Code::Invalid, "invalid", format!("position_ingest.geocoder.{what}"));
        self.geocoder.as_ref().map_or(Ok(()), |geocoder| geocoder.check().map_err(wrong))
    }

    /// How long positions are gathered.
    pub(crate) fn commit_linger(&self) -> Duration {
        Duration::from_millis(self.commit_linger_ms)
    }

    /// How often hot frames are sealed.
    pub(crate) fn seal_every(&self) -> Duration {
        Duration::from_secs(self.seal_seconds.max(1))
    }
}

impl GeocoderConfig {
    /// What is wrong with it, if anything is. The address is not repeated: it may hold a key.
    fn check(&self) -> Result<(), &'static str> {
        let uri: Uri = self.url.parse().map_err(|_| "url is no address")?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none_or(str::is_empty) {
            return Err("url must begin with https:// or http:// and a host");
        }
        if uri.query().is_some() || uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err("url must be without a query and a password; a key has a setting of its own");
        }
        if !(1..=REQUESTS_PER_SECOND_MAX).contains(&self.requests_per_second) {
            return Err("requests_per_second must be 1 to 1000");
        }
        if !(1..=CACHE_DAYS_MAX).contains(&self.cache_days) {
            return Err("cache_days must be 1 to 3653");
        }
        if self.user_agent.as_ref().is_some_and(|agent| HeaderValue::from_str(agent).is_err()) {
            return Err("user_agent has characters that cannot stand in a header");
        }
        Ok(())
    }

    /// For how long an address is kept.
    pub(crate) fn kept(&self) -> Duration {
        Duration::from_secs(u64::from(self.cache_days) * 24 * 3600)
    }
}
