//! IMEI → device and tenant, kept in memory from the bucket that fleet fills. What is not known is asked for directly
//! before it is called unknown: a device may have been made a moment ago.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, RwLock},
    time::Duration,
};

use armada_proto::{DeviceId, TenantId, binding, coded, v1::DeviceBinding};
use armada_runtime::{
    Context, Result,
    bus::{All, Bucket, BucketUpdate},
};
use armada_track::Imei;
use foldhash::fast::RandomState;
use futures::{StreamExt, stream};
use tokio::sync::watch;

/// The service that owns the bucket.
const FLEET: &str = "fleet";
/// For how long an IMEI that nobody has is not asked for again. The bucket tells at once when somebody gets it.
const UNKNOWN_FOR: Duration = Duration::from_secs(10);
/// Unknown IMEIs remembered, so that somebody who makes them up costs bounded memory.
const UNKNOWN_MAX: u64 = 100_000;
/// For how long it is remembered which IMEI a device had before: longer than a fix takes from its gateway to here.
const FORMER_FOR: Duration = Duration::from_secs(3600);
/// Devices of which it is remembered.
const FORMER_MAX: u64 = 100_000;
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
    /// Which change of IMEIs, counted in this process, brought the device here; 0 for none that it saw.
    pub change: u64,
    /// The IMEI that the device had before that change.
    pub former: Option<Imei>,
}

struct Maps {
    by_imei: HashMap<Imei, Binding, RandomState>,
    devices: HashMap<DeviceId, Bound, RandomState>,
    changes: u64,
    /// The IMEI that a device had before its present one, or before it lost it.
    former: moka::sync::Cache<DeviceId, Imei>,
}

/// By what a device is known.
struct Bound {
    /// How many IMEIs lead to it: one, or two for the moment of a change.
    imeis: u32,
    /// The one that came last.
    imei: Imei,
}

impl Default for Maps {
    fn default() -> Self {
        let former = moka::sync::Cache::builder().max_capacity(FORMER_MAX).time_to_live(FORMER_FOR).build();
        Self { by_imei: HashMap::default(), devices: HashMap::default(), changes: 0, former }
    }
}

impl Maps {
    fn insert(&mut self, imei: Imei, mut binding: Binding) {
        match self.by_imei.get(&imei) {
            Some(known) if known.device == binding.device => {
                (binding.change, binding.former) = (known.change, known.former);
                self.by_imei.insert(imei, binding);
                return;
            }
            _ => self.remove(imei),
        }
        let present = self.devices.get(&binding.device).map(|bound| bound.imei);
        binding.former = present.or_else(|| self.former.get(&binding.device));
        if let Some(former) = binding.former {
            self.changes += 1;
            binding.change = self.changes;
            self.former.insert(binding.device, former);
        }
        self.by_imei.insert(imei, binding);
        let bound = self.devices.entry(binding.device).or_insert(Bound { imeis: 0, imei });
        bound.imeis += 1;
        bound.imei = imei;
    }

    fn remove(&mut self, imei: Imei) {
        let Some(old) = self.by_imei.remove(&imei) else { return };
        let Some(bound) = self.devices.get_mut(&old.device) else { return };
        bound.imeis -= 1;
        if bound.imeis == 0 {
            self.devices.remove(&old.device);
            self.former.insert(old.device, imei);
        }
    }
}

/// The bindings of all tenants. Cheap to clone.
#[derive(Clone)]
pub struct Registry {
    bucket: Bucket,
    maps: Arc<RwLock<Maps>>,
    unknown: moka::sync::Cache<Imei, ()>,
    loaded: watch::Sender<bool>,
}

impl Registry {
    /// Opens the bucket; [`Self::follow`] fills it.
    pub async fn open(context: &Context) -> Result<Self> {
        Ok(Self {
            bucket: context.bucket(binding::BUCKET, FLEET).await?,
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

    /// The IMEIs of a device, the present one first; of one that is gone, or never was, the last one or none.
    pub fn imeis_of(&self, device: DeviceId) -> Vec<Imei> {
        let maps = self.maps.read().expect("no panic while held");
        let present = maps.devices.get(&device).map(|bound| bound.imei);
        present.into_iter().chain(maps.former.get(&device)).collect()
    }

    /// Asks the bucket for those of `imeis` that are not known to be unknown. Afterwards [`Self::get`] is as good as
    /// the bucket for them.
    pub async fn ask(&self, imeis: impl IntoIterator<Item = Imei>) -> Result<()> {
        let asked = imeis.into_iter().filter(|imei| !self.unknown.contains_key(imei));
        let mut answers = stream::iter(asked)
            .map(async |imei| (imei, self.bucket.get(&binding::key(&imei.to_string())).await))
            .buffer_unordered(ASK_AT_ONCE);
        while let Some((imei, answer)) = answers.next().await {
            match answer?.and_then(|value| read("", &value)) {
                Some(binding) => self.put(imei, binding),
                None => self.unknown.insert(imei, ()),
            }
        }
        Ok(())
    }

    fn put(&self, imei: Imei, binding: Binding) {
        self.maps.write().expect("no panic while held").insert(imei, binding);
        self.unknown.invalidate(&imei);
    }

    /// Follows the bucket for ever.
    pub async fn follow(&self) -> Result<()> {
        let mut follower = self.bucket.follow(read);
        loop {
            match follower.next().await {
                BucketUpdate::All(all) => {
                    self.replace(&all);
                    self.loaded.send_replace(true);
                }
                BucketUpdate::Changed(key, binding) => match (imei_of(&key), binding) {
                    (Some(imei), Some(binding)) => self.put(imei, binding),
                    (Some(imei), None) => self.maps.write().expect("no panic while held").remove(imei),
                    (None, _) => {}
                },
                BucketUpdate::Refused(_) => {}
            }
        }
    }

    /// What the bucket does not hold any more is unbound; of what nothing can be believed now stays what was known.
    fn replace(&self, all: &All<Binding>) {
        let mut maps = self.maps.write().expect("no panic while held");
        let stays: HashSet<Imei> = all.entries.keys().chain(&all.refused).filter_map(|key| imei_of(key)).collect();
        let gone: Vec<Imei> = maps.by_imei.keys().filter(|imei| !stays.contains(*imei)).copied().collect();
        for (key, binding) in &all.entries {
            if let Some(imei) = imei_of(key) {
                maps.insert(imei, *binding);
            }
        }
        gone.into_iter().for_each(|imei| maps.remove(imei));
        drop(maps);
        self.unknown.invalidate_all();
    }
}

fn imei_of(key: &str) -> Option<Imei> {
    binding::imei_of(key)?.parse().ok()
}

fn read(_: &str, value: &[u8]) -> Option<Binding> {
    let binding = coded::decode::<DeviceBinding>(value)?;
    let (device, tenant) = (binding.device_id.parse().ok()?, binding.tenant_id.parse().ok()?);
    Some(Binding { device, tenant, bound_from: binding.bound_from, change: 0, former: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imei(number: u64) -> Imei {
        Imei::with_check_digit(35_693_803_000_000 + number).expect("14 digits")
    }

    fn put(maps: &mut Maps, number: u64, device: DeviceId) -> Binding {
        let binding = Binding { device, tenant: TenantId::new(), bound_from: 0, change: 0, former: None };
        maps.insert(imei(number), binding);
        maps.by_imei[&imei(number)]
    }

    #[test]
    fn a_change_of_imei_is_told_from_a_new_device_in_either_order() {
        let mut maps = Maps::default();
        let (moved, other) = (DeviceId::new(), DeviceId::new());
        assert_eq!(put(&mut maps, 1, moved).change, 0);
        assert_eq!(put(&mut maps, 2, other).change, 0);
        let second = put(&mut maps, 3, moved);
        assert_eq!((second.change, second.former), (1, Some(imei(1))), "the new one is told of first");
        maps.remove(imei(1));
        assert_eq!(put(&mut maps, 3, moved).change, 1, "told of again: nothing has changed");
        maps.remove(imei(3));
        let back = put(&mut maps, 1, moved);
        assert_eq!((back.change, back.former), (2, Some(imei(3))), "the old one is gone first");
        assert_eq!(maps.by_imei[&imei(2)].change, 0);
    }
}
