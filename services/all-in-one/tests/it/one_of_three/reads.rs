//! Reads at both edges all the time. One of them may be dead, stand still, or not reach somebody; not both.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use anyhow::Result;
use armada_testkit::Api;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::instances::Instances;

const EVERY: Duration = Duration::from_millis(500);
/// A call to an instance that stands still is given up by the edge after 25 s.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(40);
/// What is read: of fleet, and of position-ingest.
const PATHS: [&str; 2] = ["/api/v1/devices", "/api/v1/last-positions"];

/// Somebody who reads at both edges.
pub(super) struct Reads {
    stop: CancellationToken,
    refused: Arc<Mutex<Vec<String>>>,
    reading: tokio::task::JoinHandle<()>,
}

impl Reads {
    pub(super) async fn start(instances: &Instances, edges: &[String]) -> Result<Self> {
        let mut owners = Vec::new();
        for edge in edges {
            owners.push(instances.owner_at(edge).await?);
        }
        let (stop, refused) = (CancellationToken::new(), Arc::default());
        let reading = tokio::spawn(read(owners, stop.clone(), Arc::clone(&refused)));
        Ok(Self { stop, refused, reading })
    }

    /// What both edges have refused.
    pub(super) async fn stop(self) -> Vec<String> {
        self.stop.cancel();
        self.reading.await.expect("it does not panic");
        std::mem::take(&mut *self.refused.lock().expect("no panic while held"))
    }
}

async fn read(owners: Vec<Api>, stop: CancellationToken, refused: Arc<Mutex<Vec<String>>>) {
    let mut ticks = tokio::time::interval(EVERY);
    let mut under_way = JoinSet::new();
    for path in PATHS.into_iter().cycle() {
        if stop.run_until_cancelled(ticks.tick()).await.is_none() {
            break;
        }
        let (owners, refused) = (owners.clone(), refused.clone());
        under_way.spawn(async move {
            let answers = futures::future::join_all(owners.iter().map(|owner| refusal(owner, path))).await;
            if answers.iter().all(Option::is_some) {
                refused.lock().expect("no panic while held").push(format!("{path}: {answers:?}"));
            }
        });
        while under_way.try_join_next().is_some() {}
    }
    under_way.join_all().await;
}

/// Why it was not answered well.
async fn refusal(owner: &Api, path: &str) -> Option<String> {
    match tokio::time::timeout(ANSWER_TIMEOUT, owner.get(path)).await {
        Ok(Ok(reply)) if reply.status.is_success() => None,
        Ok(Ok(reply)) => Some(format!("{} {}", reply.status, reply.text)),
        Ok(Err(error)) => Some(error.to_string()),
        Err(late) => Some(late.to_string()),
    }
}
