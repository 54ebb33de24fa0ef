//! How many users a tenant may have, and that it keeps somebody who manages them. Both are decided under a lock of the
//! tenant's row, so that two who act at once do not both take the last place, or both remove the other admin.

use armada_proto::TenantId;
use armada_runtime::{Code, Error, Result, Scope};
use sea_orm::{ColumnTrait, DatabaseTransaction, PaginatorTrait, QueryFilter, QuerySelect};

use crate::entity::{tenant, user};

/// The tenant, locked until the transaction ends; none when there is no such tenant in reach.
pub async fn lock(tx: &DatabaseTransaction, tenant: TenantId) -> Result<Option<tenant::Model>> {
    Ok(tenant::Entity::within(Scope::Tenant(tenant)).lock_exclusive().one(tx).await?)
}

/// An error when a tenant that is locked has no place for another user.
pub async fn one_more_user(tx: &DatabaseTransaction, tenant: &tenant::Model) -> Result<()> {
    if tenant.user_limit == 0 {
        return Ok(());
    }
    let users = user::Entity::within(Scope::Tenant(tenant.id)).count(tx).await?;
    if users < tenant.user_limit.unsigned_abs() {
        return Ok(());
    }
    let message = format!("the tenant has {users} users and may have {}", tenant.user_limit);
    Err(Error::new(Code::Conflict, "user_limit_reached", message))
}

/// An error when a user who is about to lose it is the only one who manages their tenant.
pub async fn another_admin(tx: &DatabaseTransaction, user: &user::Model, field: &str) -> Result<()> {
    let Some(tenant) = user.tenant_id.filter(|_| user.is_tenant_admin && user.is_active) else { return Ok(()) };
    lock(tx, tenant).await?;
    let others = user::Entity::within(Scope::Tenant(tenant))
        .filter(user::Column::Id.ne(user.id))
        .filter(user::Column::IsTenantAdmin.eq(true))
        .filter(user::Column::IsActive.eq(true))
        .count(tx)
        .await?;
    if others > 0 { Ok(()) } else { Err(Error::field(field, "last_admin")) }
}
