//! How many users a tenant may have, and that it keeps somebody who manages them. Both are decided under a lock of the
//! tenant's row, so that two who act at once do not both take the last place, or both remove the other admin.

use armada_proto::{TenantId, UserId};
use armada_runtime::{Error, Result, Scope, jobs::made_before};
use sea_orm::{ColumnTrait, DatabaseTransaction, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::entity::{tenant, user};

/// The tenant, locked until the transaction ends; none when there is no such tenant in reach.
pub async fn lock(tx: &DatabaseTransaction, tenant: TenantId) -> Result<Option<tenant::Model>> {
    Ok(tenant::Entity::within(Scope::Tenant(tenant)).lock_exclusive().one(tx).await?)
}

/// An error when a tenant that is locked has no place for so many users more.
pub async fn room_for_users(tx: &DatabaseTransaction, tenant: &tenant::Model, more: u64) -> Result<()> {
    if tenant.user_limit == 0 {
        return Ok(());
    }
    let users = user::Entity::within(Scope::Tenant(tenant.id)).count(tx).await? + made_before(tenant.id);
    if users + more <= tenant.user_limit.unsigned_abs() {
        return Ok(());
    }
    let message = format!("the tenant has {users} users and may have {}", tenant.user_limit);
    let limit = u32::try_from(tenant.user_limit).unwrap_or(u32::MAX);
    Err(Error::limit_reached("user_limit_reached", limit, message))
}

/// Platform owners, locked until the transaction ends: called before one of them is locked alone, so that nobody holds
/// one and waits for another.
pub async fn lock_owners(tx: &DatabaseTransaction) -> Result<()> {
    let owners = user::Entity::within(Scope::Platform).filter(user::Column::IsPlatformOwner.eq(true));
    let ids = owners.order_by_asc(user::Column::Id).select_only().column(user::Column::Id).lock_exclusive();
    ids.into_tuple::<UserId>().all(tx).await?;
    Ok(())
}

/// An error when a user who is about to lose it is the only one who manages their tenant, or the platform. Owners have
/// been locked before.
pub async fn another_admin(tx: &DatabaseTransaction, user: &user::Model, field: &str) -> Result<()> {
    if !user.is_active {
        return Ok(());
    }
    let (scope, flag) = match user.tenant_id {
        None if user.is_platform_owner => (Scope::Platform, user::Column::IsPlatformOwner),
        Some(tenant) if user.is_tenant_admin => {
            lock(tx, tenant).await?;
            (Scope::Tenant(tenant), user::Column::IsTenantAdmin)
        }
        _ => return Ok(()),
    };
    let others = user::Entity::within(scope)
        .filter(user::Column::Id.ne(user.id))
        .filter(flag.eq(true))
        .filter(user::Column::IsActive.eq(true))
        .count(tx)
        .await?;
    if others > 0 { Ok(()) } else { Err(Error::field(field, "last_admin")) }
}
