//! What identity says that a user may do.

use std::collections::HashSet;

use armada_proto::{TenantId, v1::Policy};

use crate::error::{Error, Result};

/// What a user may do.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// Grows with every change.
    pub version: i32,
    /// None for platform owners.
    pub tenant_id: Option<TenantId>,
    /// May do everything in every tenant.
    pub is_platform_owner: bool,
    /// May do everything in their tenant.
    pub is_tenant_admin: bool,
    /// The subscription covers them.
    pub is_subscription_user: bool,
    /// Must set up a second factor before anything else.
    pub must_set_up_totp: bool,
    /// Must change a password that somebody else has set before anything else.
    pub must_change_password: bool,
    permissions: HashSet<String>,
}

impl Rights {
    /// Whether the user holds a permission, by its key: who administers a scope holds every one in it, and who must
    /// finish their account first holds none.
    pub fn allow(&self, permission: &str) -> bool {
        let held = self.is_platform_owner || self.is_tenant_admin || self.permissions.contains(permission);
        held && self.is_finished()
    }

    /// Whether nothing is to be done about the account before anything else.
    pub fn is_finished(&self) -> bool {
        !self.must_change_password && !self.must_set_up_totp
    }
}

impl TryFrom<Policy> for Rights {
    type Error = Error;

    fn try_from(policy: Policy) -> Result<Self> {
        Ok(Self {
            version: policy.version,
            tenant_id: policy.tenant_id.map(|id| id.parse()).transpose()?,
            is_platform_owner: policy.is_platform_owner,
            is_tenant_admin: policy.is_tenant_admin,
            is_subscription_user: policy.is_subscription_user,
            must_set_up_totp: policy.must_set_up_totp,
            must_change_password: policy.must_change_password,
            permissions: policy.permissions.into_iter().collect(),
        })
    }
}
