//! Which vehicles stand and which trackers are back, heard on the subjects of live positions of those tenants that have
//! commands waiting.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use armada_proto::{
    DeviceId, TenantId, Timestamp, binding,
    v1::{FixMark, LastPosition, LiveFrame, Motion},
};
use armada_runtime::{Bus, Error, Result};
use futures::StreamExt;
use prost::Message;
use tokio::sync::Notify;
use tokio_util::sync::{CancellationToken, DropGuard};

/// For how long a vehicle stands after a fix that says so.
const FIX_AGE_MAX: Duration = Duration::from_secs(5 * 60);
/// km/h below which a vehicle stands: a fix is never quite still.
const STATIONARY_BELOW: f64 = 3.0;

/// What is known of the vehicles that have commands waiting. Cheap to clone.
#[derive(Clone, Default)]
pub struct WaitingVehicles(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    tenants: HashMap<TenantId, DropGuard>,
    /// The vehicles that have commands waiting.
    waiting: HashSet<DeviceId>,
    known: HashMap<DeviceId, (Timestamp, bool)>,
    /// Those heard of since they were last asked for.
    reporting: HashSet<DeviceId>,
}

impl WaitingVehicles {
    /// Records whether a vehicle stands, as its newest position says.
    pub fn record(&self, device: DeviceId, position: &LastPosition) {
        let (at, stationary) = (position.recorded_at.unwrap_or_default(), is_still(position));
        let mut state = self.state();
        if state.known.get(&device).is_none_or(|(before, _)| *before <= at) {
            state.known.insert(device, (at, stationary));
        }
    }

    /// Whether a vehicle stood when it was last heard of, if that is not long ago.
    pub fn is_stationary(&self, device: DeviceId) -> bool {
        let oldest = Timestamp::now().millis() - FIX_AGE_MAX.as_millis() as i64;
        self.state().known.get(&device).is_some_and(|(at, stationary)| *stationary && at.millis() >= oldest)
    }

    /// The vehicles that were heard of since this was last asked.
    pub fn take_reporting(&self) -> HashSet<DeviceId> {
        std::mem::take(&mut self.state().reporting)
    }

    /// Listens for these vehicles and no others; `wake` is notified when one is heard of.
    pub async fn follow(&self, bus: &Bus, waiting: &[(TenantId, DeviceId)], wake: &Arc<Notify>) -> Result<()> {
        let new: HashSet<TenantId> = {
            let mut state = self.state();
            state.waiting = waiting.iter().map(|(_, device)| *device).collect();
            let State { waiting: devices, known, tenants, .. } = &mut *state;
            let oldest = Timestamp::now().millis() - FIX_AGE_MAX.as_millis() as i64;
            known.retain(|device, (at, _)| devices.contains(device) || at.millis() >= oldest);
            tenants.retain(|tenant, _| waiting.iter().any(|(waits, _)| waits == tenant));
            waiting.iter().map(|(tenant, _)| *tenant).filter(|tenant| !tenants.contains_key(tenant)).collect()
        };
        for tenant in new {
            let subject = binding::live_subject(tenant);
            let mut frames = bus.client.subscribe(subject).await.map_err(Error::unavailable)?;
            let stop = CancellationToken::new();
            self.state().tenants.insert(tenant, stop.clone().drop_guard());
            let (this, wake) = (self.clone(), wake.clone());
            let listen = async move {
                while let Some(message) = frames.next().await {
                    if this.receive(&message.payload) {
                        wake.notify_one();
                    }
                }
            };
            tokio::spawn(async move { stop.run_until_cancelled(listen).await });
        }
        Ok(())
    }

    /// True when a vehicle was heard of that has commands waiting.
    fn receive(&self, payload: &[u8]) -> bool {
        let Ok(frame) = LiveFrame::decode(payload) else { return false };
        let mut is_waited_for = false;
        for position in frame.positions {
            let Ok(device) = position.device_id.parse::<DeviceId>() else { continue };
            if !self.state().waiting.contains(&device) {
                continue;
            }
            self.record(device, &position);
            self.state().reporting.insert(device);
            is_waited_for = true;
        }
        is_waited_for
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no panic while held")
    }
}

/// A receiver without a fix, or with one that cannot be believed, knows nothing of how quick it is.
fn is_still(position: &LastPosition) -> bool {
    let is_slow = position.speed.is_none_or(|speed| speed < STATIONARY_BELOW);
    let is_good = position.valid && matches!(position.mark(), FixMark::Unspecified | FixMark::ClockCorrected);
    is_good && matches!(position.motion(), Motion::Idle | Motion::Parked) && is_slow
}
