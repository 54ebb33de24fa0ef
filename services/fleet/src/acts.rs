//! What is done to devices, for the audit.

use armada_proto::{access::permission, v1::Device};
use armada_runtime::{
    Caller, Result, Scope,
    audit::{self, Act, Change, Object},
};
use sea_orm::DatabaseTransaction;
use serde_json::json;

use crate::entity::device::Model;

/// Records that a device was made, changed or removed.
pub async fn changed(
    tx: &DatabaseTransaction,
    caller: &Caller,
    before: Option<&Model>,
    after: Option<&Model>,
) -> Result<()> {
    let Some(device) = after.or(before) else { return Ok(()) };
    let act = match (before, after) {
        (None, _) => permission::DEVICE_CREATE,
        (_, None) => permission::DEVICE_DELETE,
        _ => permission::DEVICE_UPDATE,
    };
    let told = |device: Option<&Model>| device.map(|device| Device::from(device.clone()));
    let act = Act {
        act,
        tenant: Some(device.tenant_id),
        object: Object::new("device", device.id, &device.name),
        change: audit::changes(told(before).as_ref(), told(after).as_ref()),
    };
    audit::record(tx, caller, act).await
}

/// Records that so many devices were taken away in a file.
pub async fn exported(tx: &DatabaseTransaction, caller: &Caller, scope: Scope, count: u32) -> Result<()> {
    let change = Change { before: None, after: Some(json!({ "count": count })) };
    let object = Object { kind: "device", ..Object::default() };
    audit::record(tx, caller, Act { act: permission::DEVICE_EXPORT, tenant: scope.tenant(), object, change }).await
}
