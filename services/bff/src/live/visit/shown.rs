//! What one visitor is shown: names, and positions by numbers that mean nothing elsewhere.

use std::sync::Arc;

use armada_proto::{
    DeviceId, Timestamp,
    v1::{OpenedShareLink, SharedPosition, SharedPositions, SharedVehicle, SharedVehicles},
};
use axum::extract::ws::Utf8Bytes;

use crate::live::{directory::FreshnessLimits, message::ServerMessage, update::Update, visibility::ByDevice};

/// The vehicles of a link as one socket names them.
#[derive(Default)]
pub struct Shown {
    /// Every device that was ever shown here, so that a number is not given twice.
    numbers: ByDevice<u32>,
    vehicles: Vec<(DeviceId, String, Option<FreshnessLimits>)>,
    expires_at: Timestamp,
}

impl Shown {
    /// Takes over what the link shows now; whether that is anything else than before. `ages` says of a device after how long
    /// its position is old, where that is not the usual.
    pub fn replace(&mut self, opened: OpenedShareLink, ages: impl Fn(DeviceId) -> Option<FreshnessLimits>) -> bool {
        let expires_at = opened.expires_at.unwrap_or_default();
        let named = opened.device_ids.iter().zip(opened.names);
        let vehicle = |(id, name): (&String, String)| {
            let device = id.parse().ok()?;
            Some((device, name, ages(device)))
        };
        let vehicles: Vec<_> = named.filter_map(vehicle).collect();
        let is_other = (&vehicles, expires_at) != (&self.vehicles, self.expires_at);
        for (device, ..) in &vehicles {
            let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
            self.numbers.entry(*device).or_insert(next);
        }
        self.vehicles = vehicles;
        self.expires_at = expires_at;
        is_other
    }

    /// All that are shown now.
    pub fn devices(&self) -> impl Iterator<Item = DeviceId> {
        self.vehicles.iter().map(|(device, ..)| *device)
    }

    /// When the link is over.
    pub(super) fn expires_at(&self) -> Timestamp {
        self.expires_at
    }

    /// The message about all of them, with where they are as far as somebody knows.
    pub fn vehicles(&self, known: impl Fn(DeviceId) -> Option<Arc<Update>>) -> Utf8Bytes {
        let vehicle = |(device, name, ages): &(DeviceId, String, Option<FreshnessLimits>)| SharedVehicle {
            number: self.number(*device),
            name: name.clone(),
            position: known(*device).map(|update| self.position(&update)),
            stale_seconds: ages.map(|ages| ages.stale_seconds),
            offline_seconds: ages.map(|ages| ages.offline_seconds),
        };
        let vehicles = self.vehicles.iter().map(vehicle).collect();
        ServerMessage::Vehicles { payload: SharedVehicles { vehicles, expires_at: Some(self.expires_at) } }.text()
    }

    /// The message about those of which something newer is known.
    pub fn positions(&self, updates: &[Arc<Update>]) -> Utf8Bytes {
        let positions = updates.iter().map(|update| self.position(update)).collect();
        ServerMessage::Positions { payload: SharedPositions { positions } }.text()
    }

    fn position(&self, update: &Update) -> SharedPosition {
        let known = &update.position;
        SharedPosition {
            number: self.number(update.device),
            recorded_at: known.recorded_at,
            lat: known.lat,
            lng: known.lng,
            speed: known.speed,
            course: known.course,
            motion: known.motion,
        }
    }

    /// The number of a device that is or was shown.
    pub fn number(&self, device: DeviceId) -> u32 {
        self.numbers.get(&device).copied().unwrap_or(u32::MAX)
    }
}
