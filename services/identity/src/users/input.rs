//! What may be said of a user.

use armada_proto::{UserId, Violations, v1::UserInput};
use armada_runtime::{Caller, Error, Result};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, PaginatorTrait, QueryFilter};

use crate::{
    entity::user::{Column, Entity, Model},
    limits, passwords, policy,
};

/// A new user has a password, or is invited; what is set must be hard to guess.
pub fn check_password(is_new: bool, input: &UserInput, violations: &mut Violations) {
    let password = input.password.as_deref().unwrap_or_default();
    if (is_new && !input.invite) || !password.is_empty() {
        let own = [input.email.as_deref().unwrap_or_default(), input.name.as_deref().unwrap_or_default()];
        passwords::check(violations, "password", password, &own);
    }
}

/// Who has no tenant is admin of none, and nobody shuts themselves out.
pub fn check_change(caller: &Caller, user: &Model, input: &UserInput, violations: &mut Violations) {
    if !input.role_ids.is_empty() {
        violations.add("role_ids", "not_changeable");
    }
    if user.tenant_id.is_none() && input.is_tenant_admin == Some(true) {
        violations.add("is_tenant_admin", "no_tenant");
    }
    if is_own(caller, user) && input.is_active == Some(false) {
        violations.add("is_active", "own_account");
    }
    // One's own is changed in one's account, which asks for the present one.
    if is_own(caller, user) && input.password.as_ref().is_some_and(|password| !password.is_empty()) {
        violations.add("password", "own_account");
    }
}

/// Only admins make admins and unmake them, and nobody else changes their own standing.
pub fn refuse_flags(caller: &Caller, user: &Model, input: &UserInput) -> Result<()> {
    if caller.is_admin() {
        return Ok(());
    }
    if input.is_tenant_admin.is_some_and(|wanted| wanted != user.is_tenant_admin) {
        return Err(policy::exceeds_own_rights("is_tenant_admin"));
    }
    let subscribes = input.is_subscription_active.is_some_and(|wanted| wanted != user.is_subscription_active);
    if is_own(caller, user) && subscribes {
        return Err(Error::forbidden());
    }
    Ok(())
}

/// An error unless the caller may change a user, and somebody goes on managing their tenant.
pub async fn must_be_allowed(tx: &DatabaseTransaction, caller: &Caller, user: &Model, input: &UserInput) -> Result<()> {
    policy::must_cover(tx, caller, user).await?;
    refuse_flags(caller, user, input)?;
    if input.is_tenant_admin == Some(false) {
        limits::another_admin(tx, user, "is_tenant_admin").await?;
    }
    if input.is_active == Some(false) {
        limits::another_admin(tx, user, "is_active").await?;
    }
    Ok(())
}

/// An error when the tenant of a new user does not exist, or has no place for them.
pub async fn must_have_room(tx: &DatabaseTransaction, user: &Model, more: u64) -> Result<()> {
    let Some(tenant) = user.tenant_id else { return Ok(()) };
    let tenant = limits::lock(tx, tenant).await?.ok_or_else(|| Error::field("tenant_id", "unknown"))?;
    limits::room_for_users(tx, &tenant, more).await
}

/// Takes over a password that the caller has set for somebody else, who must change it when they sign in. Programs are
/// nobody else: what they make is for whoever runs them.
pub fn set_password(user: &mut Model, caller: &Caller, hash: String) {
    user.password_hash = hash;
    user.is_pending = false;
    user.registration_expires_at = None;
    user.must_change_password = caller.grant.is_some();
    user.password_set_by = manager(caller);
}

/// An error when another user of the same tenant has a user's address.
pub async fn must_be_free(tx: &DatabaseTransaction, user: &Model) -> Result<()> {
    let same = Entity::find().filter(Column::TenantId.eq(user.tenant_id)).filter(Column::Email.eq(&user.email));
    match same.filter(Column::Id.ne(user.id)).count(tx).await? {
        0 => Ok(()),
        _ => Err(Error::taken("email")),
    }
}

/// Somebody of the same tenant got the address a moment ago, or somebody elsewhere did.
pub fn taken(error: sea_orm::DbErr) -> Error {
    match Error::on_unique(error, &[("tenant_email", "email"), ("user.tenant_id", "email"), ("email", "elsewhere")]) {
        error if error.fields.contains_key("elsewhere") => Error::unavailable("this address changes hands right now"),
        error => error,
    }
}

/// Who manages a user and might come to know less than they one day: a platform owner never does.
pub fn manager(caller: &Caller) -> Option<UserId> {
    caller.grant.as_ref().filter(|grant| !grant.is_platform_owner).map(|grant| grant.user_id)
}

/// Whether the caller is this user.
pub fn is_own(caller: &Caller, user: &Model) -> bool {
    caller.grant.as_ref().is_some_and(|grant| grant.user_id == user.id)
}
