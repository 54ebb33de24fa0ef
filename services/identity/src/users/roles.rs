//! The roles of a user.

use std::collections::BTreeSet;

use armada_proto::{access::permission, v1::Effect};
use armada_runtime::{Caller, Code, Error, Result, Scope};
use sea_orm::{ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use crate::{
    entity::{
        role, role_permission,
        user::Model,
        user_role::{ActiveModel, Column, Entity},
    },
    policy,
};

/// Roles that one user may have.
const ROLES_MAX: usize = 50;

/// An error unless the caller may give roles to a user whom they make, if they want to.
pub fn may_give(caller: &Caller, role_ids: &[String]) -> Result<()> {
    match role_ids.is_empty() {
        true => Ok(()),
        false => policy::must_hold(caller, "role_ids", [permission::USER_ASSIGN_ROLES]),
    }
}

/// Gives roles to a new user.
pub async fn give(tx: &DatabaseTransaction, caller: &Caller, user: &Model, role_ids: &[String]) -> Result<()> {
    if role_ids.is_empty() {
        return Ok(());
    }
    let roles: Vec<_> = chosen(tx, user, role_ids).await?.into_iter().collect();
    let keys = keys_with_effect(tx, &roles, Effect::Allow).await?;
    policy::must_hold(caller, "role_ids", keys.iter().map(String::as_str))?;
    store(tx, user, &roles, &[]).await
}

/// The roles that a request names, all of the user's tenant; at least one, unless the user is an admin and may do
/// everything without any. One of another tenant is as unknown as one that does not exist.
pub async fn chosen(tx: &DatabaseTransaction, user: &Model, ids: &[String]) -> Result<BTreeSet<Uuid>> {
    let invalid = |code| {
        let message = "Invalid role selection. Please check your role selection.";
        Error::new(Code::Invalid, "invalid_role_selection", message).with_field("role_ids", code)
    };
    let ids: Result<BTreeSet<Uuid>, _> = ids.iter().map(|id| Uuid::try_parse(id)).collect();
    let ids = ids.map_err(|_| invalid("unknown"))?;
    if ids.is_empty() && !user.is_tenant_admin {
        return Err(invalid("required"));
    }
    if ids.len() > ROLES_MAX {
        return Err(invalid("too_many"));
    }
    let Some(tenant) = user.tenant_id else { return Err(invalid("no_tenant")) };
    let rows = role::Entity::within(Scope::Tenant(tenant)).filter(role::Column::Id.is_in(ids.iter().copied()));
    // Shared locks keep them from being removed meanwhile.
    let found = rows.lock_shared().all(tx).await?.len();
    if found == ids.len() { Ok(ids) } else { Err(invalid("unknown")) }
}

pub async fn present(tx: &DatabaseTransaction, user: &Model) -> Result<BTreeSet<Uuid>> {
    let rows = Entity::find().filter(Column::UserId.eq(user.id)).select_only().column(Column::RoleId);
    Ok(rows.into_tuple::<Uuid>().all(tx).await?.into_iter().collect())
}

/// The keys of which roles say one thing.
pub async fn keys_with_effect(tx: &DatabaseTransaction, roles: &[Uuid], effect: Effect) -> Result<Vec<String>> {
    let rows = role_permission::Entity::find()
        .filter(role_permission::Column::RoleId.is_in(roles.iter().copied()))
        .filter(role_permission::Column::Effect.eq(effect));
    Ok(rows.select_only().column(role_permission::Column::Key).into_tuple().all(tx).await?)
}

pub async fn store(tx: &DatabaseTransaction, user: &Model, added: &[Uuid], removed: &[Uuid]) -> Result<()> {
    let Some(tenant_id) = user.tenant_id else { return Ok(()) };
    Entity::delete_many()
        .filter(Column::UserId.eq(user.id))
        .filter(Column::RoleId.is_in(removed.iter().copied()))
        .exec(tx)
        .await?;
    let rows =
        added.iter().map(|role| ActiveModel { user_id: Set(user.id), role_id: Set(*role), tenant_id: Set(tenant_id) });
    let rows: Vec<_> = rows.collect();
    if !rows.is_empty() {
        Entity::insert_many(rows).exec_without_returning(tx).await?;
    }
    Ok(())
}
