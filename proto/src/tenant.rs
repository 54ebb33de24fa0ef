//! What other services go by of tenants: the bucket that identity fills. A key is the id of a tenant, a value a coded
//! [`crate::v1::TenantEntry`]. Every tenant has one; one that is deleted has it until it is erased.

/// Name of the bucket.
pub const BUCKET: &str = "tenants";
