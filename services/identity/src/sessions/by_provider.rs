//! Signing in by the word of a provider of identities.

use std::time::Duration;

use armada_proto::{
    Timestamp, UserId, email,
    v1::{OidcCodeRequest, OidcFinish, OidcFinishRequest, Session},
};
use armada_runtime::{Code, Error, Result, Scope, audit, auth::Client};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, PaginatorTrait, QueryFilter,
    sea_query::Expr,
};
use serde::{Deserialize, Serialize};

use super::{Sessions, UserOfTenant, actor, login_failed, may_sign_in, of_user, totp_required};
use crate::{
    entity::{provider_identity as identity, tenant, user},
    links,
    oidc::IdToken,
    policy,
};

/// What the wait for a code is sealed for.
const SEALED_FOR: &str = "oidc code";
/// How long somebody may take to type the code.
const CODE_TIMEOUT: Duration = Duration::from_secs(300);

/// Whom the provider has vouched for and whose code is awaited: sealed, in a cookie of their browser.
#[derive(Serialize, Deserialize)]
struct PendingCode {
    user_id: UserId,
    expires_at: i64,
}

impl Sessions {
    /// The provider says who it is. The first time that one is found by the address, which the provider must have
    /// verified and which must be proved here as well, or not used yet: who was invited comes in this way, and has no
    /// password then. From then on `iss` and `sub` decide, whatever address goes with them.
    pub(super) async fn finish_oidc(&self, request: OidcFinishRequest, client: &Client) -> Result<OidcFinish> {
        let oidc = self.oidc.as_ref().ok_or_else(Error::not_found)?;
        let vouched = oidc.finish(request).await?;
        let bound = self.bound_to(&vouched).await?;
        let person = match bound {
            Some(person) => person,
            None => self.bind(&vouched, client).await?,
        };
        let Some((mut user, tenant)) = Some(person.clone()).filter(|(user, tenant)| user.is_admitted(tenant.as_ref()))
        else {
            self.note_failure(&person.0.email, Some(&person), client);
            return Err(no_account());
        };
        if user.is_pending || user.must_change_password {
            self.claim_account(&mut user, client).await?;
        }
        if user.has_totp && !vouched.is_multi_factor {
            let awaited = PendingCode { user_id: user.id, expires_at: (Timestamp::now() + CODE_TIMEOUT).millis() };
            let sealed = self.seal.seal(SEALED_FOR, &serde_json::to_vec(&awaited).map_err(Error::internal)?)?;
            return Ok(OidcFinish { session: None, code_token: Some(URL_SAFE_NO_PAD.encode(sealed)) });
        }
        let hash = user.password_hash.clone();
        let session = self.begin((user, tenant), hash, client).await?;
        Ok(OidcFinish { session: Some(session), code_token: None })
    }

    /// The second half, for who has a second factor that the provider did not ask for.
    pub(super) async fn finish_oidc_with_code(&self, request: &OidcCodeRequest, client: &Client) -> Result<Session> {
        self.oidc.as_ref().ok_or_else(Error::not_found)?;
        let sealed = URL_SAFE_NO_PAD.decode(&request.code_token).unwrap_or_default();
        let opened = self.seal.open(SEALED_FOR, &sealed)?;
        let awaited: Option<PendingCode> = opened.and_then(|text| serde_json::from_slice(&text).ok());
        let awaited = awaited.filter(|awaited| awaited.expires_at > Timestamp::now().millis());
        let awaited = awaited.ok_or_else(|| {
            Error::new(Code::Unauthenticated, "oidc_failed", "no provider has vouched for this browser, or long ago")
        })?;
        if request.code.trim().is_empty() {
            return Err(totp_required());
        }
        let tx = self.db.read(&Scope::Platform).await?;
        let found = user::Entity::find_by_id(awaited.user_id).find_also_related(tenant::Entity).one(&tx).await?;
        drop(tx);
        let (user, tenant) = found.filter(may_sign_in).ok_or_else(login_failed)?;
        self.use_code(&user, &request.code, client).await?;
        let hash = user.password_hash.clone();
        self.begin((user, tenant), hash, client).await
    }

    /// Whom the pair of issuer and subject was bound to.
    async fn bound_to(&self, vouched: &IdToken) -> Result<Option<UserOfTenant>> {
        let tx = self.db.read(&Scope::Platform).await?;
        let key = (vouched.issuer.clone(), vouched.subject.clone());
        let Some(bound) = identity::Entity::find_by_id(key).one(&tx).await? else { return Ok(None) };
        Ok(user::Entity::find_by_id(bound.user_id).find_also_related(tenant::Entity).one(&tx).await?)
    }

    /// Binds the pair to the account of the address.
    async fn bind(&self, vouched: &IdToken, client: &Client) -> Result<UserOfTenant> {
        let address = vouched.email.as_deref().ok_or_else(|| {
            Error::new(Code::Unauthenticated, "oidc_failed", "the provider has not verified the address")
        })?;
        let address = email::normal(address);
        let found = self.find(&address).await?;
        let Some((user, tenant)) = found.clone().filter(|(user, tenant)| user.is_admitted(tenant.as_ref())) else {
            self.note_failure(&address, found.as_ref(), client);
            return Err(no_account());
        };
        if !user.is_email_verified && !user.is_pending {
            self.note_failure(&address, found.as_ref(), client);
            let message = "nobody has confirmed yet that this account's address is theirs";
            return Err(Error::new(Code::Unauthenticated, "oidc_unverified", message));
        }
        let tx = self.db.write(&Scope::Platform).await?;
        if is_bound(&tx, &user, vouched).await? {
            drop(tx);
            // The address was given to somebody else at the provider.
            self.note_failure(&address, found.as_ref(), client);
            return Err(no_account());
        }
        let row = identity::ActiveModel {
            issuer: Set(vouched.issuer.clone()),
            subject: Set(vouched.subject.clone()),
            user_id: Set(user.id),
            tenant_id: Set(user.tenant_id),
            created_at: Set(Timestamp::now().millis()),
        };
        // Of two who come at once, one is told to try again.
        row.insert(&tx).await.map_err(|error| match Error::on_unique(error, &[("provider_identity", "sub")]) {
            error if error.class == Code::Conflict => Error::unavailable("this account is being bound right now"),
            error => error,
        })?;
        audit::record(&tx, actor(Some(user.id), client), of_user("account:provider_bind", &user)).await?;
        tx.commit().await?;
        Ok((user, tenant))
    }

    /// The account is the caller's: an invitation or a registration is confirmed with that, and a password that somebody
    /// else has set stops working.
    async fn claim_account(&self, user: &mut user::Model, client: &Client) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        let taken = user::Entity::update_many()
            .col_expr(user::Column::IsPending, Expr::val(false))
            .col_expr(user::Column::RegistrationExpiresAt, Expr::val(None::<i64>))
            .col_expr(user::Column::IsEmailVerified, Expr::val(true))
            .col_expr(user::Column::PasswordHash, Expr::val(""))
            .col_expr(user::Column::MustChangePassword, Expr::val(false))
            .filter(user::Column::Id.eq(user.id))
            .filter(user::Column::PasswordHash.eq(&user.password_hash))
            .exec(&tx)
            .await?;
        if taken.rows_affected != 1 {
            return Err(login_failed());
        }
        links::forget(&tx, user.id, None).await?;
        if user.is_pending {
            audit::record(&tx, actor(Some(user.id), client), of_user("account:invitation_accept", user)).await?;
        }
        if user.must_change_password {
            policy::changed(&tx, user::Column::Id.eq(user.id)).await?;
            user.policy_version += 1;
        }
        tx.commit().await?;
        self.outbox.flush().await;
        user.is_pending = false;
        user.must_change_password = false;
        user.password_hash.clear();
        Ok(())
    }
}

async fn is_bound(tx: &DatabaseTransaction, user: &user::Model, vouched: &IdToken) -> Result<bool> {
    let bound = identity::Entity::find().filter(identity::Column::UserId.eq(user.id));
    Ok(bound.filter(identity::Column::Issuer.eq(&vouched.issuer)).count(tx).await? > 0)
}

fn no_account() -> Error {
    Error::new(Code::Unauthenticated, "oidc_no_account", "no active user here has this address")
}
