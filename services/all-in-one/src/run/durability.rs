//! Whether the NATS server writes to disk before it acknowledges: on that rests that an acknowledged position is never
//! lost. The managed server is told so. Another one says it on its monitoring port alone, where that is configured.

use armada_runtime::{
    Error, Result,
    health::Health,
    https::{self, HttpsClient},
};
use serde_json::Value;

use crate::{config::Config, http};

/// Its name in `/readyz`.
const NAME: &str = "nats durability";

/// Has it looked at.
pub(super) fn watch(health: &Health, config: &Config) -> Result<()> {
    if !config.has_own_nats() {
        let sentence = "the managed server writes to disk before it acknowledges";
        health.check(NAME, &[], move || std::future::ready(Ok(Some(sentence.to_owned()))));
        return Ok(());
    }
    let Some(url) = &config.nats_monitor_url else { return Ok(()) };
    let client = https::client().map_err(Error::internal)?;
    let url = format!("{}/varz", url.trim_end_matches('/'));
    health.check(NAME, &["nats".into()], move || {
        let (client, url) = (client.clone(), url.clone());
        async move { check_server(&client, &url).await.map(Some) }
    });
    Ok(())
}

async fn check_server(client: &HttpsClient<String>, url: &str) -> Result<String> {
    let (status, text) = http::get(client, url).await?;
    if !status.is_success() {
        return Err(Error::unavailable(format!("{url}: {status}")));
    }
    let varz: Value = serde_json::from_str(&text).map_err(|error| Error::unavailable(format!("{url}: {error}")))?;
    match varz["jetstream"]["config"]["sync_always"] {
        Value::Bool(true) => Ok("the server writes to disk before it acknowledges".to_owned()),
        _ => Err(Error::unavailable(
            "the server acknowledges before it writes to disk: set `sync_interval: always` in its section `jetstream`",
        )),
    }
}
