//! The service's name, and what can be configured of it.

use armada_runtime::Secret;
use serde::Deserialize;

/// Name of the service.
pub const NAME: &str = "fleet";

/// Section `fleet` of the configuration.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// What passwords of trackers are sealed with in the database: the secret of this service, unless told.
    pub secret_key: Option<Secret>,
}
