//! Sends what is queued. What fails is tried again, later and later, for two days.

use std::{
    collections::HashMap,
    error::Error as _,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use armada_proto::{TenantId, Timestamp, v1::LinkPurpose};
use armada_runtime::{Code, Database, Error, Result, Scope, trust::CertificateRefused};
use futures::future::join_all;
use lettre::{AsyncTransport, transport::smtp};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait, LockBehavior, LockType},
};
use tokio_util::sync::CancellationToken;

use super::{
    email::{Email, Kind},
    queue::{MailQueue, Queued, SEALED_FOR, Sender},
    refusals,
    server::Transport,
};
use crate::{
    entity::{
        mail::{Column, Entity, Model},
        tenant, user,
    },
    links, widening,
};

/// How long whoever claims an email has it for themselves: longer than sending it can take.
const LEASE: Duration = Duration::from_secs(120);
/// How long an email may lie when nobody woke the relay.
const POLL: Duration = Duration::from_secs(5);
/// The wait after the first failure; each further one doubles it.
const BACKOFF: Duration = Duration::from_secs(5);
const BACKOFF_MAX: Duration = Duration::from_secs(3600);
/// What could not be sent for so long is dropped: the links in it hold no longer.
const MAX_AGE: Duration = Duration::from_secs(48 * 3600);

/// Emails that are sent at a time, each on a connection of its own.
const AT_ONCE: usize = 4;

/// Sends the queued mail.
#[derive(Clone)]
pub struct Relay {
    db: Database,
    mail: MailQueue,
    shares: Shares,
}

/// Of what is due: whether it is urgent, and whose share it takes.
type Share = (bool, Option<TenantId>);

/// When each share had its turn last, by a number that grows.
type Shares = Arc<Mutex<HashMap<Share, u64>>>;

impl Relay {
    /// Of what is queued in a database.
    pub fn new(db: Database, mail: MailQueue) -> Self {
        Self { db, mail, shares: Arc::default() }
    }

    /// Works until shutdown.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        join_all((0..AT_ONCE).map(|_| self.work(&shutdown))).await;
        Ok(())
    }

    async fn work(&self, shutdown: &CancellationToken) {
        while !shutdown.is_cancelled() {
            match self.send_next().await {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "cannot read the queue of mail; will try again"),
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = self.mail.wake.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }

    /// Claims one email and sends it; false when none is due.
    async fn send_next(&self) -> Result<bool> {
        let Some(sender) = &self.mail.sender else { return Ok(false) };
        let Some(row) = self.claim().await? else { return Ok(false) };
        // There may be more, for another one.
        self.mail.wake_relay();
        let outcome = match self.unsealed(&row) {
            Ok(Queued::Email(email)) => send(sender, &email).await,
            Ok(Queued::PasswordForgotten(address)) => self.send_password_reset(&address).await,
            Err(error) => Err(error),
        };
        match outcome {
            Ok(()) => self.remove(row.id).await?,
            Err(error) => self.retry_or_drop(&row, &error).await?,
        }
        Ok(true)
    }

    /// The next email, which nobody else claims while this process sends it: an urgent one, and of those the next of the
    /// share whose turn was the longest ago, so that none waits behind the many of another.
    async fn claim(&self) -> Result<Option<Model>> {
        let now = Timestamp::now();
        let tx = self.db.write(&Scope::Platform).await?;
        let due = Entity::find().filter(Column::NextAt.lte(now.millis()));
        let shares = due.clone().select_only().columns([Column::IsUrgent, Column::ShareOf]).distinct();
        let Some(share) = self.next_share(shares.into_tuple().all(&tx).await?) else { return Ok(None) };
        let (is_urgent, share_of) = share;
        let due = due.filter(Column::IsUrgent.eq(is_urgent)).filter(match share_of {
            Some(tenant) => Column::ShareOf.eq(tenant),
            None => Column::ShareOf.is_null(),
        });
        let due = due.order_by_asc(Column::NextAt).order_by_asc(Column::Id);
        let due = due.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked).one(&tx).await?;
        let Some(row) = due else { return Ok(None) };
        Entity::update_many()
            .col_expr(Column::NextAt, Expr::val((now + LEASE).millis()))
            .col_expr(Column::Attempts, Expr::col(Column::Attempts).add(1))
            .filter(Column::Id.eq(row.id))
            .exec(&tx)
            .await?;
        tx.commit().await?;
        Ok(Some(row))
    }

    fn next_share(&self, due: Vec<Share>) -> Option<Share> {
        let mut turns = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = |share: &Share| turns.get(share).copied().unwrap_or_default();
        let next = due.iter().copied().min_by_key(|share| (!share.0, turn(share)))?;
        let newest = turns.values().max().copied().unwrap_or_default();
        // Who has nothing waiting begins anew.
        turns.retain(|share, _| due.contains(share));
        turns.insert(next, newest + 1);
        Some(next)
    }

    fn unsealed(&self, row: &Model) -> Result<Queued> {
        let text = self.mail.seal.open(SEALED_FOR, &row.message)?;
        let queued = text.and_then(|text| serde_json::from_slice(&text).ok());
        queued.ok_or_else(|| Error::new(Code::Invalid, "invalid_email", "it was sealed under another secret key"))
    }

    /// Makes the link for a new password, if there is such an account and it may sign in.
    async fn send_password_reset(&self, address: &str) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        let found = user::Entity::of_address(address).find_also_related(tenant::Entity).one(&tx).await?;
        let Some((user, tenant)) = found.filter(|(user, tenant)| links::may_use(user, tenant.as_ref())) else {
            return Ok(());
        };
        if widening::is_address_doubtful(&tx, &user).await? {
            return Ok(());
        }
        let made = links::make(&tx, &user, LinkPurpose::PasswordReset, None).await?;
        let link = (made.address(&self.mail.config), made.count());
        self.mail.send(&tx, Kind::PasswordReset, &user, tenant.as_ref(), link).await?;
        Ok(tx.commit().await?)
    }

    async fn retry_or_drop(&self, row: &Model, error: &Error) -> Result<()> {
        let age = Timestamp::now().millis() - row.created_at;
        if error.class == Code::Invalid || age > MAX_AGE.as_millis() as i64 {
            tracing::warn!(email = row.id, attempts = row.attempts + 1, %error, "an email is dropped");
            return self.remove(row.id).await;
        }
        tracing::warn!(email = row.id, attempts = row.attempts + 1, %error, "an email was not sent; will try again");
        let wait = BACKOFF.saturating_mul(1 << row.attempts.clamp(0, 16)).min(BACKOFF_MAX);
        let tx = self.db.write(&Scope::Platform).await?;
        let later = Entity::update_many().col_expr(Column::NextAt, Expr::val((Timestamp::now() + wait).millis()));
        let later = later.col_expr(Column::Failure, Expr::val(error.code.clone()));
        later.filter(Column::Id.eq(row.id)).exec(&tx).await?;
        Ok(tx.commit().await?)
    }

    async fn remove(&self, id: i64) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        Entity::delete_by_id(id).exec(&tx).await?;
        Ok(tx.commit().await?)
    }
}

/// Errors do not quote the server: it may name the recipient.
async fn send(sender: &Sender, email: &Email) -> Result<()> {
    let message = email.message(&sender.from)?;
    let transport = sender.server.transport()?;
    let Err(error) = transport.send(message).await else { return Ok(()) };
    if let Some(refused) = CertificateRefused::in_error(&error) {
        return Err(Error::new(
            Code::Unavailable,
            refused.code(),
            format!("the mail server is not trusted: {refused}"),
        ));
    }
    let status = error.status().map_or_else(|| "no_answer".to_owned(), |code| code.to_string());
    let (class, what) = match is_about_email(&error) && takes_mail(&transport).await {
        true => (Code::Invalid, "refuses it"),
        false => (Code::Unavailable, "does not take it"),
    };
    Err(Error::new(class, &status, format!("the mail server {what}: {status}")))
}

fn is_about_email(error: &smtp::Error) -> bool {
    let Some(code) = error.status().filter(|_| error.is_permanent()) else { return false };
    let words = error.source().map(ToString::to_string).unwrap_or_default();
    refusals::is_about_email(u16::from(code), &words)
}

/// Whether the server greets and lets itself be signed in to: one that turns everybody away says so with the codes of a
/// recipient that there is not.
async fn takes_mail(transport: &Transport) -> bool {
    transport.test_connection().await.unwrap_or_default()
}
