//! Letters. They are queued in the transaction that is the reason for them, and go out whatever dies in between.

mod letter;
mod relay;

use std::sync::Arc;

use armada_proto::Timestamp;
use armada_runtime::{Error, Result};
use lettre::{AsyncSmtpTransport, Tokio1Executor, message::Mailbox};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::{NotSet, Set},
    DatabaseTransaction,
};
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

pub use letter::{Kind, Letter};
pub use relay::Relay;

use crate::{
    config::{Config, MailConfig, refused},
    entity::{mail, tenant, user},
    seal::Seal,
};

/// What letters are sealed for.
const SEALED_FOR: &str = "mail";

/// What is to be done for a row of the table.
#[derive(Serialize, Deserialize)]
enum Job {
    /// A letter to send.
    Send(Letter),
    /// Somebody has forgotten the password of an account with this address. Whether there is one is looked up when the
    /// letter is made and not when somebody asks, so that both cases take the same work and the same time.
    Forgotten(String),
}

/// The post office. Cheap to clone.
#[derive(Clone)]
pub struct Mail {
    sender: Option<Sender>,
    seal: Seal,
    config: Arc<Config>,
    queued: Arc<Notify>,
}

#[derive(Clone)]
struct Sender {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Mail {
    /// As it is configured; without a mail server nothing is queued.
    pub fn new(config: &Arc<Config>, seal: Seal) -> Result<Self> {
        let sender = config.mail.as_ref().map(Sender::new).transpose()?;
        Ok(Self { sender, seal, config: config.clone(), queued: Arc::default() })
    }

    /// Whether letters go out.
    pub fn is_on(&self) -> bool {
        self.sender.is_some()
    }

    /// Queues a letter to a user about `link`.
    pub async fn write(
        &self,
        tx: &DatabaseTransaction,
        kind: Kind,
        user: &user::Model,
        tenant: Option<&tenant::Model>,
        link: (String, u32),
    ) -> Result<()> {
        // Nobody has confirmed that who registered is who reads this: nothing of what they said is repeated.
        let is_stranger = user.registration_expires_at.is_some();
        let said = |name: &str| if is_stranger { String::new() } else { letter::harmless(name) };
        let letter = Letter {
            to: user.email.clone(),
            name: said(&user.name),
            language: letter::language(user.locale).to_owned(),
            kind,
            link: link.0,
            tenant: tenant.map(|tenant| said(&tenant.name)).unwrap_or_default(),
            count: link.1,
        };
        self.queue(tx, &Job::Send(letter)).await
    }

    /// Queues a letter that tells a user of a change to their account.
    pub async fn notify(&self, tx: &DatabaseTransaction, kind: Kind, user: &user::Model) -> Result<()> {
        self.write(tx, kind, user, None, (self.config.page("/auth/login"), 0)).await
    }

    /// Queues what follows when somebody has forgotten their password.
    pub async fn forgotten(&self, tx: &DatabaseTransaction, email: &str) -> Result<()> {
        self.queue(tx, &Job::Forgotten(email.to_owned())).await
    }

    /// There is something to send, and it is committed.
    pub fn wake_relay(&self) {
        self.queued.notify_one();
    }

    async fn queue(&self, tx: &DatabaseTransaction, job: &Job) -> Result<()> {
        if !self.is_on() {
            return Ok(());
        }
        let now = Timestamp::now().millis();
        let text = serde_json::to_vec(job).map_err(Error::internal)?;
        let row = mail::ActiveModel {
            id: NotSet,
            letter: Set(self.seal.seal(SEALED_FOR, &text)?),
            attempts: Set(0),
            created_at: Set(now),
            next_at: Set(now),
        };
        row.insert(tx).await?;
        Ok(())
    }
}

impl Sender {
    fn new(config: &MailConfig) -> Result<Self> {
        // What is wrong with it may quote the password in it.
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(config.smtp_url.reveal());
        let transport = transport
            .map_err(|_| refused("identity.mail.smtp_url must be smtp[s]://[user:password@]host[:port]".to_owned()))?
            .timeout(Some(relay::PATIENCE))
            .build();
        let from = config.from.parse::<Mailbox>();
        let from = from.map_err(|error| refused(format!("identity.mail.from = {}: {error}", config.from)))?;
        Ok(Self { transport, from })
    }
}
