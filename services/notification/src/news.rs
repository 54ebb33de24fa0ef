//! Telling the edge of which vehicles there is news. Whoever does not hear it reads it.

use std::collections::{BTreeMap, BTreeSet};

use armada_proto::{DeviceId, TenantId, binding};
use armada_runtime::Bus;
use bytes::Bytes;
use sea_orm::prelude::Uuid;

/// Tells of events and alarms of these devices; none for what is about no device.
pub async fn tell(bus: &Bus, about: impl IntoIterator<Item = (TenantId, Option<DeviceId>)>) {
    let mut tenants = BTreeMap::<TenantId, BTreeSet<Uuid>>::new();
    for (tenant, device) in about {
        tenants.entry(tenant).or_default().insert(device.map_or(Uuid::nil(), |device| device.0));
    }
    for (tenant, devices) in tenants {
        let devices: Bytes = devices.iter().flat_map(|device| *device.as_bytes()).collect();
        if let Err(error) = bus.client.publish(binding::events_subject(tenant), devices).await {
            tracing::debug!(%error, "nobody is told of events");
        }
    }
}
