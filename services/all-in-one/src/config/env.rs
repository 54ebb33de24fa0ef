//! Settings from environment variables: `ARMADA_NATS_PORT` is `nats_port`, `ARMADA_POSITION_INGEST__PARTITIONS` is
//! `partitions` in the section `position_ingest`.

use anyhow::{Result, bail};
use figment::value::Value;

const PREFIX: &str = "ARMADA_";
const DATABASE_URL: &str = "DATABASE_URL";
/// Settings that are texts, however much they look like numbers.
const TEXTS: [&str; 8] =
    ["http_addr", "admin_addr", "grpc_addr", "data_dir", "nats_url", "public_url", "admin_email", "admin_password"];
const NUMBERS: [&str; 1] = ["nats_port"];
const SECTIONS: [&str; 4] = ["identity", "fleet", "position_ingest", "bff"];
const PEERS: &str = "peers";
/// Variables that others read: the log filter, the managed server's program, the file that was read before, scripts.
const NOT_SETTINGS: [&str; 5] = ["ARMADA_LOG", "ARMADA_NATS_SERVER", "ARMADA_CONFIG", "ARMADA_DEMO", "ARMADA_BIN"];
const TESTS: &str = "ARMADA_TEST_";

/// What one variable says.
pub(super) struct Setting {
    /// The variable.
    pub(super) variable: String,
    /// The key, with dots.
    pub(super) key: String,
    /// The value.
    pub(super) value: Value,
}

/// Of all variables, those that are settings. An empty one counts as not set.
pub(super) fn settings(variables: impl IntoIterator<Item = (String, String)>) -> Result<Vec<Setting>> {
    let mut settings = Vec::new();
    for (variable, text) in variables {
        let key = match variable.strip_prefix(PREFIX) {
            _ if NOT_SETTINGS.contains(&variable.as_str()) || variable.starts_with(TESTS) => continue,
            None if variable == DATABASE_URL => DATABASE_URL.to_lowercase(),
            None => continue,
            Some(name) => name.to_lowercase().replace("__", "."),
        };
        let value = value(&key, &text);
        match value {
            None => bail!("{variable}: unknown setting"),
            Some(_) if text.is_empty() => {}
            Some(value) => settings.push(Setting { variable, key, value }),
        }
    }
    Ok(settings)
}

/// The value of a key; none for a key that cannot be one.
fn value(key: &str, text: &str) -> Option<Value> {
    let as_written = || Value::from(text);
    let as_toml = || text.parse().unwrap_or_else(|never: std::convert::Infallible| match never {});
    match key.split_once('.') {
        None if TEXTS.contains(&key) || key == "database_url" => Some(as_written()),
        None if NUMBERS.contains(&key) => Some(as_toml()),
        Some((PEERS, _)) => Some(as_written()),
        Some((section, _)) if SECTIONS.contains(&section) => Some(as_toml()),
        _ => None,
    }
}
