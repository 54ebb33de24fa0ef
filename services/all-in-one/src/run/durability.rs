//! Whether the NATS server writes to disk before it acknowledges: on that rests that an acknowledged position is never
//! lost. The managed server is told so. Another one says it on its monitoring port alone, where that is configured.

use armada_runtime::{Error, Result, health::Health};
use serde_json::Value;

use crate::config::Config;

/// Its name in `/readyz`.
const NAME: &str = "nats durability";

/// Has it looked at.
pub(super) fn watch(health: &Health, config: &Config) {
    if !config.has_own_nats() {
        let sentence = "the managed server writes to disk before it acknowledges";
        return health.check(NAME, &[], move || std::future::ready(Ok(Some(sentence.to_owned()))));
    }
    let Some(url) = &config.nats_monitor_url else { return };
    let (http, url) = (reqwest::Client::new(), format!("{}/varz", url.trim_end_matches('/')));
    health.check(NAME, &["nats".into()], move || {
        let (http, url) = (http.clone(), url.clone());
        async move { check_server(&http, &url).await.map(Some) }
    });
}

async fn check_server(http: &reqwest::Client, url: &str) -> Result<String> {
    let unreachable = |error: reqwest::Error| Error::unavailable(format!("{url}: {error}"));
    let answer = http.get(url).send().await.and_then(reqwest::Response::error_for_status).map_err(unreachable)?;
    let varz: Value = answer.json().await.map_err(unreachable)?;
    match varz["jetstream"]["config"]["sync_always"] {
        Value::Bool(true) => Ok("the server writes to disk before it acknowledges".to_owned()),
        _ => Err(Error::unavailable(
            "the server acknowledges before it writes to disk: set `sync_interval: always` in its section `jetstream`",
        )),
    }
}
