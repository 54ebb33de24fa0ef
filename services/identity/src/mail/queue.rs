//! What is queued, and who queues it.

use std::sync::Arc;

use armada_proto::{TenantId, Timestamp, v1::Locale};
use armada_runtime::{Error, Result, Seal, trust::Trust};
use lettre::message::Mailbox;
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::{NotSet, Set},
    DatabaseTransaction,
};
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use super::{
    email::{self, Due, Email, Kind},
    server::MailServer,
};
use crate::{
    config::{Config, MailConfig, refused},
    entity::{mail, tenant, user},
};

/// What messages are sealed for.
pub const SEALED_FOR: &str = "mail";

/// What is to be done for a row of the table.
#[derive(Serialize, Deserialize)]
pub(super) enum Queued {
    /// An email to send.
    Email(Email),
    /// Somebody has forgotten the password of an account with this address. Whether there is one is looked up when the
    /// email is made and not when somebody asks, so that both cases take the same work and the same time.
    PasswordForgotten(String),
}

/// The queue of mail. Cheap to clone.
#[derive(Clone)]
pub struct MailQueue {
    pub(super) sender: Option<Sender>,
    pub(super) seal: Seal,
    pub(super) config: Arc<Config>,
    pub(super) wake: Arc<Notify>,
}

#[derive(Clone)]
pub(super) struct Sender {
    pub(super) server: MailServer,
    pub(super) from: Mailbox,
}

impl MailQueue {
    /// As it is configured; without a mail server nothing is queued.
    pub fn new(config: &Arc<Config>, seal: Seal) -> Result<Self> {
        let sender = config.mail.as_ref().map(Sender::new).transpose()?;
        Ok(Self { sender, seal, config: config.clone(), wake: Arc::default() })
    }

    /// Whether mail goes out.
    pub fn is_configured(&self) -> bool {
        self.sender.is_some()
    }

    /// Queues an email to a user about `link`.
    pub async fn send(
        &self,
        tx: &DatabaseTransaction,
        kind: Kind,
        user: &user::Model,
        tenant: Option<&tenant::Model>,
        link: (String, u32),
    ) -> Result<()> {
        // Nobody has confirmed that who registered is who reads this: nothing of what they said is repeated.
        let is_stranger = user.registration_expires_at.is_some();
        let shown_name = |name: &str| if is_stranger { String::new() } else { email::harmless(name) };
        let email = Email {
            to: user.email.clone(),
            name: shown_name(&user.name),
            language: email::language(user.locale).to_owned(),
            kind,
            link: link.0,
            tenant: tenant.map(|tenant| shown_name(&tenant.name)).unwrap_or_default(),
            count: link.1,
            due: Due::default(),
        };
        self.insert(tx, &Queued::Email(email), user.tenant_id).await
    }

    /// Queues an email about something of a tenant that is due, to whoever has the address, in their language; its button
    /// leads to a page of the console.
    pub async fn send_due(
        &self,
        tx: &DatabaseTransaction,
        kind: Kind,
        (to, name, locale): (String, String, Locale),
        tenant: &tenant::Model,
        due: Due,
        page: &str,
    ) -> Result<()> {
        let email = Email {
            to,
            name: email::harmless(&name),
            language: email::language(locale).to_owned(),
            kind,
            link: self.config.page(page),
            tenant: email::harmless(&tenant.name),
            count: 0,
            due: due.harmless(),
        };
        self.insert(tx, &Queued::Email(email), Some(tenant.id)).await
    }

    /// Queues an email that tells a user of a change to their account.
    pub async fn notify(&self, tx: &DatabaseTransaction, kind: Kind, user: &user::Model) -> Result<()> {
        self.send(tx, kind, user, None, (self.config.page("/auth/login"), 0)).await
    }

    /// Queues what follows when somebody has forgotten their password.
    pub async fn queue_password_reset(&self, tx: &DatabaseTransaction, email: &str) -> Result<()> {
        self.insert(tx, &Queued::PasswordForgotten(email.to_owned()), None).await
    }

    /// There is something to send, and it is committed.
    pub fn wake_relay(&self) {
        self.wake.notify_one();
    }

    async fn insert(&self, tx: &DatabaseTransaction, queued: &Queued, share_of: Option<TenantId>) -> Result<()> {
        if !self.is_configured() {
            return Ok(());
        }
        let now = Timestamp::now().millis();
        let text = serde_json::to_vec(queued).map_err(Error::internal)?;
        let row = mail::ActiveModel {
            id: NotSet,
            message: Set(self.seal.seal(SEALED_FOR, &text)?),
            attempts: Set(0),
            created_at: Set(now),
            next_at: Set(now),
            failure: Set(String::new()),
            share_of: Set(share_of),
            is_urgent: Set(match queued {
                Queued::Email(email) => email.kind.is_urgent(),
                Queued::PasswordForgotten(_) => true,
            }),
        };
        row.insert(tx).await?;
        Ok(())
    }
}

impl Sender {
    fn new(config: &MailConfig) -> Result<Self> {
        // What is wrong with it may quote the password in it.
        let server = MailServer::new(&config.smtp_url, Trust::of_process().clone());
        let server = server
            .map_err(|_| refused("identity.mail.smtp_url must be smtp[s]://[user:password@]host[:port]".to_owned()))?;
        let from = config.from.parse::<Mailbox>();
        let from = from.map_err(|error| refused(format!("identity.mail.from = {}: {error}", config.from)))?;
        Ok(Self { server, from })
    }
}
