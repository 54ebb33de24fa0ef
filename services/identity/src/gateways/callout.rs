//! The server asks who connects and does not stand in its configuration:
//! <https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_callout>. While nobody answers, open
//! connections go on and new ones are refused after the server's patience, and try again.

use std::sync::Arc;

use armada_proto::{
    Timestamp,
    gateway::{ANONYMOUS, inbox_of},
};
use armada_runtime::{Bus, Database, Error, Result, Scope, nkey::AccountKey, text};
use async_nats::Message;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use futures::StreamExt;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, sea_query::Expr};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    addresses,
    directory::Directory,
    secret,
    trial::{self, Trial},
};
use crate::entity::{
    gateway::{Column, Entity, Model},
    tenant,
};

/// Where the server asks.
const SUBJECT: &str = "$SYS.REQ.USER.AUTH";
/// The account in which gateways are.
const ACCOUNT: &str = "GATEWAYS";
/// Questions that are answered at a time.
const AT_ONCE: usize = 32;
/// How old the note of when a secret was used gets before it is written again.
const USED_OLD_MS: i64 = 60_000;

/// Answers the server.
#[derive(Clone)]
pub struct Callout {
    pub(crate) bus: Bus,
    pub(crate) db: Database,
    pub(crate) key: AccountKey,
    pub(crate) directory: Directory,
    pub(crate) trial: Trial,
}

/// What the server says of a connection.
#[derive(Deserialize)]
struct Claims {
    nats: AuthRequest,
}

#[derive(Deserialize)]
struct AuthRequest {
    user_nkey: String,
    server_id: ServerId,
    client_info: ClientInfo,
    connect_opts: ConnectOptions,
}

#[derive(Deserialize)]
struct ServerId {
    id: String,
}

#[derive(Deserialize)]
struct ClientInfo {
    #[serde(default)]
    host: String,
}

#[derive(Deserialize)]
struct ConnectOptions {
    #[serde(default)]
    user: String,
    #[serde(default)]
    pass: String,
}

/// Why somebody is not let in. It is logged here; whoever connects hears that they may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RefusalReason {
    /// There is no such gateway, or its secret is another.
    Unknown,
    /// It is switched off, or its tenant is deleted.
    Off,
    /// It may not connect from there.
    Address,
    /// For whom it speaks is not known everywhere yet.
    TooEarly,
    /// It is the trial of another process.
    AnotherTrial,
}

impl Callout {
    /// Answers until shutdown.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        // One of the processes answers each question.
        let subscribed = self.bus.client.queue_subscribe(SUBJECT, "identity".to_owned()).await;
        let mut questions = subscribed.map_err(Error::unavailable)?;
        let places = Arc::new(Semaphore::new(AT_ONCE));
        let answers = async {
            while let Some(question) = questions.next().await {
                let Ok(place) = places.clone().acquire_owned().await else { return };
                let callout = self.clone();
                tokio::spawn(async move {
                    callout.answer(question).await;
                    drop(place);
                });
            }
        };
        let tried = async {
            tokio::join!(answers, self.trial.run(&self.bus));
        };
        shutdown.run_until_cancelled(tried).await;
        Ok(())
    }

    /// A question that cannot be answered now is left open: the server gives up on it, and the gateway comes again.
    async fn answer(&self, question: Message) {
        let (Some(request), Some(reply)) = (read(&question.payload), question.reply) else {
            tracing::warn!("the server asks something that is not understood");
            return;
        };
        let decided = match self.decide(&request).await {
            Ok(decided) => decided,
            Err(error) => {
                tracing::warn!(%error, "cannot say whether a gateway may connect");
                return;
            }
        };
        let answered = self.response(&request, decided.as_deref());
        let sent = match answered {
            Ok(body) => self.bus.client.publish(reply, body.into()).await.map_err(Error::unavailable),
            Err(error) => Err(error),
        };
        if let Err(error) = sent {
            tracing::warn!(%error, "cannot answer whether a gateway may connect");
        }
    }

    /// The gateway that connects, or why it may not.
    async fn decide(&self, request: &AuthRequest) -> Result<std::result::Result<String, RefusalReason>> {
        let ConnectOptions { user, pass } = &request.connect_opts;
        if user == trial::USER {
            return Ok(if self.trial.is_own(pass) { Ok(user.clone()) } else { Err(RefusalReason::AnotherTrial) });
        }
        let decided = self.check_login(user, pass, &request.client_info.host).await?;
        if let Err(refused) = decided {
            tracing::info!(gateway = user, host = request.client_info.host, ?refused, "a gateway may not connect");
        }
        Ok(decided)
    }

    async fn check_login(
        &self,
        user: &str,
        pass: &str,
        host: &str,
    ) -> Result<std::result::Result<String, RefusalReason>> {
        let name = if user.is_empty() { ANONYMOUS } else { user };
        let tx = self.db.read(&Scope::Platform).await?;
        let found = Entity::find().filter(Column::NameFolded.eq(text::sort_key(name))).one(&tx).await?;
        let Some(row) = found.filter(|row| row.name == name) else { return Ok(Err(RefusalReason::Unknown)) };
        let Some(is_previous) = is_previous_secret(&row, user, pass) else { return Ok(Err(RefusalReason::Unknown)) };
        if !row.enabled || !tenant_is_there(&tx, &row).await? {
            return Ok(Err(RefusalReason::Off));
        }
        if !addresses::allow(&row.allowed_addresses, host) {
            return Ok(Err(RefusalReason::Address));
        }
        if !self.directory.has(&row) {
            return Ok(Err(RefusalReason::TooEarly));
        }
        drop(tx);
        // Nobody is shut out because that cannot be noted.
        if let Err(error) = self.note_used(&row, is_previous).await {
            tracing::debug!(%error, "cannot note when a secret was used");
        }
        Ok(Ok(row.name))
    }

    /// Notes when a secret was used last, so that one sees when the former one can be retired.
    async fn note_used(&self, row: &Model, is_previous: bool) -> Result<()> {
        let now = Timestamp::now().millis();
        let (column, noted) = match is_previous {
            true => (Column::PreviousSecretUsedAt, row.previous_secret_used_at),
            false => (Column::SecretUsedAt, row.secret_used_at),
        };
        if row.is_anonymous || noted.is_some_and(|noted| now - noted < USED_OLD_MS) {
            return Ok(());
        }
        let tx = self.db.write(&Scope::Platform).await?;
        let written = Entity::update_many().col_expr(column, Expr::val(now)).filter(Column::Id.eq(row.id));
        written.exec(&tx).await?;
        Ok(tx.commit().await?)
    }

    /// The token for the server: who it is and what they may, or that they may not.
    fn response(&self, request: &AuthRequest, decided: std::result::Result<&str, &RefusalReason>) -> Result<String> {
        let says = match decided {
            Ok(gateway) => json!({ "jwt": self.user(request, gateway)? }),
            Err(refused) => json!({ "error": format!("{refused:?}") }),
        };
        let mut nats = says;
        nats["type"] = json!("authorization_response");
        nats["version"] = json!(2);
        self.key.sign(&self.claims(request, &request.server_id.id, "", nats))
    }

    /// Who tries whether it is let in hears itself. A gateway publishes under its own name alone, which is checked on the mapped subject as well, and hears what became
    /// of it. It hears the commands for its own trackers, and says what became of those.
    fn user(&self, request: &AuthRequest, gateway: &str) -> Result<String> {
        let inbox = format!("{}.>", inbox_of(gateway));
        let (publishes, hears) = match gateway {
            trial::USER => (vec![inbox.clone()], vec![inbox]),
            _ => (
                vec![format!("gps.{gateway}.*"), format!("in.*.{gateway}.*"), format!("command.reply.{gateway}.*")],
                vec![inbox, format!("command.{gateway}.*")],
            ),
        };
        let nats = json!({
            "pub": { "allow": publishes }, "sub": { "allow": hears }, "subs": 64, "data": -1, "payload": -1, "type": "user", "version": 2,
        });
        self.key.sign(&self.claims(request, ACCOUNT, gateway, nats))
    }

    fn claims(&self, request: &AuthRequest, audience: &str, name: &str, nats: serde_json::Value) -> serde_json::Value {
        json!({
            "jti": Uuid::now_v7(), "iat": Timestamp::now().millis() / 1000, "iss": self.key.public(),
            "sub": request.user_nkey, "aud": audience, "name": name, "nats": nats,
        })
    }
}

/// A token whose sender the server vouches for: nobody else may publish where it asks.
fn read(token: &[u8]) -> Option<AuthRequest> {
    let claims = token.split(|byte| *byte == b'.').nth(1)?;
    let claims = BASE64_URL_SAFE_NO_PAD.decode(claims).ok()?;
    serde_json::from_slice::<Claims>(&claims).ok().map(|claims| claims.nats)
}

/// Whether somebody comes with the former secret of a gateway; none if with neither. The anonymous one has none, and no
/// name.
fn is_previous_secret(row: &Model, user: &str, pass: &str) -> Option<bool> {
    if row.is_anonymous {
        return user.is_empty().then_some(false);
    }
    let hash = secret::hash(pass);
    match () {
        () if user.is_empty() => None,
        () if hash == row.secret_hash => Some(false),
        () if hash == row.previous_secret_hash => Some(true),
        () => None,
    }
}

async fn tenant_is_there(tx: &DatabaseTransaction, row: &Model) -> Result<bool> {
    let Some(tenant) = row.tenant_id else { return Ok(true) };
    Ok(tenant::Entity::within(Scope::Tenant(tenant)).one(tx).await?.is_some())
}
