//! Which tenants are erased, for those who must enter nothing of their people any more.

use std::{
    collections::HashSet,
    sync::{Arc, PoisonError, RwLock},
};

use armada_proto::TenantId;

/// The tenants that are erased: of them nothing is entered any more that tells of people.
#[derive(Clone, Default)]
pub struct ErasedTenants(Arc<RwLock<HashSet<TenantId>>>);

impl ErasedTenants {
    /// Whether a tenant is erased.
    pub fn has(&self, tenant: TenantId) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains(&tenant)
    }

    /// Adds one.
    pub fn add(&self, tenant: TenantId) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(tenant);
    }
}
