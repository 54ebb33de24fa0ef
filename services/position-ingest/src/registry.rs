//! IMEI → device and tenant, kept in memory from the bucket that fleet fills. What is not known is asked for directly
//! before it is called unknown: a device may have been made a moment ago.

use std::{
    collections::HashMap,
    sync::{Arc, RwLock},
    time::Duration,
};

use armada_proto::{DeviceId, TenantId, binding, coded, v1::DeviceBinding};
use armada_runtime::{Bus, Error, Result};
use armada_track::Imei;
use async_nats::jetstream::kv;
use foldhash::fast::RandomState;
use futures::{StreamExt, stream};
use tokio::sync::watch;

/// For how long an IMEI that nobody has is not asked for again. The bucket tells at once when somebody gets it.
const UNKNOWN_FOR: Duration = Duration::from_secs(10);
/// Unknown IMEIs remembered, so that somebody who makes them up costs bounded memory.
const UNKNOWN_MAX: u64 = 100_000;
/// Questions to the bucket at a time.
const ASK_AT_ONCE: usize = 32;

/// To whom the fixes of an IMEI belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    /// The device.
    pub device: DeviceId,
    /// Its tenant.
    pub tenant: TenantId,
    /// Fixes before this, in milliseconds since 1970, belonged to somebody else.
    pub bound_from: i64,
}

#[derive(Default)]
struct Maps {
    by_imei: HashMap<Imei, Binding, RandomState>,
    /// How many IMEIs lead to a device: one, or two for the moment of a change.
    devices: HashMap<DeviceId, u32, RandomState>,
}

impl Maps {
    fn insert(&mut self, imei: Imei, binding: Binding) {
        self.remove(imei);
        self.by_imei.insert(imei, binding);
        *self.devices.entry(binding.device).or_default() += 1;
    }

    fn remove(&mut self, imei: Imei) {
        let Some(old) = self.by_imei.remove(&imei) else { return };
        if let Some(count) = self.devices.get_mut(&old.device) {
            *count -= 1;
            if *count == 0 {
                self.devices.remove(&old.device);
            }
        }
    }
}

/// The bindings of all tenants. Cheap to clone.
#[derive(Clone)]
pub struct Registry {
    bucket: kv::Store,
    maps: Arc<RwLock<Maps>>,
    unknown: moka::sync::Cache<Imei, ()>,
    loaded: watch::Sender<bool>,
}

impl Registry {
    /// Opens the bucket; [`Self::follow`] fills it.
    pub async fn open(bus: &Bus) -> Result<Self> {
        Ok(Self {
            bucket: bus.bucket(binding::BUCKET).await?,
            maps: Arc::default(),
            unknown: moka::sync::Cache::builder().max_capacity(UNKNOWN_MAX).time_to_live(UNKNOWN_FOR).build(),
            loaded: watch::Sender::new(false),
        })
    }

    /// Waits until the whole bucket has been read once.
    pub async fn loaded(&self) {
        let mut loaded = self.loaded.subscribe();
        let _ = loaded.wait_for(|loaded| *loaded).await;
    }

    /// The binding of an IMEI, if known.
    pub fn get(&self, imei: Imei) -> Option<Binding> {
        self.maps.read().expect("no panic while held").by_imei.get(&imei).copied()
    }

    /// Calls `read` with a look-up that holds the lock once for many questions.
    pub fn with<T>(&self, read: impl FnOnce(&dyn Fn(Imei) -> Option<Binding>) -> T) -> T {
        let maps = self.maps.read().expect("no panic while held");
        read(&|imei| maps.by_imei.get(&imei).copied())
    }

    /// Whether the device still exists.
    pub fn has_device(&self, device: DeviceId) -> bool {
        self.maps.read().expect("no panic while held").devices.contains_key(&device)
    }

    /// Asks the bucket for those of `imeis` that are not known to be unknown. Afterwards [`Self::get`] is as good as
    /// the bucket for them.
    pub async fn ask(&self, imeis: impl IntoIterator<Item = Imei>) -> Result<()> {
        let asked = imeis.into_iter().filter(|imei| !self.unknown.contains_key(imei));
        let mut answers = stream::iter(asked)
            .map(async |imei| (imei, self.bucket.get(binding::key(&imei.to_string())).await))
            .buffer_unordered(ASK_AT_ONCE);
        while let Some((imei, answer)) = answers.next().await {
            match answer.map_err(Error::unavailable)? {
                Some(value) => self.put(imei, &value),
                None => self.unknown.insert(imei, ()),
            }
        }
        Ok(())
    }

    fn put(&self, imei: Imei, value: &[u8]) {
        let parsed = coded::decode::<DeviceBinding>(value).and_then(|binding| {
            let device = binding.device_id.parse().ok()?;
            let tenant = binding.tenant_id.parse().ok()?;
            Some(Binding { device, tenant, bound_from: binding.bound_from })
        });
        match parsed {
            Some(binding) => {
                self.maps.write().expect("no panic while held").insert(imei, binding);
                self.unknown.invalidate(&imei);
            }
            None => tracing::error!(%imei, "the bucket holds a binding that this version cannot read"),
        }
    }

    /// Follows the bucket for ever.
    pub async fn follow(&self, bus: &Bus) -> Result<()> {
        loop {
            let mut connections = bus.connections();
            tokio::select! {
                _ = connections.changed() => {}
                ended = self.follow_once() => if let Err(error) = ended {
                    tracing::warn!(%error, "cannot follow the bindings; will try again");
                },
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    async fn follow_once(&self) -> Result<()> {
        let size = self.bucket.status().await.map_err(Error::unavailable)?.values();
        let mut changes = self.bucket.watch_with_history("imei.*").await.map_err(Error::unavailable)?;
        if size == 0 {
            self.loaded.send_replace(true);
        }
        while let Some(change) = changes.next().await {
            let entry = change.map_err(Error::unavailable)?;
            if let Some(imei) = binding::imei_of(&entry.key).and_then(|text| text.parse().ok()) {
                match entry.operation {
                    kv::Operation::Put => self.put(imei, &entry.value),
                    _ => self.maps.write().expect("no panic while held").remove(imei),
                }
            }
            if entry.seen_current {
                self.loaded.send_replace(true);
            }
        }
        Ok(())
    }
}
