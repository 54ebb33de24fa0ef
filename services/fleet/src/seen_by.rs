//! What users see, for who looks at their fleet.

use std::{collections::HashSet, str::FromStr};

use armada_proto::{TenantId, UserId, v1::SeenByUsers};
use armada_runtime::{Result, Scope, ServiceKey};
use sea_orm::{ColumnTrait, Condition};

use crate::{
    entity::device::{self, linked_to},
    identity::IdentityClient,
};

/// What users see of a scope, unless it is everything. Who is unknown sees nothing.
pub async fn of(
    identity: &IdentityClient,
    key: &ServiceKey,
    scope: Scope,
    user_ids: &[String],
) -> Result<Option<SeenByUsers>> {
    let mut seen = SeenByUsers::default();
    let ids: HashSet<UserId> = user_ids.iter().filter_map(|id| id.parse().ok()).collect();
    let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
    for user in identity.users(&key.caller(scope, None)?, ids).await? {
        match user.tenant_id {
            _ if user.is_platform_owner => return Ok(None),
            Some(tenant) if user.is_tenant_admin => seen.tenants.push(tenant),
            _ => seen.linked.push(user.id),
        }
    }
    Ok(Some(seen))
}

/// The devices that some users see.
pub fn devices(seen: &SeenByUsers) -> Condition {
    let users = seen.linked.iter().filter_map(|id| UserId::from_str(id).ok());
    let tenants = seen.tenants.iter().filter_map(|id| TenantId::from_str(id).ok());
    Condition::any().add(linked_to(users)).add(device::Column::TenantId.is_in(tenants))
}
