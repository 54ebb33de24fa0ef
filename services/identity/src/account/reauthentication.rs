//! Proving once more who asks: an open screen is not enough for what follows.

use std::time::Duration;

use armada_proto::{Timestamp, v1::ReauthenticationRequest};
use armada_runtime::{Caller, Code, Error, Result, audit};
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, sea_query::Expr};

use super::{Account, of_own};
use crate::{
    entity::{
        session::{Column, Entity},
        user,
    },
    throttle, totp,
};

/// How long a proof counts.
const PROOF_AGE_MAX: Duration = Duration::from_secs(300);

impl Account {
    /// For a while the session may do what needs a proof.
    pub(super) async fn reauthenticate(&self, caller: &Caller, request: ReauthenticationRequest) -> Result<()> {
        let user = self.reauthenticated(caller, request).await?;
        let session = caller.user()?.sid.ok_or_else(Error::unauthenticated)?;
        let tx = self.db.write(&caller.scope()).await?;
        Entity::update_many()
            .col_expr(Column::AuthenticatedAt, Expr::val(Timestamp::now().millis()))
            .filter(Column::Id.eq(session))
            .filter(Column::UserId.eq(user.id))
            .exec(&tx)
            .await?;
        audit::record(&tx, caller, of_own("session:reauthenticate", &user)).await?;
        Ok(tx.commit().await?)
    }

    /// The caller's own row, after the password, and a code where there is a second factor. Who has no password, and came
    /// by the provider, must have done so a moment ago.
    pub(super) async fn reauthenticated(
        &self,
        caller: &Caller,
        request: ReauthenticationRequest,
    ) -> Result<user::Model> {
        let user = self.read(caller).await?;
        match user.password_hash.is_empty() {
            true => self.must_be_recent(caller).await?,
            false => drop(self.authenticated(caller, "password", request.password).await?),
        }
        self.use_code(caller, &user, request.code.as_deref()).await?;
        Ok(user)
    }

    /// An error unless the session's user has authenticated who they are within five minutes.
    pub(super) async fn must_be_recent(&self, caller: &Caller) -> Result<()> {
        let grant = caller.user()?;
        let since = Timestamp::now().millis() - PROOF_AGE_MAX.as_millis() as i64;
        let tx = self.db.read(&caller.scope()).await?;
        let own = Entity::find().filter(Column::UserId.eq(grant.user_id)).filter(Column::AuthenticatedAt.gt(since));
        let fresh = match grant.sid {
            Some(session) => own.filter(Column::Id.eq(session)).count(&tx).await? > 0,
            None => false,
        };
        if fresh {
            return Ok(());
        }
        Err(Error::new(Code::Forbidden, "reauthentication_required", "prove once more who you are first"))
    }

    async fn use_code(&self, caller: &Caller, user: &user::Model, code: Option<&str>) -> Result<()> {
        if !user.has_totp {
            return Ok(());
        }
        let code = code.filter(|code| !code.trim().is_empty()).ok_or_else(|| Error::field("code", "required"))?;
        let attempt = self.throttle.admit(throttle::code(user.id)).await?;
        let tx = self.db.write(&caller.scope()).await?;
        let verdict = totp::take(&tx, &self.seal, user, code).await?;
        tx.commit().await?;
        match verdict {
            totp::Verdict::Right => attempt.succeeded().await,
            totp::Verdict::Wrong => Err(Error::field("code", "totp_wrong")),
        }
    }
}
