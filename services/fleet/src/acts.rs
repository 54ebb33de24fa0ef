//! What is done to devices, for the audit.

use armada_proto::{
    access::permission,
    v1::{Device, ImeiClaim, ImeiClaimStatus, Tenant},
};
use armada_runtime::{
    Caller, Result,
    audit::{self, Act, Change, Object},
};
use sea_orm::DatabaseTransaction;
use serde_json::json;

use crate::entity::{device::Model, imei_assignment, imei_claim::Model as Claim};

/// Records that a device was made, changed or removed.
pub async fn changed(
    tx: &DatabaseTransaction,
    caller: &Caller,
    before: Option<&Model>,
    after: Option<&Model>,
) -> Result<()> {
    match change(before, after) {
        Some(act) => audit::record(tx, caller, act).await,
        None => Ok(()),
    }
}

/// That a device was made, changed or removed.
pub fn change(before: Option<&Model>, after: Option<&Model>) -> Option<Act> {
    let device = after.or(before)?;
    let act = match (before, after) {
        (None, _) => permission::DEVICE_CREATE,
        (_, None) => permission::DEVICE_DELETE,
        _ => permission::DEVICE_UPDATE,
    };
    let message = |device: Option<&Model>| device.map(|device| Device::from(device.clone()));
    Some(Act {
        act,
        tenant: Some(device.tenant_id),
        object: Object::new("device", device.id, &device.name),
        change: audit::changes(message(before).as_ref(), message(after).as_ref()),
    })
}

/// Records what a platform owner decided on a claim, where the tenant sees it.
pub async fn decided(tx: &DatabaseTransaction, caller: &Caller, before: &Claim, after: &Claim) -> Result<()> {
    let act = if after.status == ImeiClaimStatus::Approved { "imei_claim:approve" } else { "imei_claim:reject" };
    let message = |claim: &Claim| ImeiClaim::from(claim.clone());
    let object = Object::new("imei_claim", after.id, &after.imei);
    let change = audit::changes(Some(&message(before)), Some(&message(after)));
    audit::record(tx, caller, Act { act, tenant: Some(after.tenant_id), object, change }).await
}

/// Records that IMEIs were promised to a tenant, in the chain of the platform.
pub async fn assigned(tx: &DatabaseTransaction, caller: &Caller, tenant: &Tenant, imeis: &[String]) -> Result<()> {
    let object = Object::new("tenant", &tenant.id, &tenant.name);
    let change = Change { before: None, after: Some(json!({ "imeis": imeis })) };
    audit::record(tx, caller, Act { act: "imei:assign", tenant: None, object, change }).await
}

/// Records that an IMEI is promised to nobody any more.
pub async fn unassigned(tx: &DatabaseTransaction, caller: &Caller, row: &imei_assignment::Model) -> Result<()> {
    let object = Object::new("imei", &row.imei, &row.imei);
    let change = Change { before: Some(json!({ "tenant_id": row.tenant_id })), after: None };
    audit::record(tx, caller, Act { act: "imei:unassign", tenant: None, object, change }).await
}
