//! The service's name, and what can be configured of it.

use std::time::Duration;

use serde::Deserialize;

/// Name of the service.
pub const NAME: &str = "notification";

/// Section `notification` of the configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Days that events are kept.
    pub event_days: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self { event_days: 400 }
    }
}

impl Config {
    /// For how long events are kept: a day at least.
    pub(crate) fn events_kept(&self) -> Duration {
        Duration::from_secs(u64::from(self.event_days.max(1)) * 24 * 3600)
    }
}
