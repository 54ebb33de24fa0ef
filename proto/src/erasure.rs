//! The erase ledger: the bucket that identity writes and every service that stores something obeys. A key is the id of a
//! tenant, a value a coded [`crate::v1::Erasure`]. It lies outside of the databases, so that a backup of one of them does
//! not bring back what is gone.

/// Name of the bucket.
pub const BUCKET: &str = "erasures";
