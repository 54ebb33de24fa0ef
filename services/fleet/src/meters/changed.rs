//! Waking up whoever acts on meters.

use std::{
    collections::BTreeSet,
    mem,
    sync::{Arc, Mutex},
};

use armada_proto::DeviceId;
use tokio::sync::Notify;

/// The devices whose meters show something else than before, for one who acts on that. Cheap to clone. What is notified
/// before a process dies is not repeated: whoever acts looks at all devices when it starts.
#[derive(Debug, Clone, Default)]
pub struct Changed(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    devices: Mutex<BTreeSet<DeviceId>>,
    wake: Notify,
}

impl Changed {
    /// Those of these devices.
    pub fn notify(&self, devices: impl IntoIterator<Item = DeviceId>) {
        self.0.devices.lock().expect("no panic while held").extend(devices);
        self.0.wake.notify_one();
    }

    /// Waits until there are any, and takes all that there are.
    pub async fn next(&self) -> BTreeSet<DeviceId> {
        loop {
            let devices = mem::take(&mut *self.0.devices.lock().expect("no panic while held"));
            if !devices.is_empty() {
                return devices;
            }
            self.0.wake.notified().await;
        }
    }
}
