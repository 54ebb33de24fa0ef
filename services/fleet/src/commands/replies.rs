//! What gateways say became of commands. A gateway speaks for the trackers whose commands it was given, and for no other.

use std::time::Duration;

use armada_proto::{
    CommandId, Timestamp,
    command::{self, GatewayReply, GatewayReplyState},
    v1::{CommandReason, CommandState},
};
use armada_runtime::{Bus, Database, Error, Result, Scope};
use async_nats::Message;
use futures::StreamExt;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use tokio_util::sync::CancellationToken;

use super::{dispatch, states};
use crate::entity::command::{Column, Entity, Model};

/// One of the processes of this service hears a reply.
const QUEUE: &str = "fleet";
/// Characters of what a tracker says that are kept.
const ANSWER_MAX: usize = 1000;
/// When to try again what failed, and how often.
const RETRY: Duration = Duration::from_secs(1);
const TRIES: usize = 5;

/// Receives what gateways reply.
#[derive(Clone)]
pub struct Replies {
    pub(crate) db: Database,
    pub(crate) bus: Bus,
    /// Where gateways answer.
    pub(crate) gateways: Bus,
}

impl Replies {
    /// Works until shutdown.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let replies = self.gateways.client.queue_subscribe(command::REPLIES, QUEUE.to_owned()).await;
        let mut replies = replies.map_err(Error::unavailable)?;
        let for_ever = async {
            while let Some(message) = replies.next().await {
                self.take_in(&message).await;
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    /// What cannot be written stays unsaid: the command becomes `unknown`, and a person decides.
    async fn take_in(&self, message: &Message) {
        for attempt in 1.. {
            match self.apply(message).await {
                Err(error) if attempt == TRIES => {
                    tracing::warn!(%error, subject = %message.subject, "what became of a command is not written");
                    return;
                }
                Err(_) => tokio::time::sleep(RETRY).await,
                Ok(()) => return,
            }
        }
    }

    async fn apply(&self, message: &Message) -> Result<()> {
        let Some((gateway, imei)) = command::origin(&message.subject) else { return Ok(()) };
        let Ok(reply) = serde_json::from_slice::<GatewayReply>(&message.payload) else {
            tracing::warn!(subject = %message.subject, "a gateway's reply to a command cannot be read");
            return Ok(());
        };
        let Ok(id) = reply.id.parse::<CommandId>() else { return Ok(()) };
        let tx = self.db.read(&Scope::Platform).await?;
        let row = Entity::find().filter(Column::Id.eq(id)).one(&tx).await?;
        drop(tx);
        let Some(row) = row.filter(|row| row.gateway == gateway && row.imei == imei) else {
            tracing::warn!(gateway, "a gateway speaks of a command that it was not given");
            return Ok(());
        };
        let changed = match reply.state {
            GatewayReplyState::NotConnected => dispatch::unsent(&self.db, &row).await?,
            _ => self.advance(&row, &reply).await?,
        };
        if let Some(row) = changed {
            states::publish(&self.bus, &row).await;
        }
        Ok(())
    }

    /// Takes a command further. A reply that comes late says what became of it all the same.
    async fn advance(&self, row: &Model, reply: &GatewayReply) -> Result<Option<Model>> {
        let before: &[_] = match reply.state {
            GatewayReplyState::Delivered => &[CommandState::Sent, CommandState::Unknown],
            _ => &[CommandState::Sent, CommandState::Delivered, CommandState::Unknown],
        };
        let now = Timestamp::now().millis();
        states::change(&self.db, row, before, |row| {
            row.answer_by = None;
            match reply.state {
                GatewayReplyState::Delivered => states::set(row, CommandState::Delivered, CommandReason::Unspecified),
                GatewayReplyState::Acknowledged => {
                    states::set(row, CommandState::Acknowledged, CommandReason::Unspecified);
                    row.answer = bounded(&reply.text);
                    row.answered_at = Some(now);
                }
                GatewayReplyState::Failed | GatewayReplyState::NotConnected => {
                    let is_unsupported = reply.reason == "unsupported";
                    let reason = if is_unsupported { CommandReason::Unsupported } else { CommandReason::Refused };
                    states::set(row, CommandState::Failed, reason);
                    row.answer = bounded(if reply.text.is_empty() { &reply.reason } else { &reply.text });
                    row.answered_at = Some(now);
                }
            }
            true
        })
        .await
    }
}

fn bounded(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || *c == '\n').take(ANSWER_MAX).collect()
}
