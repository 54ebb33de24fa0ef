//! What people do who are not signed in yet: register a company, ask for a new password, open the links of their mail.
//! Whoever registers has not proved that the address is theirs, so that they choose no password: whoever confirms does.

mod expiry;

use std::{sync::Arc, time::Duration};

use armada_proto::{
    Choice, Timestamp, email,
    v1::{
        EmailRequest, Empty, LinkPurpose, LinkToken, Locale, OpenLink, RegistrationInput, SubscriptionStatus,
        UseLinkRequest, registration_server,
    },
};
use armada_runtime::{
    Code, Database, Error, Result, Scope, Validate, Violations,
    audit::{self, Act, Actor, Object},
    auth::Client,
    outbox::OutboxHandle,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, sea_query::Expr,
};
use tonic::{Request, Response, Status};

use crate::{
    config::Config,
    ended::{self, EndedSessions},
    entity::{session, tenant, user},
    links::{self, OpenedLink},
    mail::{Kind, MailQueue},
    passwords::{self, Passwords},
    policy, tax_number, tenants,
    throttle::{self, Throttle},
};

pub use expiry::expire;

/// The RPCs.
pub struct Registration {
    pub(crate) db: Database,
    pub(crate) passwords: Passwords,
    pub(crate) throttle: Throttle,
    pub(crate) mail: MailQueue,
    pub(crate) ended: EndedSessions,
    pub(crate) outbox: OutboxHandle,
    pub(crate) config: Arc<Config>,
}

impl registration_server::Registration for Registration {
    async fn register(&self, request: Request<RegistrationInput>) -> Result<Response<Empty>, Status> {
        let client = Client::of(&request);
        self.register(request.into_inner(), &client).await?;
        Ok(Response::new(Empty {}))
    }

    async fn forgot_password(&self, request: Request<EmailRequest>) -> Result<Response<Empty>, Status> {
        let client = Client::of(&request);
        self.forgot_password(&request.into_inner().email, &client).await?;
        Ok(Response::new(Empty {}))
    }

    async fn get_link(&self, request: Request<LinkToken>) -> Result<Response<OpenLink>, Status> {
        let token = request.into_inner().token;
        links::must_exist(&self.db, &token).await?;
        let tx = self.db.write(&Scope::Platform).await?;
        Ok(Response::new(open_link(links::open(&tx, &token).await?)))
    }

    async fn use_link(&self, request: Request<UseLinkRequest>) -> Result<Response<Empty>, Status> {
        let client = Client::of(&request);
        self.use_link(request.into_inner(), &client).await?;
        Ok(Response::new(Empty {}))
    }
}

impl Registration {
    /// Whether somebody has the address already cannot be seen from the answer: either their mail tells. Without a mail
    /// server a platform owner finds the new user, and hands them a link. What is not confirmed goes again.
    async fn register(&self, mut input: RegistrationInput, client: &Client) -> Result<()> {
        if !self.config.registration {
            let message = "companies do not register themselves here";
            return Err(Error::new(Code::Forbidden, "registration_closed", message));
        }
        // Nobody agrees to terms that there are nowhere to read.
        input.accepts_terms |= self.config.terms_url.is_none();
        let locale = check(&mut input)?;
        // They count although they succeed: what is limited is how many emails go out.
        drop(self.throttle.admit(throttle::mail_from(client.address)).await?);
        let may_tell = self.may_mail(&input.email).await?;
        let tx = self.db.write(&Scope::Platform).await?;
        // An address in a deleted tenant is not free: the deletion can be undone.
        match user::Entity::of_address(&input.email).one(&tx).await? {
            Some(_) if !may_tell => {}
            // Their email got lost, or a stranger was first. Nobody has confirmed what was said before: this counts.
            Some(user) if user.registration_expires_at.is_some() => self.replace(&tx, user, input, locale).await?,
            Some(user) if user.is_pending => self.mail.queue_password_reset(&tx, &user.email).await?,
            Some(user) => self.mail.notify(&tx, Kind::AccountExists, &user).await?,
            None => self.open(&tx, input, locale, client).await?,
        }
        tx.commit().await?;
        self.mail.wake_relay();
        self.outbox.flush().await;
        Ok(())
    }

    async fn open(
        &self,
        tx: &DatabaseTransaction,
        input: RegistrationInput,
        locale: Locale,
        client: &Client,
    ) -> Result<()> {
        let tenant = tenant::Model {
            name: input.company,
            tax_number: input.tax_number,
            device_limit: i64::from(self.config.free_device_limit),
            user_limit: i64::from(self.config.free_user_limit),
            storage_limit_mb: i32::try_from(self.config.free_storage_limit_mb).unwrap_or(i32::MAX),
            subscription_status: SubscriptionStatus::Inactive,
            confirmed: false,
            ..tenant::Model::new()
        };
        let tenant = tenants::open(tx, tenant).await?;
        let user = user::Model {
            name: input.name,
            email: input.email,
            phone: input.phone,
            is_tenant_admin: true,
            is_subscription_active: false,
            locale,
            is_pending: true,
            registration_expires_at: Some(self.expires_at()),
            ..user::Model::new(Some(tenant.id))
        };
        // Of two who register one address at once, one is told to try again, and then that there is an account.
        let user = user.into_active_model().insert(tx).await.map_err(|error| {
            match Error::on_unique(error, &[("email", "email")]) {
                error if error.class == Code::Conflict => {
                    Error::unavailable("somebody registers this address right now")
                }
                error => error,
            }
        })?;
        policy::mark(tx, &[user.id]).await?;
        self.ask_to_confirm(tx, &user).await?;
        let object = Object::new("tenant", tenant.id, &tenant.name);
        let act = Act { act: "tenant:register", tenant: Some(tenant.id), object, ..Act::default() };
        audit::record(tx, Actor { id: Some(user.id), name: user.name, address: client.address }, act).await
    }

    /// Takes what is said now in the place of what was said before and not confirmed; the link of before does not hold.
    async fn replace(
        &self,
        tx: &DatabaseTransaction,
        mut user: user::Model,
        input: RegistrationInput,
        locale: Locale,
    ) -> Result<()> {
        let Some(tenant) = user.tenant_id else { return Ok(()) };
        let found = tenant::Entity::within(Scope::Platform).filter(tenant::Column::Id.eq(tenant)).one(tx).await?;
        let mut tenant = found.ok_or_else(Error::not_found)?;
        tenant.name = input.company;
        tenant.tax_number = input.tax_number;
        tenant.row_version += 1;
        tenant.into_active_model().reset_all().update(tx).await?;
        user.name = input.name;
        user.phone = input.phone;
        user.locale = locale;
        user.registration_expires_at = Some(self.expires_at());
        user.row_version += 1;
        let user = user.into_active_model().reset_all().update(tx).await?;
        links::forget(tx, user.id, None).await?;
        self.ask_to_confirm(tx, &user).await
    }

    /// The email with the link that confirms a registration.
    async fn ask_to_confirm(&self, tx: &DatabaseTransaction, user: &user::Model) -> Result<()> {
        if !self.mail.is_configured() {
            return Ok(());
        }
        let made = links::make(tx, user, LinkPurpose::EmailVerification, None).await?;
        let link = (made.address(&self.config), made.count());
        self.mail.send(tx, Kind::EmailVerification, user, None, link).await
    }

    fn expires_at(&self) -> i64 {
        (Timestamp::now() + Duration::from_secs(self.config.registration_days * 24 * 3600)).millis()
    }

    /// The answer and the work are the same whether there is such an account or not; the email is made later.
    async fn forgot_password(&self, email: &str, client: &Client) -> Result<()> {
        let email = email::normal(email);
        if !email::is_valid(&email) {
            return Err(Error::field("email", if email.is_empty() { "required" } else { "invalid_email" }));
        }
        drop(self.throttle.admit(throttle::mail_from(client.address)).await?);
        if !self.may_mail(&email).await? {
            return Ok(());
        }
        let tx = self.db.write(&Scope::Platform).await?;
        self.mail.queue_password_reset(&tx, &email).await?;
        tx.commit().await?;
        self.mail.wake_relay();
        Ok(())
    }

    /// Whether one more email may go to an address; nobody's mailbox is filled at a stranger's wish, and the stranger
    /// does not learn of it.
    async fn may_mail(&self, email: &str) -> Result<bool> {
        match self.throttle.admit(throttle::mail_to(email)).await {
            Ok(_) => Ok(true),
            Err(error) if error.class == Code::TooManyRequests => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn use_link(&self, request: UseLinkRequest, client: &Client) -> Result<()> {
        links::must_exist(&self.db, &request.token).await?;
        let password = request.new_password.unwrap_or_default();
        let tx = self.db.write(&Scope::Platform).await?;
        let open = links::open(&tx, &request.token).await?;
        drop(tx);
        let company = open.tenant.as_ref().map(|tenant| tenant.name.as_str()).unwrap_or_default();
        let mut fields = Violations::default();
        passwords::check(&mut fields, "new_password", &password, &[&open.user.email, &open.user.name, company]);
        fields.check()?;
        let hash = self.passwords.hash(password).await?;
        // Of two who use it at once, one still finds it.
        let tx = self.db.write(&Scope::Platform).await?;
        let open = links::open(&tx, &request.token).await?;
        let (user, purpose) = (&open.user, open.link.purpose);
        links::forget(&tx, user.id, None).await?;
        admit(&tx, &open, hash).await?;
        let ended = ended::end(&tx, session::Column::UserId.eq(user.id)).await?;
        let act = match purpose {
            LinkPurpose::Invitation => "account:invitation_accept",
            LinkPurpose::PasswordReset => "account:password_reset",
            LinkPurpose::EmailVerification | LinkPurpose::Unspecified => "account:email_verify",
        };
        let object = Object::new("user", user.id, &user.name);
        let act = Act { act, tenant: user.tenant_id, object, ..Act::default() };
        audit::record(&tx, Actor { id: Some(user.id), name: String::new(), address: client.address }, act).await?;
        if purpose == LinkPurpose::PasswordReset {
            self.mail.notify(&tx, Kind::PasswordChanged, user).await?;
        }
        tx.commit().await?;
        self.mail.wake_relay();
        self.outbox.flush().await;
        self.ended.announce(ended).await;
        Ok(())
    }
}

/// Whoever used a link that went to the address alone has the address, and nobody else knows the password: unless
/// somebody else has changed the address.
async fn admit(
    tx: &DatabaseTransaction,
    OpenedLink { link, user, .. }: &OpenedLink,
    password_hash: String,
) -> Result<()> {
    user::Entity::update_many()
        .col_expr(user::Column::IsPending, Expr::val(false))
        .col_expr(user::Column::RegistrationExpiresAt, Expr::val(None::<i64>))
        .col_expr(user::Column::IsEmailVerified, Expr::val(user.is_email_verified || link.shown_to.is_none()))
        .col_expr(user::Column::PasswordHash, Expr::val(password_hash))
        .col_expr(user::Column::PasswordSetBy, Expr::val(link.shown_to.or(user.email_set_by)))
        .col_expr(user::Column::MustChangePassword, Expr::val(false))
        .col_expr(user::Column::UpdatedAt, Expr::val(Timestamp::now().millis()))
        .filter(user::Column::Id.eq(user.id))
        .exec(tx)
        .await?;
    match user.must_change_password {
        true => policy::changed(tx, user::Column::Id.eq(user.id)).await,
        false => Ok(()),
    }
}

fn open_link(open: OpenedLink) -> OpenLink {
    OpenLink {
        purpose: open.link.purpose.into(),
        email: open.user.email,
        name: open.user.name,
        tenant_name: open.tenant.map(|tenant| tenant.name),
    }
}

/// Brings the input into the form in which it is stored, or says what is wrong with it.
pub fn check(input: &mut RegistrationInput) -> Result<Locale> {
    let mut violations = input.validate();
    tax_number::check(&mut violations, &mut input.tax_number);
    violations.check()?;
    Ok(Locale::specified(input.locale).unwrap_or(Locale::Id))
}
