//! What is noticed of vehicles, on its way to the stream EVENTS: it is recorded with the commit batch of the fixes that
//! show it.

use armada_proto::{
    DeviceId, TenantId, Timestamp,
    v1::{self, Event, event::Details},
};
use armada_runtime::events;
use armada_track::VehicleEvent;

/// What has happened to the vehicle of a device.
#[derive(Debug, Clone, PartialEq)]
pub struct EventOf {
    /// Its tenant.
    pub tenant: TenantId,
    /// The device.
    pub device: DeviceId,
    /// What.
    pub event: VehicleEvent,
}

impl EventOf {
    /// As it is told. Whoever notices it again makes the same id.
    pub fn to_message(&self) -> Event {
        let event = &self.event;
        let (tenant, device, kind) = (self.tenant.to_string(), self.device.to_string(), event.kind.name());
        let place = event.place.map(|place| place.degrees());
        let details = v1::VehicleEvent {
            lat: place.map(|(lat, _)| lat),
            lng: place.map(|(_, lng)| lng),
            speed: event.speed.map(|speed| f64::from(speed) / 10.0),
            value: event.value,
            limit: event.limit,
            since: event.since.map(Timestamp::from_millis),
            fixes_apart_seconds: event.fixes_apart_seconds,
            before: event.change.map(|(before, _)| before),
            after: event.change.map(|(_, after)| after),
            confidence: event.fuel.map(|fuel| fuel.confidence.into()),
        };
        Event {
            id: events::id(&[&tenant, &kind, &device, &event.key.to_string()]),
            tenant_id: tenant,
            kind: kind.into_owned(),
            device_id: Some(device.clone()),
            driver_id: None,
            subject_id: device,
            occurred_at: Some(Timestamp::from_millis(event.occurred_at)),
            recorded_at: None,
            row_version: 0,
            details: Some(Details::Vehicle(details)),
        }
    }
}
