//! Through which gateway a tracker is heard: the bucket that position-ingest fills and fleet asks when it has a command for
//! one. A key is the IMEI, or another identifier, a value a coded [`crate::v1::ImeiRoute`].

/// Name of the bucket.
pub const BUCKET: &str = "routes";
