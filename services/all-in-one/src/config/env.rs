//! Settings from environment variables: `ARMADA_NATS_PORT` is `nats_port`, `ARMADA_POSITION_INGEST__PARTITIONS` is
//! `partitions` in the section `position_ingest`.

use std::fs;

use anyhow::{Context as _, Result, bail};
use armada_declarations::{Kind, SERVICES};
use figment::value::Value;

const PREFIX: &str = "ARMADA_";
/// Without the prefix, as many programs know the first one.
const UNPREFIXED: [&str; 2] = ["DATABASE_URL", "DATABASE_OWNER_URL"];
/// Texts that may be the content of a file: `ARMADA_ADMIN_PASSWORD_FILE=/run/secrets/admin`.
const SECRETS: [&str; 7] = [
    "admin_password",
    "secret_key",
    "secret_key_former",
    "service_secret",
    "nats_url",
    "database_url",
    "database_owner_url",
];
/// Sections of such texts, one for each service.
const SECRETS_OF_SERVICES: [&str; 2] = ["nats_urls", "service_secrets"];
const FILE: &str = "_file";
/// Settings that are texts, however much they look like numbers.
const TEXTS: [&str; 7] =
    ["http_addr", "admin_addr", "grpc_addr", "data_dir", "nats_monitor_url", "public_url", "admin_email"];
/// Settings that are on (`1`, `true`) or off (`0`, `false`).
const FLAGS: [&str; 2] = ["demo", "clock_trusted"];
const NUMBERS: [&str; 5] =
    ["nats_port", "stream_replicas", "service_key_seconds", "database_max_connections", "shutdown_delay_seconds"];
const PEERS: &str = "peers";
/// Variables that others read: the log filter, the managed server's program, the file that was read before, scripts.
const NOT_SETTINGS: [&str; 5] =
    ["ARMADA_LOG", "ARMADA_NATS_SERVER", "ARMADA_CONFIG", "ARMADA_BIN", "ARMADA_LOG_FORMAT"];
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
            None if UNPREFIXED.contains(&variable.trim_end_matches("_FILE")) => variable.to_lowercase(),
            None => continue,
            Some(name) => name.to_lowercase().replace("__", "."),
        };
        let (key, text) = match key.strip_suffix(FILE).filter(|key| holds_secrets(key)) {
            Some(key) if !text.is_empty() => (key.to_owned(), content(&variable, &text)?),
            Some(key) => (key.to_owned(), text),
            None => (key, text),
        };
        let value = value(&key, &text);
        match value {
            None => bail!("{variable}: unknown setting"),
            Some(_) if text.is_empty() => {}
            Some(value) => {
                if let Some(other) = settings.iter().find(|other: &&Setting| other.key == key) {
                    bail!("{} and {variable} are both set", other.variable);
                }
                settings.push(Setting { variable, key, value });
            }
        }
    }
    Ok(settings)
}

/// What a file holds, without the line end that editors leave.
fn content(variable: &str, file: &str) -> Result<String> {
    let text = fs::read_to_string(file).with_context(|| format!("{variable}: {file}"))?;
    Ok(text.trim_end().to_owned())
}

/// Whether what stands there is for nobody's eyes, and may stand in a file: `ARMADA_BFF__MAPS__SOURCES_FILE` names one with
/// what the variable would say, over as many lines as one likes.
pub(super) fn holds_secrets(key: &str) -> bool {
    is_secret_text(key) || kind(key) == Some(Kind::SecretValue)
}

fn is_secret_text(key: &str) -> bool {
    let of_service = |key: &str| key.split_once('.').is_some_and(|(section, _)| SECRETS_OF_SERVICES.contains(&section));
    SECRETS.contains(&key) || of_service(key) || kind(key) == Some(Kind::Secret)
}

/// How a setting in the section of a service is read, as it has declared; as a value where it has declared none, which the
/// section refuses.
fn kind(key: &str) -> Option<Kind> {
    let (section, below) = key.split_once('.')?;
    let service = SERVICES.iter().find(|service| service.section() == section)?;
    let declared = service.settings.iter().find(|setting| setting.key == below);
    Some(declared.map_or(Kind::Value, |setting| setting.kind))
}

/// The value of a key; none for a key that cannot be one.
fn value(key: &str, text: &str) -> Option<Value> {
    let as_written = || Value::from(text);
    let as_toml = || text.parse().unwrap_or_else(|never: std::convert::Infallible| match never {});
    match key.split_once('.') {
        _ if TEXTS.contains(&key) || is_secret_text(key) || kind(key) == Some(Kind::Text) => Some(as_written()),
        None if FLAGS.contains(&key) => Some(match text {
            "1" => Value::from(true),
            "0" => Value::from(false),
            _ => as_toml(),
        }),
        None if NUMBERS.contains(&key) => Some(as_toml()),
        Some((PEERS, _)) => Some(as_written()),
        Some(_) if kind(key).is_some() => Some(as_toml()),
        _ => None,
    }
}
