//! What other services tell this one, kept in memory.

pub mod bindings;
mod bucket_cache;
pub(crate) mod gateways;
pub(crate) mod registry;
pub(crate) mod standing_alarms;
pub(crate) mod tenants;
