//! What may be said of a user.

use armada_proto::v1::UserInput;
use armada_runtime::{Caller, Error, Fields, Result};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, PaginatorTrait, QueryFilter};

use super::is_own;
use crate::{
    email,
    entity::user::{Column, Entity, Locale, Model},
    passwords, policy,
};

const NAME_MAX: usize = 200;
const PHONE_MAX: usize = 40;

/// Brings the input into the form in which it is stored, or says what is wrong with it.
pub fn check(input: &mut UserInput, creating: bool, mut fields: Fields) -> Result<()> {
    fields.require("name", input.name.as_deref(), creating);
    fields.line("name", &mut input.name, NAME_MAX);
    fields.require("email", input.email.as_deref(), creating);
    email::check(&mut fields, &mut input.email);
    fields.line("phone", &mut input.phone, PHONE_MAX);
    if input.locale.is_some_and(|number| Locale::named(number).is_err()) {
        fields.wrong("locale", "invalid");
    }
    let password = input.password.as_deref().unwrap_or_default();
    if (creating && !input.invite) || !password.is_empty() {
        let own = [input.email.as_deref().unwrap_or_default(), input.name.as_deref().unwrap_or_default()];
        passwords::check(&mut fields, "password", password, &own);
    }
    fields.check()
}

/// A user stays in their tenant; who has none is admin of none; and nobody shuts themselves out.
pub fn refuse_changes_of_place(caller: &Caller, user: &Model, input: &UserInput, fields: &mut Fields) {
    let place = user.tenant_id.map(|id| id.to_string()).unwrap_or_default();
    if input.tenant_id.as_ref().is_some_and(|wanted| *wanted != place) {
        fields.wrong("tenant_id", "not_changeable");
    }
    if user.tenant_id.is_none() && input.is_tenant_admin == Some(true) {
        fields.wrong("is_tenant_admin", "no_tenant");
    }
    if is_own(caller, user) && input.is_active == Some(false) {
        fields.wrong("is_active", "own_account");
    }
    // One's own is changed in one's account, which asks for the present one.
    if is_own(caller, user) && input.password.as_ref().is_some_and(|password| !password.is_empty()) {
        fields.wrong("password", "own_account");
    }
}

/// Only admins make admins and unmake them, and nobody else changes their own standing.
pub fn refuse_flags(caller: &Caller, user: &Model, input: &UserInput) -> Result<()> {
    if caller.is_admin() {
        return Ok(());
    }
    if input.is_tenant_admin.is_some_and(|wanted| wanted != user.is_tenant_admin) {
        return Err(policy::more_than_held("is_tenant_admin"));
    }
    let subscribes = input.is_subscription_active.is_some_and(|wanted| wanted != user.is_subscription_active);
    if is_own(caller, user) && subscribes {
        return Err(Error::forbidden());
    }
    Ok(())
}

/// Takes over what is present, but for the password and the tenant.
pub fn apply(input: UserInput, user: &mut Model) {
    let locale = input.locale.and_then(|number| Locale::named(number).ok().flatten());
    user.name = input.name.unwrap_or_else(|| std::mem::take(&mut user.name));
    user.email = input.email.unwrap_or_else(|| std::mem::take(&mut user.email));
    user.phone = input.phone.unwrap_or_else(|| std::mem::take(&mut user.phone));
    user.is_tenant_admin = input.is_tenant_admin.unwrap_or(user.is_tenant_admin);
    user.is_active = input.is_active.unwrap_or(user.is_active);
    user.is_subscription_active = input.is_subscription_active.unwrap_or(user.is_subscription_active);
    user.locale = locale.unwrap_or(user.locale);
    user.search = user.searched();
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
