//! The ledgers of what is erased, obeyed.

pub mod delete;
pub mod devices;
pub mod tenants;
