//! Devices that are erased: the bucket that fleet fills, and that position-ingest and notification obey. A key is the id of
//! a device, a value a coded [`crate::v1::DeviceErasure`]. Entries stay for ever, so that no backup of a database brings
//! back what is gone.

use crate::{DeviceId, TenantId, coded, v1::DeviceErasure};

/// Name of the bucket.
pub const BUCKET: &str = "device_erasures";

/// Which device an entry names, and whose it was. What cannot be read says nothing: nothing is erased by accident.
pub fn read(key: &str, value: &[u8]) -> Option<(DeviceId, TenantId)> {
    let erasure: DeviceErasure = coded::decode(value)?;
    Some((key.parse().ok()?, erasure.tenant_id.parse().ok()?))
}
