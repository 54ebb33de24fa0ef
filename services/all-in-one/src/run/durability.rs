//! Whether the NATS servers write to disk before they acknowledge: on that rests that an acknowledged position is never
//! lost. The managed server is told so. Others say it on their monitoring ports alone, where these are configured.

use std::{borrow::Cow, time::Duration};

use armada_runtime::{
    Error, Result, bus,
    health::{Health, Part},
    https::{self, HttpsClient},
};
use futures::future::join_all;
use serde_json::Value;
use tokio::time::timeout;

use crate::{config::Config, http};

/// Every process sees the same servers, and none writes safer where another one is out of service.
const DURABILITY: Part = Part::told(Cow::Borrowed("nats durability"));
/// How long a monitor may take, so that one that hangs leaves time to hear the others.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// Has it looked at.
pub(super) fn watch(health: &Health, config: &Config) -> Result<()> {
    if !config.has_own_nats() {
        let sentence = "the managed server writes to disk before it acknowledges";
        health.check(DURABILITY, &[], move || std::future::ready(Ok(Some(sentence.to_owned()))));
        return Ok(());
    }
    let Some(monitors) = &config.nats_monitor_url else { return Ok(()) };
    let client = https::client().map_err(Error::internal)?;
    let urls: Vec<String> = monitors.iter().map(|url| format!("{url}/varz")).collect();
    health.check(DURABILITY, &[bus::CONNECTION], move || {
        let (client, urls) = (client.clone(), urls.clone());
        async move {
            let answers = join_all(urls.iter().map(|url| writes_to_disk(&client, url))).await;
            judge(&urls, answers).map(Some)
        }
    });
    Ok(())
}

/// Of what each server has answered. One that is away acknowledges nothing: those that are there are what counts.
fn judge(urls: &[String], answers: Vec<Result<bool>>) -> Result<String> {
    let mut away = Vec::new();
    let mut safe = 0;
    for (url, answer) in urls.iter().zip(answers) {
        match answer {
            Ok(true) => safe += 1,
            Ok(false) => {
                return Err(Error::unavailable(format!(
                    "{url}: the server acknowledges before it writes to disk: set `sync_interval: always` in its section \
                     `jetstream`"
                )));
            }
            Err(error) => away.push(error.message),
        }
    }
    let away = away.join("; ");
    match safe {
        0 => Err(Error::unavailable(away)),
        _ if away.is_empty() => Ok(format!("{safe} servers write to disk before they acknowledge")),
        _ => {
            Ok(format!("{safe} of {} servers say that they write to disk before they acknowledge; {away}", urls.len()))
        }
    }
}

async fn writes_to_disk(client: &HttpsClient<String>, url: &str) -> Result<bool> {
    let unclear = |cause: &dyn std::fmt::Display| Error::unavailable(format!("{url}: {cause}"));
    let (status, text) = timeout(ANSWER_TIMEOUT, http::get(client, url)).await.map_err(|late| unclear(&late))??;
    if !status.is_success() {
        return Err(unclear(&status));
    }
    let varz: Value = serde_json::from_str(&text).map_err(|error| unclear(&error))?;
    Ok(varz["jetstream"]["config"]["sync_always"] == Value::Bool(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_that_answers_is_enough_and_one_that_is_unsafe_is_too_many() {
        let urls: Vec<String> = ["http://one/varz", "http://two/varz"].map(str::to_owned).into();
        let away = || Err(Error::unavailable("http://two/varz: away"));
        assert_eq!(judge(&urls, vec![Ok(true), Ok(true)]).unwrap(), "2 servers write to disk before they acknowledge");
        assert!(judge(&urls, vec![Ok(true), away()]).unwrap().starts_with("1 of 2 servers"));
        assert!(judge(&urls, vec![away(), away()]).is_err());
        assert!(judge(&urls, vec![Ok(true), Ok(false)]).unwrap_err().message.starts_with("http://two/varz: "));
    }
}
