//! Signing in, staying signed in, signing out.

mod by_provider;

use std::{sync::Arc, time::Duration};

use armada_proto::{
    Timestamp, UserId, email,
    v1::{
        Empty, LoginRequest, OidcCodeRequest, OidcFinish, OidcFinishRequest, OidcStart, OidcStartRequest,
        RefreshRequest, Session, SessionUser, SignInOptions, sessions_server,
    },
};
use armada_runtime::{
    Caller, Code, Database, Error, Result, Scope, Seal,
    audit::{self, Act, Actor, Audit, Object},
    auth::{Client, Grant, IDENTITY},
    outbox::OutboxHandle,
    random::random,
};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QuerySelect, Select, sea_query::Expr,
};
use tonic::{Request, Response, Status};

use crate::{
    config::Config,
    ended::{self, EndedSessions},
    entity::{session, tenant, user},
    known_devices::KnownDevices,
    mail::MailQueue,
    oidc::Oidc,
    passwords::{self, Passwords, Source},
    policy,
    refresh_token::{self, Secret, Verdict},
    signing_key::SigningKeys,
    throttle::{self, Throttle},
    totp,
};

/// A user with their tenant; platform owners have none.
type UserOfTenant = (user::Model, Option<tenant::Model>);

/// The RPCs.
pub struct Sessions {
    pub(crate) db: Database,
    pub(crate) keys: SigningKeys,
    pub(crate) passwords: Passwords,
    pub(crate) throttle: Throttle,
    pub(crate) known_devices: KnownDevices,
    pub(crate) seal: Seal,
    pub(crate) ended: EndedSessions,
    pub(crate) mail: MailQueue,
    pub(crate) oidc: Option<Oidc>,
    pub(crate) audit: Audit,
    /// Wakes the relay of policies.
    pub(crate) outbox: OutboxHandle,
    pub(crate) config: Arc<Config>,
}

impl sessions_server::Sessions for Sessions {
    async fn login(&self, request: Request<LoginRequest>) -> Result<Response<Session>, Status> {
        let client = Client::of(&request);
        Ok(Response::new(self.login(request.into_inner(), &client).await?))
    }

    async fn refresh(&self, request: Request<RefreshRequest>) -> Result<Response<Session>, Status> {
        let client = Client::of(&request);
        Ok(Response::new(self.refresh(&request.into_inner().refresh_token, &client).await?))
    }

    async fn logout(&self, request: Request<RefreshRequest>) -> Result<Response<Empty>, Status> {
        let client = Client::of(&request);
        self.logout(&request.into_inner().refresh_token, &client).await?;
        Ok(Response::new(Empty {}))
    }

    async fn options(&self, _: Request<Empty>) -> Result<Response<SignInOptions>, Status> {
        Ok(Response::new(SignInOptions {
            registration: self.config.registration,
            mail: self.mail.is_configured(),
            oidc_name: self.config.oidc.as_ref().map(|oidc| oidc.name.clone()),
            terms_url: self.config.terms_url.clone(),
        }))
    }

    async fn start_oidc(&self, request: Request<OidcStartRequest>) -> Result<Response<OidcStart>, Status> {
        let oidc = self.oidc.as_ref().ok_or_else(Error::not_found)?;
        Ok(Response::new(oidc.start(request.into_inner()).await?))
    }

    async fn finish_oidc(&self, request: Request<OidcFinishRequest>) -> Result<Response<OidcFinish>, Status> {
        let client = Client::of(&request);
        Ok(Response::new(self.finish_oidc(request.into_inner(), &client).await?))
    }

    async fn finish_oidc_with_code(&self, request: Request<OidcCodeRequest>) -> Result<Response<Session>, Status> {
        let client = Client::of(&request);
        Ok(Response::new(self.finish_oidc_with_code(&request.into_inner(), &client).await?))
    }

    async fn me(&self, request: Request<Empty>) -> Result<Response<SessionUser>, Status> {
        Ok(Response::new(self.me(Caller::of(&request)?.user()?).await?))
    }
}

impl Sessions {
    /// An unknown account, a wrong password, a user who may not sign in, and one of an inactive tenant get the same
    /// answer after the same work.
    async fn login(&self, request: LoginRequest, client: &Client) -> Result<Session> {
        both_present(&request)?;
        let email = email::normal(&request.email);
        let device = self.known_devices.find(&client.device, &email, Timestamp::now());
        let attempt = self.throttle.admit(throttle::password(&email, client.address, device.as_ref())).await?;
        let found = self.find(&email).await?;
        // Who has no password yet has none that could be right.
        let hash = found.as_ref().map(|(user, _)| user.password_hash.as_str()).filter(|hash| !hash.is_empty());
        let from = device.map_or(Source::Address(client.address), |_| Source::Known);
        let matches = match self.passwords.matches(request.password.clone(), hash, from).await {
            Ok(matches) => matches,
            Err(error) => {
                // Nobody looked at it.
                attempt.undone().await?;
                return Err(error);
            }
        };
        let Some((user, tenant)) = found.clone().filter(|person| matches && may_sign_in(person)) else {
            self.note_failure(&email, found.as_ref(), client);
            return Err(login_failed());
        };
        if user.has_totp {
            let Some(code) = request.code.as_deref().filter(|code| !code.trim().is_empty()) else {
                attempt.undone().await?;
                return Err(totp_required());
            };
            self.use_code(&user, code, client).await?;
        }
        let hash = match passwords::is_outdated(&user.password_hash) {
            true => self.passwords.hash(request.password).await?,
            false => user.password_hash.clone(),
        };
        let session = self.begin((user, tenant), hash, client).await?;
        attempt.succeeded().await?;
        let device = self.known_devices.renewed(&client.device, &email, Timestamp::now())?;
        Ok(Session { device, ..session })
    }

    /// Whoever knows the password may guess codes no more often than passwords, from wherever they do it.
    async fn use_code(&self, user: &user::Model, code: &str, client: &Client) -> Result<()> {
        let attempt = self.throttle.admit(throttle::code(user.id)).await?;
        let tx = self.db.write(&Scope::Platform).await?;
        let verdict = totp::take(&tx, &self.seal, user, code).await?;
        tx.commit().await?;
        if verdict == totp::Verdict::Wrong {
            self.audit.note(IDENTITY, actor(None, client), of_user("session:login_failed", user));
        }
        match verdict {
            totp::Verdict::Right => attempt.succeeded().await,
            totp::Verdict::Wrong => {
                Err(Error::new(Code::Unauthenticated, "totp_wrong", "the code is wrong, or was used"))
            }
        }
    }

    /// A flood of failures is an entry a minute, not one each.
    fn note_failure(&self, email: &str, found: Option<&UserOfTenant>, client: &Client) {
        let act = match found {
            Some((user, _)) => of_user("session:login_failed", user),
            // Nothing but addresses: some type their password where the address belongs.
            None => {
                let name = if email::is_valid(email) { email } else { "" };
                Act { act: "session:login_failed", object: Object::new("user", "", name), ..Act::default() }
            }
        };
        self.audit.note(IDENTITY, actor(None, client), act);
    }

    /// The user of an address, with their tenant.
    async fn find(&self, email: &str) -> Result<Option<UserOfTenant>> {
        // Nobody has an address that is none, and not every text can be a value in PostgreSQL.
        if !email::is_valid(email) {
            return Ok(None);
        }
        let tx = self.db.read(&Scope::Platform).await?;
        Ok(user::Entity::of_address(email).find_also_related(tenant::Entity).one(&tx).await?)
    }

    /// Begins the session of a user who has proved who they are, unless their password was changed or they were barred
    /// meanwhile.
    async fn begin(&self, (user, tenant): UserOfTenant, hash: String, client: &Client) -> Result<Session> {
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
            user_agent: Set(client.agent.clone()),
            address: Set(address(client)),
            last_used_at: Set(now.millis()),
            created_at: Set(now.millis()),
            expires_at: Set((now + life).millis()),
            authenticated_at: Set(now.millis()),
        };
        let session = session.insert(&tx).await?;
        audit::record(&tx, actor(Some(user.id), client), of_user("session:login", &user)).await?;
        let grant = user.grant(session.id);
        let session_user = self.session_user(&tx, (user, tenant)).await?;
        tx.commit().await?;
        self.answer(&grant, session_user, &session, &secret, now)
    }

    async fn refresh(&self, token: &str, client: &Client) -> Result<Session> {
        let (id, secret) = refresh_token::decode(token).ok_or_else(Error::unauthenticated)?;
        if !self.is_there(id).await? {
            return Err(Error::unauthenticated());
        }
        let tx = self.db.write(&Scope::Platform).await?;
        let found = session::Entity::find_by_id(id).lock_exclusive().one(&tx).await?;
        let session = found.ok_or_else(Error::unauthenticated)?;
        let now = Timestamp::now();
        let verdict = refresh_token::judge(&session, &secret, now.millis(), self.grace_millis(), self.idle_millis());
        let person = match verdict {
            Verdict::Current | Verdict::Repeated => admitted(&tx, user::Entity::find_by_id(session.user_id)).await?,
            Verdict::Expired => None,
            Verdict::Reused => {
                tracing::warn!(user = %session.user_id, "an old refresh token was used again: its session is ended");
                let act = Act { tenant: session.tenant_id, ..by_id("session:reuse", session.user_id) };
                audit::record(&tx, actor(None, client), act).await?;
                None
            }
        };
        let Some(person) = person else {
            self.end(tx, id).await?;
            return Err(Error::unauthenticated());
        };
        let session = match verdict {
            Verdict::Current => rotate(&tx, session, &secret, now, client).await?,
            _ => session,
        };
        let grant = person.0.grant(session.id);
        let session_user = self.session_user(&tx, person).await?;
        tx.commit().await?;
        let secret = refresh_token::successor(&secret, &session.salt);
        self.answer(&grant, session_user, &session, &secret, now)
    }

    /// Whether there is such a session: whoever makes tokens up is session_user so without a lock, of which SQLite has one.
    async fn is_there(&self, id: uuid::Uuid) -> Result<bool> {
        let tx = self.db.read(&Scope::Platform).await?;
        Ok(session::Entity::find_by_id(id).count(&tx).await? > 0)
    }

    /// Ends the session that a token belongs or belonged to.
    async fn logout(&self, token: &str, client: &Client) -> Result<()> {
        let Some((id, _)) = refresh_token::decode(token) else { return Ok(()) };
        if !self.is_there(id).await? {
            return Ok(());
        }
        let tx = self.db.write(&Scope::Platform).await?;
        if let Some(session) = session::Entity::find_by_id(id).one(&tx).await? {
            let act = Act { tenant: session.tenant_id, ..by_id("session:logout", session.user_id) };
            audit::record(&tx, actor(Some(session.user_id), client), act).await?;
        }
        self.end(tx, id).await
    }

    async fn end(&self, tx: DatabaseTransaction, id: uuid::Uuid) -> Result<()> {
        let ended = ended::end(&tx, session::Column::Id.eq(id)).await?;
        tx.commit().await?;
        self.ended.announce(ended).await;
        Ok(())
    }

    /// The user as they are now, if they may be signed in and the session of their token goes on.
    async fn me(&self, grant: &Grant) -> Result<SessionUser> {
        let tx = self.db.read(&Scope::Platform).await?;
        if let Some(session) = grant.sid {
            let rows = session::Entity::find_by_id(session).filter(session::Column::UserId.eq(grant.user_id));
            let is_active_at = rows.filter(session::is_active_at(Timestamp::now(), self.config.session_idle()));
            if is_active_at.count(&tx).await? == 0 {
                return Err(Error::unauthenticated());
            }
        }
        let person = admitted(&tx, user::Entity::find_by_id(grant.user_id)).await?;
        self.session_user(&tx, person.ok_or_else(Error::unauthenticated)?).await
    }

    /// What a person is session_user of themselves.
    async fn session_user(&self, tx: &DatabaseTransaction, (user, tenant): UserOfTenant) -> Result<SessionUser> {
        let roles = policy::role_names(tx, user.id).await?;
        let permissions = policy::permissions(tx, &user).await?;
        let must_set_up_totp = self.config.require_totp_for_admins && user.is_admin() && !user.has_totp;
        Ok(SessionUser { must_set_up_totp, ..user.signed_in(tenant, roles, permissions) })
    }

    fn answer(
        &self,
        grant: &Grant,
        session_user: SessionUser,
        session: &session::Model,
        secret: &Secret,
        now: Timestamp,
    ) -> Result<Session> {
        let life = Duration::from_secs(self.config.access_token_seconds);
        Ok(Session {
            token: self.keys.signer().access_token(grant, now, life)?,
            user: Some(session_user),
            refresh_token: refresh_token::encode(session.id, secret),
            refresh_expires_at: Some(Timestamp::from_millis(session.expires_at)),
            device: String::new(),
        })
    }

    fn idle_millis(&self) -> i64 {
        self.config.session_idle().as_millis() as i64
    }

    fn grace_millis(&self) -> i64 {
        self.config.refresh_grace_seconds as i64 * 1000
    }
}

/// Removes sessions that have come to their end, or were not used for `idle`.
pub async fn remove_expired(db: &Database, now: Timestamp, idle: Duration) -> Result<()> {
    let tx = db.write(&Scope::Platform).await?;
    session::Entity::delete_many().filter(session::is_active_at(now, idle).not()).exec(&tx).await?;
    Ok(tx.commit().await?)
}

/// Replaces the present secret of a session by its successor.
async fn rotate(
    tx: &DatabaseTransaction,
    session: session::Model,
    secret: &Secret,
    now: Timestamp,
    client: &Client,
) -> Result<session::Model> {
    let salt: [u8; 32] = random()?;
    let current_hash = refresh_token::hash(&refresh_token::successor(secret, &salt));
    let mut row = session.clone().into_active_model();
    row.previous_hash = Set(session.current_hash);
    row.current_hash = Set(current_hash);
    row.salt = Set(salt.to_vec());
    row.rotated_at = Set(now.millis());
    row.last_used_at = Set(now.millis());
    row.user_agent = Set(client.agent.clone());
    row.address = Set(address(client));
    Ok(row.update(tx).await?)
}

/// The user, if they may be signed in.
async fn admitted(tx: &DatabaseTransaction, rows: Select<user::Entity>) -> Result<Option<UserOfTenant>> {
    Ok(rows.find_also_related(tenant::Entity).one(tx).await?.filter(may_sign_in))
}

/// Who has not proved that their address is theirs may not, whatever else holds.
fn may_sign_in((user, tenant): &UserOfTenant) -> bool {
    user.is_admitted(tenant.as_ref()) && !user.is_pending
}

fn address(client: &Client) -> String {
    client.address.map(|address| address.to_string()).unwrap_or_default()
}

/// Who did something that ends or begins a session.
fn actor(user: Option<UserId>, client: &Client) -> Actor {
    Actor { id: user, name: String::new(), address: client.address }
}

fn of_user(act: &'static str, user: &user::Model) -> Act {
    Act { act, tenant: user.tenant_id, object: Object::new("user", user.id, &user.name), ..Act::default() }
}

fn by_id(act: &'static str, user: UserId) -> Act {
    Act { act, object: Object::new("user", user, ""), ..Act::default() }
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

fn totp_required() -> Error {
    Error::new(Code::Unauthenticated, "totp_required", "a code of the authenticator is needed")
}

fn login_failed() -> Error {
    Error::new(Code::Unauthenticated, "login_failed", "Unable to login")
}
