//! Notifies the edge of vehicles whose events or alarms changed. Whoever misses it reads them.

use std::collections::{BTreeMap, BTreeSet};

use armada_proto::{DeviceId, TenantId, binding};
use armada_runtime::Bus;
use bytes::Bytes;
use sea_orm::prelude::Uuid;

/// Publishes that events and alarms of these devices changed; none for what is about no device.
pub async fn publish(bus: &Bus, about: impl IntoIterator<Item = (TenantId, Option<DeviceId>)>) {
    let mut tenants = BTreeMap::<TenantId, BTreeSet<Uuid>>::new();
    for (tenant, device) in about {
        tenants.entry(tenant).or_default().insert(device.map_or(Uuid::nil(), |device| device.0));
    }
    for (tenant, devices) in tenants {
        let devices: Bytes = devices.iter().flat_map(|device| *device.as_bytes()).collect();
        if let Err(error) = bus.client.publish(binding::events_subject(tenant), devices).await {
            tracing::debug!(%error, "the edge is not notified of events");
        }
    }
}
