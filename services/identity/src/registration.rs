//! What people do who are not signed in yet: register a company, ask for a new password, open the links of their mail.
//! Whoever registers has not proved that the address is theirs, so that they choose no password: whoever confirms does.

mod expiry;
mod opening;

use std::sync::Arc;

use armada_proto::{
    Timestamp, email,
    v1::{
        EmailRequest, Empty, LinkPurpose, LinkToken, OpenLink, RegistrationInput, UseLinkRequest, registration_server,
    },
};
use armada_runtime::{
    Code, Database, Error, Result, Scope, Validate, Violations,
    audit::{self, Act, Actor, Object},
    auth::Client,
    outbox::OutboxHandle,
};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, sea_query::Expr};
use tonic::{Request, Response, Status};

use crate::{
    config::Config,
    ended::{self, EndedSessions},
    entity::{session, user},
    links::{self, OpenedLink},
    mail::{Kind, MailQueue},
    passwords::{self, Passwords},
    policy, tax_number,
    throttle::{self, Throttle},
};

pub use expiry::expire;
pub use opening::Opening;

/// The RPCs.
pub struct Registration {
    pub(crate) db: Database,
    pub(crate) passwords: Passwords,
    pub(crate) throttle: Throttle,
    pub(crate) mail: MailQueue,
    pub(crate) ended: EndedSessions,
    pub(crate) outbox: OutboxHandle,
    /// Looks at what was asked for.
    pub(crate) opening: Opening,
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
    /// Whether somebody has the address already can be seen neither from the answer nor from the time that it takes: that is
    /// looked at later, and then either their mail tells. Without a mail server a platform owner finds the new user, and hands
    /// them a link. What is not confirmed goes again.
    async fn register(&self, mut input: RegistrationInput, client: &Client) -> Result<()> {
        if !self.config.registration {
            let message = "companies do not register themselves here";
            return Err(Error::new(Code::Forbidden, "registration_closed", message));
        }
        // Nobody agrees to terms that there are nowhere to read.
        input.accepts_terms |= self.config.terms_url.is_none();
        check(&mut input)?;
        // They count although they succeed: what is limited is how many emails go out.
        drop(self.throttle.admit(throttle::mail_from(client.address)).await?);
        let may_tell = self.may_mail(&input.email).await?;
        self.opening.ask(&input, may_tell, client).await
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
pub fn check(input: &mut RegistrationInput) -> Result<()> {
    let mut violations = input.validate();
    tax_number::check(&mut violations, &mut input.tax_number);
    Ok(violations.check()?)
}
