//! To whom the fixes of an IMEI belong: the bucket that fleet fills and every reader of positions follows. A value is
//! a coded [`crate::v1::DeviceBinding`].

use crate::TenantId;

/// Name of the bucket.
pub const BUCKET: &str = "devices";

/// What the key of an IMEI begins with.
pub const KEYS: &str = "imei.";

/// The key of an IMEI, or of another identifier of a tracker.
pub fn key(imei: &str) -> String {
    format!("{KEYS}{imei}")
}

/// The IMEI of a key.
pub fn imei_of(key: &str) -> Option<&str> {
    key.strip_prefix(KEYS)
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

/// The core subject on which fleet tells how a command of a tenant stands: a [`crate::v1::Command`].
pub fn commands_subject(tenant: TenantId) -> String {
    format!("changed.{tenant}.commands")
}

/// [`commands_subject`] of all tenants.
pub const COMMANDS_OF_ALL: &str = "changed.*.commands";

/// The core subject on which notification tells that there are new events of a tenant: the ids of the devices that they
/// concern, 16 bytes each, a nil one for those that concern none.
pub fn events_subject(tenant: TenantId) -> String {
    format!("changed.{tenant}.events")
}

/// [`events_subject`] of all tenants.
pub const EVENTS_OF_ALL: &str = "changed.*.events";
