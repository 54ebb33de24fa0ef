//! What one visitor is shown: names, and positions by numbers that mean nothing elsewhere.

use std::sync::Arc;

use armada_proto::{
    DeviceId, Timestamp,
    v1::{OpenedShareLink, SharedPosition, SharedPositions, SharedVehicle, SharedVehicles},
};

use crate::live::{message::ServerMessage, update::Update, visibility::ByDevice};

/// The vehicles of a link as one socket names them.
#[derive(Default)]
pub(super) struct Shown {
    /// Every device that was ever shown here, so that a number is not given twice.
    numbers: ByDevice<u32>,
    vehicles: Vec<(DeviceId, String)>,
    expires_at: Timestamp,
}

impl Shown {
    /// Takes over what the link shows now; whether that is anything else than before.
    pub(super) fn replace(&mut self, opened: OpenedShareLink) -> bool {
        let expires_at = opened.expires_at.unwrap_or_default();
        let named = opened.device_ids.iter().zip(opened.names);
        let vehicles: Vec<_> = named.filter_map(|(id, name)| Some((id.parse().ok()?, name))).collect();
        let is_other = (&vehicles, expires_at) != (&self.vehicles, self.expires_at);
        for (device, _) in &vehicles {
            let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
            self.numbers.entry(*device).or_insert(next);
        }
        self.vehicles = vehicles;
        self.expires_at = expires_at;
        is_other
    }

    pub(super) fn devices(&self) -> impl Iterator<Item = DeviceId> {
        self.vehicles.iter().map(|(device, _)| *device)
    }

    /// When the link is over.
    pub(super) fn expires_at(&self) -> Timestamp {
        self.expires_at
    }

    /// The message about all of them, with where they are as far as somebody knows.
    pub(super) fn vehicles(&self, known: impl Fn(DeviceId) -> Option<Arc<Update>>) -> ServerMessage<'static> {
        let vehicle = |(device, name): &(DeviceId, String)| SharedVehicle {
            number: self.number(*device),
            name: name.clone(),
            position: known(*device).map(|update| self.position(&update)),
        };
        let vehicles = self.vehicles.iter().map(vehicle).collect();
        ServerMessage::Vehicles { payload: SharedVehicles { vehicles, expires_at: Some(self.expires_at) } }
    }

    /// The message about those of which something newer is known.
    pub(super) fn positions(&self, updates: &[Arc<Update>]) -> ServerMessage<'static> {
        let positions = updates.iter().map(|update| self.position(update)).collect();
        ServerMessage::Positions { payload: SharedPositions { positions } }
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

    fn number(&self, device: DeviceId) -> u32 {
        self.numbers.get(&device).copied().unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use armada_proto::v1::LastPosition;
    use serde_json::{Value, json};

    use super::*;

    fn opened(devices: &[(DeviceId, &str)]) -> OpenedShareLink {
        OpenedShareLink {
            id: "link".to_owned(),
            tenant_id: "tenant".to_owned(),
            user_id: "maker".to_owned(),
            expires_at: Some(Timestamp::from_millis(60_000)),
            device_ids: devices.iter().map(|(id, _)| id.to_string()).collect(),
            names: devices.iter().map(|(_, name)| (*name).to_owned()).collect(),
            ..OpenedShareLink::default()
        }
    }

    fn read(message: &ServerMessage<'_>) -> Value {
        serde_json::from_str(&message.text()).expect("JSON")
    }

    #[test]
    fn nothing_is_told_but_names_and_where_they_are() {
        let (truck, bus) = (DeviceId::new(), DeviceId::new());
        let position = LastPosition {
            device_id: truck.to_string(),
            recorded_at: Some(Timestamp::from_millis(1_000)),
            lat: -6.2,
            lng: 106.8,
            speed: Some(41.5),
            course: Some(270.0),
            alarm: Some("sos".to_owned()),
            attrs: Some("{\"driver\":\"Budi\"}".to_owned()),
            ..LastPosition::default()
        };
        let update = Update::of(position).expect("it has a device");
        let mut shown = Shown::default();
        assert!(shown.replace(opened(&[(bus, "Bus"), (truck, "Truck")])));
        let vehicles = shown.vehicles(|device| (device == truck).then(|| update.clone()));
        let at = json!({
            "number": 1, "recorded_at": "1970-01-01T00:00:01Z", "lat": -6.2, "lng": 106.8, "speed": 41.5,
            "course": 270.0, "motion": "unspecified",
        });
        let payload = json!({
            "vehicles": [{ "number": 0, "name": "Bus" }, { "number": 1, "name": "Truck", "position": at.clone() }],
            "expires_at": "1970-01-01T00:01:00Z",
        });
        assert_eq!(read(&vehicles), json!({ "type": "vehicles", "payload": payload }));
        let positions = shown.positions(&[update]);
        assert_eq!(read(&positions), json!({ "type": "positions", "payload": { "positions": [at] } }));
    }

    #[test]
    fn a_number_is_given_once() {
        let [first, second, third] = [DeviceId::new(), DeviceId::new(), DeviceId::new()];
        let mut shown = Shown::default();
        shown.replace(opened(&[(first, "A"), (second, "B")]));
        assert!(!shown.replace(opened(&[(first, "A"), (second, "B")])), "it is the same");
        assert!(shown.replace(opened(&[(second, "B"), (third, "C")])));
        assert_eq!(shown.devices().map(|device| shown.number(device)).collect::<Vec<_>>(), [1, 2]);
        assert!(shown.replace(opened(&[(second, "Z"), (third, "C")])), "it is called otherwise");
    }
}
