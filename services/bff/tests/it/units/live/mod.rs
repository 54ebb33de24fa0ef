//! What live sockets tell.

mod columns;
mod commands;
mod directory;
mod inbox;
mod message;
mod rows;
mod shown;

use std::sync::Arc;

use armada_bff::rules::live::Update;
use armada_proto::{
    DeviceId, TenantId, Timestamp,
    v1::{DeviceBinding, LastPosition},
};

fn position(device: DeviceId, second: i64) -> LastPosition {
    LastPosition {
        device_id: device.to_string(),
        recorded_at: Some(Timestamp::from_millis(second * 1000)),
        lat: second as f64,
        ..LastPosition::default()
    }
}

fn update(device: DeviceId, second: i64) -> Arc<Update> {
    Update::of(position(device, second)).expect("it has a device")
}

fn binding(name: &str, device: DeviceId, tenant: TenantId) -> DeviceBinding {
    DeviceBinding {
        device_id: device.to_string(),
        tenant_id: tenant.to_string(),
        name: name.to_owned(),
        ..DeviceBinding::default()
    }
}
