//! What users may do, as every service knows it: the bucket that identity fills and the guard of every service follows.
//! A key is the id of a user, a value a coded [`crate::v1::Policy`]. There is none for a user who may not be signed in.

/// Name of the bucket.
pub const BUCKET: &str = "policies";
