//! Signing in, staying signed in, signing out.

use std::time::Duration;

use armada_proto::{
    Timestamp,
    v1::{Empty, LoginRequest, RefreshRequest, Session, SessionUser, sessions_server},
};
use armada_runtime::{
    Caller, Code, Database, Error, Result, Scope,
    auth::{Grant, Signer},
};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QuerySelect, Select, sea_query::Expr,
};
use tonic::{Request, Response, Status};

use crate::{
    Config, email,
    ended::{self, Ended},
    entity::{session, tenant, user},
    passwords::{self, Passwords},
    random,
    refresh_token::{self, Secret, Verdict},
};

/// A user with their tenant; platform owners have none.
type Person = (user::Model, Option<tenant::Model>);

/// The RPCs.
pub struct Sessions {
    pub(crate) db: Database,
    pub(crate) signer: Signer,
    pub(crate) passwords: Passwords,
    pub(crate) ended: Ended,
    pub(crate) config: Config,
}

#[tonic::async_trait]
impl sessions_server::Sessions for Sessions {
    async fn login(&self, request: Request<LoginRequest>) -> Result<Response<Session>, Status> {
        Ok(Response::new(self.sign_in(request.into_inner()).await?))
    }

    async fn refresh(&self, request: Request<RefreshRequest>) -> Result<Response<Session>, Status> {
        Ok(Response::new(self.go_on(&request.into_inner().refresh_token).await?))
    }

    async fn logout(&self, request: Request<RefreshRequest>) -> Result<Response<Empty>, Status> {
        self.sign_out(&request.into_inner().refresh_token).await?;
        Ok(Response::new(Empty {}))
    }

    async fn me(&self, request: Request<Empty>) -> Result<Response<SessionUser>, Status> {
        Ok(Response::new(self.who(Caller::of(&request)?.user()?).await?))
    }
}

impl Sessions {
    /// An unknown account, a wrong password, an inactive user and an inactive tenant get the same answer after the same
    /// work.
    async fn sign_in(&self, request: LoginRequest) -> Result<Session> {
        both_present(&request)?;
        let found = self.find(&email::normal(&request.email)).await?;
        let hash = found.as_ref().map(|(user, _)| user.password_hash.as_str());
        let matches = self.passwords.matches(request.password.clone(), hash).await?;
        let found = found.filter(|(user, tenant)| matches && may_sign_in(user, tenant.as_ref()));
        let (user, tenant) = found.ok_or_else(login_failed)?;
        let hash = match passwords::is_outdated(&user.password_hash) {
            true => self.passwords.hash(request.password).await?,
            false => user.password_hash.clone(),
        };
        self.begin(user, tenant, hash).await
    }

    /// The user of an address, with their tenant.
    async fn find(&self, email: &str) -> Result<Option<Person>> {
        // Nobody has an address that is none, and not every text can be a value in PostgreSQL.
        if !email::is_valid(email) {
            return Ok(None);
        }
        let tx = self.db.read(&Scope::Platform).await?;
        let rows = user::Entity::within(Scope::Platform).filter(user::Column::Email.eq(email));
        Ok(rows.find_also_related(tenant::Entity).one(&tx).await?)
    }

    /// Begins the session of a user whose password was right, unless it was changed or the user barred meanwhile.
    async fn begin(&self, user: user::Model, tenant: Option<tenant::Model>, hash: String) -> Result<Session> {
        let now = Timestamp::now();
        let tx = self.db.write(&Scope::Platform).await?;
        let noted = user::Entity::update_many()
            .col_expr(user::Column::LastLogin, Expr::val(now.millis()))
            .col_expr(user::Column::PasswordHash, Expr::val(hash))
            .filter(user::Column::Id.eq(user.id))
            .filter(user::Column::PasswordHash.eq(&user.password_hash))
            .filter(user::Column::IsActive.eq(true))
            .exec(&tx)
            .await?;
        if noted.rows_affected != 1 {
            return Err(login_failed());
        }
        let secret: Secret = random()?;
        let life = Duration::from_secs(self.config.session_days * 24 * 3600);
        let session = session::ActiveModel {
            id: Set(uuid::Builder::from_random_bytes(random()?).into_uuid()),
            user_id: Set(user.id),
            tenant_id: Set(user.tenant_id),
            current_hash: Set(refresh_token::hash(&secret)),
            previous_hash: Set(Vec::new()),
            salt: Set(Vec::new()),
            rotated_at: Set(now.millis()),
            created_at: Set(now.millis()),
            expires_at: Set((now + life).millis()),
        };
        let session = session.insert(&tx).await?;
        tx.commit().await?;
        self.answer((user, tenant), &session, &secret, now)
    }

    async fn go_on(&self, token: &str) -> Result<Session> {
        let (id, secret) = refresh_token::decode(token).ok_or_else(Error::unauthenticated)?;
        let tx = self.db.write(&Scope::Platform).await?;
        let found = session::Entity::find_by_id(id).lock_exclusive().one(&tx).await?;
        let session = found.ok_or_else(Error::unauthenticated)?;
        let now = Timestamp::now();
        let verdict = refresh_token::judge(&session, &secret, now.millis(), self.grace_millis());
        let person = match verdict {
            Verdict::Current | Verdict::Repeated => admitted(&tx, user::Entity::find_by_id(session.user_id)).await?,
            Verdict::Expired => None,
            Verdict::Reused => {
                tracing::warn!(user = %session.user_id, "an old refresh token was used again: its session is ended");
                None
            }
        };
        let Some(person) = person else {
            self.end(tx, id).await?;
            return Err(Error::unauthenticated());
        };
        let session = match verdict {
            Verdict::Current => rotate(&tx, session, &secret, now).await?,
            _ => session,
        };
        tx.commit().await?;
        let secret = refresh_token::successor(&secret, &session.salt);
        self.answer(person, &session, &secret, now)
    }

    /// Ends the session that a token belongs or belonged to.
    async fn sign_out(&self, token: &str) -> Result<()> {
        let Some((id, _)) = refresh_token::decode(token) else { return Ok(()) };
        self.end(self.db.write(&Scope::Platform).await?, id).await
    }

    async fn end(&self, tx: DatabaseTransaction, id: uuid::Uuid) -> Result<()> {
        let ended = ended::end(&tx, session::Column::Id.eq(id)).await?;
        tx.commit().await?;
        self.ended.tell(ended).await;
        Ok(())
    }

    /// The user as they are now, if they may be signed in and the session of their token goes on.
    async fn who(&self, grant: &Grant) -> Result<SessionUser> {
        let tx = self.db.read(&Scope::Platform).await?;
        if let Some(session) = grant.sid {
            let rows = session::Entity::find_by_id(session).filter(session::Column::UserId.eq(grant.user_id));
            let goes_on = rows.filter(session::Column::ExpiresAt.gt(Timestamp::now().millis())).count(&tx).await?;
            if goes_on == 0 {
                return Err(Error::unauthenticated());
            }
        }
        let person = admitted(&tx, user::Entity::find_by_id(grant.user_id)).await?;
        Ok(told(person.ok_or_else(Error::unauthenticated)?))
    }

    fn answer(&self, person: Person, session: &session::Model, secret: &Secret, now: Timestamp) -> Result<Session> {
        let life = Duration::from_secs(self.config.access_token_seconds);
        Ok(Session {
            token: self.signer.access_token(&person.0.grant(session.id), now, life)?,
            user: Some(told(person)),
            refresh_token: refresh_token::encode(session.id, secret),
            refresh_expires_at: Some(Timestamp::from_millis(session.expires_at)),
        })
    }

    fn grace_millis(&self) -> i64 {
        self.config.refresh_grace_seconds as i64 * 1000
    }
}

/// Removes sessions that have come to their end.
pub async fn remove_expired(db: &Database, now: Timestamp) -> Result<()> {
    let tx = db.write(&Scope::Platform).await?;
    session::Entity::delete_many().filter(session::Column::ExpiresAt.lte(now.millis())).exec(&tx).await?;
    Ok(tx.commit().await?)
}

/// Replaces the present secret of a session by its successor.
async fn rotate(
    tx: &DatabaseTransaction,
    session: session::Model,
    secret: &Secret,
    now: Timestamp,
) -> Result<session::Model> {
    let salt: [u8; 32] = random()?;
    let current_hash = refresh_token::hash(&refresh_token::successor(secret, &salt));
    let mut row = session.clone().into_active_model();
    row.previous_hash = Set(session.current_hash);
    row.current_hash = Set(current_hash);
    row.salt = Set(salt.to_vec());
    row.rotated_at = Set(now.millis());
    Ok(row.update(tx).await?)
}

/// The user, if they may be signed in.
async fn admitted(tx: &DatabaseTransaction, rows: Select<user::Entity>) -> Result<Option<Person>> {
    let found = rows.find_also_related(tenant::Entity).one(tx).await?;
    Ok(found.filter(|(user, tenant)| may_sign_in(user, tenant.as_ref())))
}

/// What a person is told of themselves.
fn told((user, tenant): Person) -> SessionUser {
    user.signed_in(tenant)
}

fn may_sign_in(user: &user::Model, tenant: Option<&tenant::Model>) -> bool {
    user.is_active && tenant.map_or(user.is_platform_owner, |tenant| tenant.active)
}

fn both_present(request: &LoginRequest) -> Result<()> {
    let mut error = Error::new(Code::Invalid, "login_fields_required", "Email and password are required.");
    for (name, value) in [("email", request.email.trim()), ("password", &*request.password)] {
        if value.is_empty() {
            error = error.with_field(name, "required");
        }
    }
    if error.fields.is_empty() { Ok(()) } else { Err(error) }
}

fn login_failed() -> Error {
    Error::new(Code::Unauthenticated, "login_failed", "Unable to login")
}
