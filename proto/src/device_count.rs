//! How many devices each tenant has: the bucket that fleet fills and identity follows. A key is the id of a tenant, a
//! value a coded [`crate::v1::DeviceCount`].

/// Name of the bucket.
pub const BUCKET: &str = "device_counts";
