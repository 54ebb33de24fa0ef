//! Whoever decides by `/readyz` which processes get requests.

use std::{collections::BTreeSet, time::Duration};

use armada_testkit::Api;
use http::StatusCode;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const EVERY: Duration = Duration::from_millis(250);

/// Asks all processes until it is stopped.
pub(super) struct Watch {
    stop: CancellationToken,
    watching: Vec<JoinHandle<BTreeSet<String>>>,
}

impl Watch {
    /// By name and admin port.
    pub(super) fn start(admins: Vec<(String, String)>) -> Self {
        let stop = CancellationToken::new();
        let watching = admins.into_iter().map(|(name, admin)| tokio::spawn(watch(name, admin, stop.clone())));
        Self { watching: watching.collect(), stop }
    }

    /// Who has said no, and why.
    pub(super) async fn stop(self) -> BTreeSet<String> {
        self.stop.cancel();
        let mut said_no = BTreeSet::new();
        for watching in self.watching {
            said_no.extend(watching.await.expect("it does not panic"));
        }
        said_no
    }
}

async fn watch(name: String, admin: String, stop: CancellationToken) -> BTreeSet<String> {
    let api = Api::new(&format!("http://{admin}"));
    let mut ticks = tokio::time::interval(EVERY);
    let mut said_no = BTreeSet::new();
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        let Ok(reply) = api.get("/readyz").await else {
            said_no.insert(format!("{name}: no answer"));
            continue;
        };
        if reply.status == StatusCode::SERVICE_UNAVAILABLE {
            let body = reply.json();
            let failed = body["checks"].as_array().into_iter().flatten().filter(|check| check["ok"] == false);
            said_no.extend(failed.map(|check| format!("{name}: {} {}", check["name"], check["message"])));
        }
    }
    said_no
}
