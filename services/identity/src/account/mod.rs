//! What people do about their own account.

mod factor;
mod preferences;
mod profile;
mod reauthentication;
mod sessions;

use std::time::Duration;

use armada_proto::v1::{
    AccountSessionList, ChangePasswordRequest, ConfirmTotpRequest, Empty, EndSessionRequest, GetPreferenceRequest,
    Preference, PreferenceInput, Profile, ProfileInput, ReauthenticationRequest, RecoveryCodes, TotpSetup,
    account_server,
};
use armada_runtime::{
    Caller, Database, Error, Result, Seal,
    audit::{Act, Object},
    outbox::OutboxHandle,
};
use sea_orm::{ColumnTrait, DatabaseTransaction, QueryFilter, QuerySelect};
use tonic::{Request, Response, Status};

use crate::{
    ended::EndedSessions,
    entity::user,
    mail::MailQueue,
    passwords::{Passwords, Source},
    throttle::{self, Throttle},
};

/// The RPCs.
pub struct Account {
    pub(crate) db: Database,
    pub(crate) passwords: Passwords,
    pub(crate) throttle: Throttle,
    pub(crate) seal: Seal,
    pub(crate) ended: EndedSessions,
    pub(crate) mail: MailQueue,
    /// Wakes the relay of policies.
    pub(crate) outbox: OutboxHandle,
    /// How long a session may go unused.
    pub(crate) session_idle: Duration,
}

impl account_server::Account for Account {
    async fn get_profile(&self, request: Request<Empty>) -> Result<Response<Profile>, Status> {
        Ok(Response::new(self.get_profile(&Caller::of(&request)?).await?))
    }

    async fn update_profile(&self, request: Request<ProfileInput>) -> Result<Response<Profile>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.update_profile(&caller, request.into_inner()).await?))
    }

    async fn get_preference(&self, request: Request<GetPreferenceRequest>) -> Result<Response<Preference>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.get_preference(&caller, request.into_inner()).await?))
    }

    async fn set_preference(&self, request: Request<PreferenceInput>) -> Result<Response<Preference>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.set_preference(&caller, request.into_inner()).await?))
    }

    async fn change_password(&self, request: Request<ChangePasswordRequest>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        self.change_password(&caller, request.into_inner()).await?;
        Ok(Response::new(Empty {}))
    }

    async fn list_sessions(&self, request: Request<Empty>) -> Result<Response<AccountSessionList>, Status> {
        Ok(Response::new(self.list_sessions(&Caller::of(&request)?).await?))
    }

    async fn end_session(&self, request: Request<EndSessionRequest>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        self.end_session(&caller, &request.into_inner().id).await?;
        Ok(Response::new(Empty {}))
    }

    async fn end_other_sessions(&self, request: Request<Empty>) -> Result<Response<Empty>, Status> {
        self.end_other_sessions(&Caller::of(&request)?).await?;
        Ok(Response::new(Empty {}))
    }

    async fn reauthenticate(&self, request: Request<ReauthenticationRequest>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        self.reauthenticate(&caller, request.into_inner()).await?;
        Ok(Response::new(Empty {}))
    }

    async fn set_up_totp(&self, request: Request<ReauthenticationRequest>) -> Result<Response<TotpSetup>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.set_up_totp(&caller, request.into_inner()).await?))
    }

    async fn confirm_totp(&self, request: Request<ConfirmTotpRequest>) -> Result<Response<RecoveryCodes>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.confirm_totp(&caller, &request.into_inner().code).await?))
    }

    async fn remove_totp(&self, request: Request<ReauthenticationRequest>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        self.remove_totp(&caller, request.into_inner()).await?;
        Ok(Response::new(Empty {}))
    }

    async fn renew_recovery_codes(
        &self,
        request: Request<ReauthenticationRequest>,
    ) -> Result<Response<RecoveryCodes>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.renew_recovery_codes(&caller, request.into_inner()).await?))
    }
}

impl Account {
    /// The caller's own row as it is now.
    async fn read(&self, caller: &Caller) -> Result<user::Model> {
        let tx = self.db.read(&caller.scope()).await?;
        own(caller)?.one(&tx).await?.ok_or_else(Error::unauthenticated)
    }

    /// The caller's own row, after they have given their password once more: an unattended screen is not enough for what
    /// follows. Guesses count like those at signing in.
    async fn authenticated(&self, caller: &Caller, field: &str, password: String) -> Result<user::Model> {
        let user = self.read(caller).await?;
        if password.is_empty() {
            return Err(Error::field(field, "required"));
        }
        // Whoever is signed in is no stranger, and is counted by their session.
        let session = caller.user()?.sid.map(uuid::Uuid::into_bytes);
        let attempt = self.throttle.admit(throttle::password(&user.email, caller.address(), session.as_ref())).await?;
        let hash = Some(user.password_hash.as_str()).filter(|hash| !hash.is_empty());
        if !self.passwords.matches(password, hash, Source::Known).await? {
            return Err(Error::field(field, "wrong_password"));
        }
        attempt.succeeded().await?;
        Ok(user)
    }
}

fn own(caller: &Caller) -> Result<sea_orm::Select<user::Entity>> {
    Ok(user::Entity::within(caller.scope()).filter(user::Column::Id.eq(caller.user()?.user_id)))
}

/// The caller's own row, which nobody else changes until the transaction ends.
async fn locked(tx: &DatabaseTransaction, caller: &Caller) -> Result<user::Model> {
    own(caller)?.lock_exclusive().one(tx).await?.ok_or_else(Error::unauthenticated)
}

fn of_own(act: &'static str, user: &user::Model) -> Act {
    Act { act, tenant: user.tenant_id, object: Object::new("user", user.id, &user.name), ..Act::default() }
}
