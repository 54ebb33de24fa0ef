//! Which roles a user has.

use std::collections::BTreeSet;

use armada_proto::{
    TenantId, Timestamp, UserId,
    access::permission,
    v1::{Effect, User, UserRolesInput},
};
use armada_runtime::{
    Caller, Code, Error, Result, Scope,
    audit::{self, Act, Object},
    resource,
};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter,
    QuerySelect,
};
use uuid::Uuid;

use super::{Users, input::is_own};
use crate::{
    entity::{
        role, role_permission,
        user::Model,
        user_role::{ActiveModel, Column, Entity},
    },
    policy, widening,
};

/// Roles that one user may have.
const ROLES_MAX: usize = 50;

impl Users {
    pub(super) async fn set_roles(&self, caller: &Caller, input: &UserRolesInput) -> Result<User> {
        let tx = self.db.write(&caller.scope()).await?;
        let id: UserId = input.id.parse()?;
        let mut user = resource::locked(self, &tx, caller, id.into(), input.row_version).await?;
        if is_own(caller, &user) && !caller.is_admin() {
            return Err(policy::exceeds_own_rights("role_ids"));
        }
        policy::must_cover(&tx, caller, &user).await?;
        let wanted = chosen(&tx, &user, &input.role_ids).await?;
        let before = resource::message(self, &tx, user.clone()).await?;
        let present = present(&tx, &user).await?;
        let added: Vec<Uuid> = wanted.difference(&present).copied().collect();
        let removed: Vec<Uuid> = present.difference(&wanted).copied().collect();
        if added.is_empty() && removed.is_empty() {
            return Ok(before);
        }
        // A role that goes takes with it what it denied.
        let wider =
            [keys_with_effect(&tx, &added, Effect::Allow).await?, keys_with_effect(&tx, &removed, Effect::Deny).await?]
                .concat();
        policy::must_hold(caller, "role_ids", wider.iter().map(String::as_str))?;
        store(&tx, &user, &added, &removed).await?;
        user.policy_version += 1;
        user.row_version += 1;
        user.updated_at = Timestamp::now().millis();
        policy::mark(&tx, &[user.id]).await?;
        let user = user.into_active_model().reset_all().update(&tx).await?;
        let ended = match wider.is_empty() || user.is_admin() {
            true => Vec::new(),
            false => widening::end(&tx, &self.links.mail, &[user.id]).await?,
        };
        let user = resource::message(self, &tx, user).await?;
        let change = audit::changes(Some(&before), Some(&user));
        let tenant = user.tenant_id.as_deref().map(str::parse::<TenantId>).transpose()?;
        let object = Object::new("user", &user.id, &user.name);
        audit::record(&tx, caller, Act { act: permission::USER_ASSIGN_ROLES, tenant, object, change }).await?;
        tx.commit().await?;
        self.links.mail.wake_relay();
        self.outbox.flush().await;
        self.ended.announce(ended).await;
        Ok(user)
    }
}

/// An error unless the caller may give roles to a user whom they make, if they want to.
pub(super) fn may_give(caller: &Caller, role_ids: &[String]) -> Result<()> {
    match role_ids.is_empty() {
        true => Ok(()),
        false => policy::must_hold(caller, "role_ids", [permission::USER_ASSIGN_ROLES]),
    }
}

/// Gives roles to a new user.
pub(super) async fn give(tx: &DatabaseTransaction, caller: &Caller, user: &Model, role_ids: &[String]) -> Result<()> {
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
async fn chosen(tx: &DatabaseTransaction, user: &Model, ids: &[String]) -> Result<BTreeSet<Uuid>> {
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

async fn present(tx: &DatabaseTransaction, user: &Model) -> Result<BTreeSet<Uuid>> {
    let rows = Entity::find().filter(Column::UserId.eq(user.id)).select_only().column(Column::RoleId);
    Ok(rows.into_tuple::<Uuid>().all(tx).await?.into_iter().collect())
}

/// The keys of which roles say one thing.
async fn keys_with_effect(tx: &DatabaseTransaction, roles: &[Uuid], effect: Effect) -> Result<Vec<String>> {
    let rows = role_permission::Entity::find()
        .filter(role_permission::Column::RoleId.is_in(roles.iter().copied()))
        .filter(role_permission::Column::Effect.eq(effect));
    Ok(rows.select_only().column(role_permission::Column::Key).into_tuple().all(tx).await?)
}

async fn store(tx: &DatabaseTransaction, user: &Model, added: &[Uuid], removed: &[Uuid]) -> Result<()> {
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
