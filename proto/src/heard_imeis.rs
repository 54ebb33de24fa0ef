//! IMEIs that were heard while nobody had them: the bucket that position-ingest fills and fleet asks when a tenant names
//! an IMEI. A key is the IMEI, or another identifier, a value a coded [`crate::v1::ImeiHeard`].

/// Name of the bucket.
pub const BUCKET: &str = "heard";

/// Bytes that the bucket may hold, some 300,000 IMEIs. What does not fit is refused, so that whoever makes IMEIs up
/// pushes none out that was heard.
pub const MAX_BYTES: i64 = 64 << 20;

/// Bytes that must be free for the absence of an IMEI to mean that it was never heard: with less, it may not have fitted.
pub const FREE_BYTES: i64 = 1 << 20;
