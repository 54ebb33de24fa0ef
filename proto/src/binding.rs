//! To whom the fixes of an IMEI belong: the bucket that fleet fills and every reader of positions follows.

use prost::Message;

use crate::{TenantId, v1::DeviceBinding};

/// Name of the bucket.
pub const BUCKET: &str = "devices";

/// The first byte of a value: protobuf [`DeviceBinding`].
const CODEC: u8 = 1;

/// The key of an IMEI (15 digits).
pub fn key(imei: &str) -> String {
    format!("imei.{imei}")
}

/// The IMEI of a key.
pub fn imei_of(key: &str) -> Option<&str> {
    key.strip_prefix("imei.")
}

/// A value as it stands in the bucket.
pub fn encode(binding: &DeviceBinding) -> Vec<u8> {
    let mut value = Vec::with_capacity(1 + binding.encoded_len());
    value.push(CODEC);
    value.extend_from_slice(&binding.encode_to_vec());
    value
}

/// Reads a value; none when it was not written by [`encode`].
pub fn decode(value: &[u8]) -> Option<DeviceBinding> {
    match value.split_first() {
        Some((&CODEC, message)) => DeviceBinding::decode(message).ok(),
        _ => None,
    }
}

/// [`changed_subject`] of all tenants.
pub const CHANGES_OF_ALL: &str = "changed.*.devices";

/// [`live_subject`] of all tenants.
pub const LIVE_OF_ALL: &str = "live.*";

/// The core subject on which fleet tells that a tenant's devices, or who may see them, have changed.
pub fn changed_subject(tenant: TenantId) -> String {
    format!("changed.{tenant}.devices")
}

/// The core subject of a tenant's live positions.
pub fn live_subject(tenant: TenantId) -> String {
    format!("live.{tenant}")
}
