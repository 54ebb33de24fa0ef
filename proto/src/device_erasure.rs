//! Devices that are erased: the bucket that fleet fills and position-ingest obeys. A key is the id of a device, a value a
//! coded [`crate::v1::DeviceErasure`]. Entries stay for ever, so that no backup of a database brings back what is gone.

/// Name of the bucket.
pub const BUCKET: &str = "device_erasures";
