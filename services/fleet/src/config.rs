//! The service's name, and what can be configured of it.

use serde::{Deserialize, Serialize};

/// Name of the service.
pub const NAME: &str = "fleet";

/// Section `fleet` of the configuration: nothing can be chosen yet.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {}
