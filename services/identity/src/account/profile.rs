//! Name, phone, language and password.

use armada_proto::{
    Timestamp,
    v1::{ChangePasswordRequest, Profile, ProfileInput},
};
use armada_runtime::{Caller, Error, Result, Validate, Violations, audit, resource::convert::TakeOver};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter,
    sea_query::Expr,
};

use super::{Account, locked, of_own, own};
use crate::{
    ended,
    entity::{session, tenant, user},
    links,
    mail::Kind,
    passwords, policy, totp,
};

impl Account {
    pub(super) async fn get_profile(&self, caller: &Caller) -> Result<Profile> {
        let tx = self.db.read(&caller.scope()).await?;
        let user = own(caller)?.one(&tx).await?.ok_or_else(Error::unauthenticated)?;
        profile_of(&tx, user).await
    }

    pub(super) async fn update_profile(&self, caller: &Caller, mut input: ProfileInput) -> Result<Profile> {
        input.validate().check()?;
        let tx = self.db.write(&caller.scope()).await?;
        let mut user = locked(&tx, caller).await?;
        let before = profile_of(&tx, user.clone()).await?;
        user.name.take_over(input.name);
        user.phone.take_over(input.phone);
        user.locale.take_over(input.locale);
        user.row_version += 1;
        user.updated_at = Timestamp::now().millis();
        let user = user.into_active_model().reset_all().update(&tx).await?;
        let act = of_own("account:update", &user);
        let after = profile_of(&tx, user).await?;
        let change = audit::changes(Some(&before), Some(&after));
        audit::record(&tx, caller, audit::Act { change, ..act }).await?;
        tx.commit().await?;
        Ok(after)
    }

    /// All sessions but the one that asks end: whoever else knew the password is out. Who else has set the former one
    /// counts as knowing this one, too: they might be who asks. See `widening`.
    pub(super) async fn change_password(&self, caller: &Caller, request: ChangePasswordRequest) -> Result<()> {
        let mut fields = Violations::default();
        let known = self.known_of(caller).await?;
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        passwords::check(&mut fields, "new_password", &request.new_password, &known);
        if request.new_password == request.current_password {
            fields.add("new_password", "same_password");
        }
        fields.check()?;
        let user = self.authenticated(caller, "current_password", request.current_password).await?;
        let hash = self.passwords.hash(request.new_password).await?;
        let tx = self.db.write(&caller.scope()).await?;
        let changed = user::Entity::update_many()
            .col_expr(user::Column::PasswordHash, Expr::val(hash))
            .col_expr(user::Column::MustChangePassword, Expr::val(false))
            .filter(user::Column::Id.eq(user.id))
            .filter(user::Column::PasswordHash.eq(&user.password_hash))
            .exec(&tx)
            .await?;
        if changed.rows_affected != 1 {
            return Err(Error::field("current_password", "wrong_password"));
        }
        let ended = ended::end(&tx, other_sessions(caller)?).await?;
        links::forget(&tx, user.id, None).await?;
        if user.must_change_password {
            policy::changed(&tx, user::Column::Id.eq(user.id)).await?;
        }
        self.mail.notify(&tx, Kind::PasswordChanged, &user).await?;
        audit::record(&tx, caller, of_own("account:password_change", &user)).await?;
        tx.commit().await?;
        self.mail.wake_relay();
        self.outbox.flush().await;
        self.ended.announce(ended).await;
        Ok(())
    }

    /// What somebody would try as the caller's password who knows them.
    async fn known_of(&self, caller: &Caller) -> Result<Vec<String>> {
        let tx = self.db.read(&caller.scope()).await?;
        let found = own(caller)?.find_also_related(tenant::Entity).one(&tx).await?;
        let (user, tenant) = found.ok_or_else(Error::unauthenticated)?;
        Ok([Some(user.email), Some(user.name), tenant.map(|tenant| tenant.name)].into_iter().flatten().collect())
    }
}

/// The caller's sessions but for the one that asks.
pub(super) fn other_sessions(caller: &Caller) -> Result<Condition> {
    let grant = caller.user()?;
    let own = Condition::all().add(session::Column::UserId.eq(grant.user_id));
    Ok(match grant.sid {
        Some(sid) => own.add(session::Column::Id.ne(sid)),
        None => own,
    })
}

async fn profile_of(tx: &DatabaseTransaction, user: user::Model) -> Result<Profile> {
    let left = if user.has_totp { totp::codes_left(tx, user.id).await? } else { 0 };
    Ok(Profile {
        name: user.name,
        email: user.email,
        phone: user.phone,
        locale: user.locale.into(),
        has_password: !user.password_hash.is_empty(),
        has_totp: user.has_totp,
        recovery_codes_left: u32::try_from(left).unwrap_or(u32::MAX),
    })
}
