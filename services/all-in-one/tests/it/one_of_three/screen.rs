//! The live map at both edges, as somebody sees it who opens another socket when one ends.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use armada_testkit::{Api, eventually};

use super::instances::Instances;
use crate::support::live::map_socket;

/// Pause before another socket is tried.
const RETRY: Duration = Duration::from_millis(200);
/// A socket that says nothing for so long is given up for another.
const SILENT: Duration = Duration::from_secs(3);

/// When each device has moved, on either edge.
#[derive(Clone)]
pub(super) struct Screen(Arc<Mutex<HashMap<String, Vec<Instant>>>>);

impl Screen {
    /// Looks at both edges until the test ends.
    pub(super) async fn open(instances: &Instances, devices: Vec<String>) -> Self {
        let new = Self(Arc::new(Mutex::new(devices.into_iter().map(|device| (device, Vec::new())).collect())));
        for edge in instances.edges() {
            let owner =
                eventually("the owner signs in", Duration::from_secs(60), async || instances.owner_at(&edge).await);
            tokio::spawn(new.clone().look(owner.await));
        }
        new
    }

    async fn look(self, owner: Api) {
        loop {
            let _ = self.look_once(&owner).await;
            tokio::time::sleep(RETRY).await;
        }
    }

    async fn look_once(&self, owner: &Api) -> Result<()> {
        let mut socket = tokio::time::timeout(SILENT, map_socket(owner)).await??;
        loop {
            let message = socket.wait_for(SILENT, |message| message["type"] == "position").await?;
            let device = message["position"]["device_id"].as_str().unwrap_or_default();
            if let Some(seen) = self.0.lock().expect("no panic while held").get_mut(device) {
                seen.push(Instant::now());
            }
        }
    }

    /// Waits until every device has moved after a moment.
    pub(super) async fn moves_after(&self, moment: Instant, deadline: Duration) {
        eventually("every device moves", deadline, async || {
            let seen = self.0.lock().expect("no panic while held");
            let still = seen.values().filter(|seen| seen.last().is_none_or(|last| *last < moment)).count();
            ensure!(still == 0, "{still} of {} stand still", seen.len());
            Ok(())
        })
        .await;
    }

    /// For how long the device that stood still the longest has not moved, from a moment on.
    pub(super) fn longest_standstill_since(&self, moment: Instant) -> Duration {
        let seen = self.0.lock().expect("no panic while held");
        let of_device = |seen: &Vec<Instant>| {
            let moves = seen.iter().copied().filter(|at| *at > moment);
            let mut before = moment;
            moves.map(|at| at.duration_since(std::mem::replace(&mut before, at))).max().unwrap_or(Duration::MAX)
        };
        seen.values().map(of_device).max().unwrap_or_default()
    }
}
