//! A gateway that reports each device once a second, until it is answered, and what it was answered.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};
use armada_proto::Timestamp;
use armada_testkit::{Api, Gateway, eventually};
use http::StatusCode;
use serde_json::json;
use tokio::{task::JoinHandle, time::MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use crate::support::history;

const DEVICES: u64 = 12;
const EVERY: Duration = Duration::from_secs(1);
/// Pause before what was not answered well is sent again.
const RETRY: Duration = Duration::from_millis(200);

/// A device, and the instants that it may have in history.
struct Reported {
    id: String,
    /// Acknowledged, milliseconds since 1970.
    at: Arc<Mutex<BTreeSet<i64>>>,
    task: JoinHandle<()>,
}

/// The gateway.
pub(super) struct Publisher {
    devices: Vec<Reported>,
    stop: CancellationToken,
}

impl Publisher {
    /// Makes a tenant and its devices, and begins.
    pub(super) async fn start(owner: &Api, nats: &str) -> Result<Self> {
        let tenant = owner.post("/api/v1/tenants", json!({ "name": "Three" })).await?.expect(StatusCode::CREATED);
        let gateway = Arc::new(Gateway::connect_to(nats, "depot").await);
        let stop = CancellationToken::new();
        let mut devices = Vec::new();
        for number in 0..DEVICES {
            let imei = (351_756_051_500_000 + number).to_string();
            let device = json!({ "tenant_id": tenant["id"], "imei": imei, "name": format!("Truck {number}") });
            let made = owner.post("/api/v1/devices", device).await?.expect(StatusCode::CREATED);
            let id = made["id"].as_str().context("an id")?.to_owned();
            let at = Arc::default();
            let task = tokio::spawn(report(gateway.clone(), imei, Arc::clone(&at), stop.clone()));
            devices.push(Reported { id, at, task });
        }
        Ok(Self { devices, stop })
    }

    /// The ids of its devices.
    pub(super) fn devices(&self) -> Vec<String> {
        self.devices.iter().map(|device| device.id.clone()).collect()
    }

    /// Ends when everything is answered, and waits until history has exactly what was acknowledged.
    pub(super) async fn stop_and_compare(self, owner: &Api, deadline: Duration) -> Result<()> {
        self.stop.cancel();
        for Reported { id, at, task } in self.devices {
            tokio::time::timeout(deadline, task).await??;
            let wanted: Vec<i64> = at.lock().expect("no panic while held").iter().copied().collect();
            ensure!(wanted.len() > 60, "only {} fixes were acknowledged", wanted.len());
            eventually("history has each fix once", deadline, async || {
                let track = history::track(owner, &id).await?;
                let found: Option<Vec<i64>> =
                    track.iter().map(|fix| Some(Timestamp::parse_rfc3339(&fix.recorded_at)?.millis())).collect();
                let found = found.context("instants")?;
                let (found_set, wanted_set): (BTreeSet<_>, BTreeSet<_>) =
                    (found.iter().copied().collect(), wanted.iter().copied().collect());
                let missing: Vec<_> = wanted_set.difference(&found_set).collect();
                ensure!(found == wanted, "{} found, {} wanted, missing {missing:?}", found.len(), wanted.len());
                Ok(())
            })
            .await;
        }
        Ok(())
    }
}

/// Reports a device until it is to stop; the last one until it is answered.
async fn report(gateway: Arc<Gateway>, imei: String, acknowledged: Arc<Mutex<BTreeSet<i64>>>, stop: CancellationToken) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut lat = -6.2;
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        let at = Timestamp::now();
        lat += 0.000_1;
        let fix = json!({ "recorded_at": at.to_rfc3339(), "lat": lat, "lng": 106.8, "speed": 36.0 }).to_string();
        while !is_taken(&gateway, &imei, &fix).await {
            tokio::time::sleep(RETRY).await;
        }
        let at = Timestamp::parse_rfc3339(&at.to_rfc3339()).expect("its own text").millis();
        acknowledged.lock().expect("no panic while held").insert(at);
    }
}

async fn is_taken(gateway: &Gateway, imei: &str, fix: &str) -> bool {
    let answer = gateway.try_send(imei, fix.as_bytes().to_vec()).await;
    answer.is_ok_and(|answer| answer["error"].is_null() && answer["retry_after_ms"].is_null())
}
