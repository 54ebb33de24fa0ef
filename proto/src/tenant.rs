//! What other services go by of tenants: the bucket that identity fills. A key is the id of a tenant, a value a coded
//! [`crate::v1::TenantEntry`]; a tenant of which everything is as usual has none.

/// Name of the bucket.
pub const BUCKET: &str = "tenants";
