//! Sending the commands that wait. A command is `sent` in the table before it is published, so whatever dies it is never
//! published twice; of one that was sent and not heard of nobody knows what became, and a person decides.

use std::{collections::HashMap, sync::Arc, time::Duration};

use armada_proto::{
    Choice, CommandId, DeviceId, TenantId, Timestamp,
    command::{self, GatewayCommand},
    v1::{CommandKind, CommandReason, CommandState},
};
use armada_runtime::{Bus, Database, Result, Scope, resource::Row};
use async_nats::{Request, client::RequestErrorKind, connection::State};
use futures::StreamExt;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, EntityTrait, IntoActiveModel, Order, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait, Query},
};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{kinds, routes::Routes, states, waiting_vehicles::WaitingVehicles};
use crate::entity::{
    command::{Column, Entity, Model},
    device,
};

/// How often what is due by the clock is looked for.
const PERIOD: Duration = Duration::from_secs(1);
/// Commands of one look.
const CHUNK: u64 = 500;
/// Commands that are sent at a time.
const AT_ONCE: usize = 32;
/// Commands that are put off in one transaction: whoever writes beside it waits for so many at most.
const PUT_OFF_AT_ONCE: usize = 64;
/// When to try again a command whose tracker is not connected, if nothing is heard of it before.
const TRY_AGAIN_MS: i64 = 30_000;
/// How long a gateway may be silent.
const ANSWER_MS: i64 = 60_000;
/// How long the server has to say that nobody listens. A gateway does not answer there.
const NO_RESPONDERS_WITHIN: Duration = Duration::from_secs(1);

/// Sends what waits.
#[derive(Clone)]
pub struct Dispatch {
    pub(crate) db: Database,
    pub(crate) bus: Bus,
    /// Where gateways hear commands.
    pub(crate) gateways: Bus,
    pub(crate) routes: Routes,
    pub(crate) waiting_vehicles: WaitingVehicles,
    /// Wakes it.
    pub(crate) queued: Arc<Notify>,
}

impl Dispatch {
    /// Works until shutdown. What fails is tried again.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let for_ever = async {
            loop {
                if let Err(error) = self.round().await {
                    tracing::warn!(%error, "commands are not sent; will try again");
                }
                tokio::select! {
                    () = self.queued.notified() => {}
                    () = tokio::time::sleep(PERIOD) => {}
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    async fn round(&self) -> Result<()> {
        let now = Timestamp::now().millis();
        let over = Condition::any()
            .add(
                Column::State
                    .is_in([CommandState::Queued, CommandState::AwaitingConsent])
                    .and(Column::ExpiresAt.lte(now)),
            )
            .add(Column::State.eq(CommandState::Sent).and(Column::AnswerBy.lte(now)));
        for row in self.rows(over).await? {
            self.end(&row, now).await?;
        }
        let waiting = self.waiting().await?;
        self.waiting_vehicles.follow(&self.bus, &waiting, &self.queued).await?;
        let reporting = self.waiting_vehicles.take_reporting();
        let due = Column::NextTryAt.lte(now).or(Column::DeviceId.is_in(reporting.iter().copied()));
        let first = self.first_of_each_device(due).await?;
        let attempts = futures::stream::iter(first).map(async |row| match self.attempt(&row).await {
            Ok(attempt) => attempt.map(|reason| (row.id, reason)),
            Err(error) => {
                tracing::warn!(%error, command = %row.id, "a command is not sent; will try again");
                None
            }
        });
        let waiting: Vec<_> = attempts.buffer_unordered(AT_ONCE).filter_map(std::future::ready).collect().await;
        for part in waiting.chunks(PUT_OFF_AT_ONCE) {
            self.put_off(part.iter().copied().collect()).await?;
        }
        Ok(())
    }

    /// Commands that are so, the oldest first.
    async fn rows(&self, which: Condition) -> Result<Vec<Model>> {
        let tx = self.db.read(&Scope::Platform).await?;
        let rows = Entity::within(Scope::Platform).filter(which).order_by_asc(Column::Id).limit(CHUNK);
        Ok(rows.all(&tx).await?)
    }

    /// Of each device the command that goes out next, if it is due: of each tenant the first, then of each the second, and so
    /// on, so that none waits behind the many of another.
    async fn first_of_each_device(&self, due: Expr) -> Result<Vec<Model>> {
        let tx = self.db.read(&Scope::Platform).await?;
        let turn = Expr::cust("row_number() OVER (PARTITION BY tenant_id ORDER BY next_try_at, id)");
        let rows = Entity::within(Scope::Platform).filter(is_next()).filter(due);
        let rows = rows.order_by(turn, Order::Asc).order_by_asc(Column::NextTryAt).limit(CHUNK);
        Ok(rows.all(&tx).await?)
    }

    /// Which devices have commands waiting.
    async fn waiting(&self) -> Result<Vec<(TenantId, DeviceId)>> {
        let tx = self.db.read(&Scope::Platform).await?;
        let rows = Entity::within(Scope::Platform).filter(Column::State.eq(CommandState::Queued)).select_only();
        Ok(rows.column(Column::TenantId).column(Column::DeviceId).distinct().into_tuple().all(&tx).await?)
    }

    /// Ends a command whose time is over.
    async fn end(&self, row: &Model, now: i64) -> Result<()> {
        let open = [CommandState::Queued, CommandState::AwaitingConsent, CommandState::Sent];
        let ended = states::change(&self.db, row, &open, |row| {
            let is_sent = row.state == CommandState::Sent;
            match is_sent {
                true => states::set(row, CommandState::Unknown, CommandReason::NoAnswer),
                // Why it waited is why nothing became of it.
                false => row.state = CommandState::Expired,
            }
            if is_sent { row.answer_by.is_some_and(|by| by <= now) } else { row.expires_at <= now }
        });
        self.notify_edge(ended.await?).await;
        Ok(())
    }

    /// Sends a command, if its tracker is connected and its vehicle stands where it must; else why it goes on waiting.
    async fn attempt(&self, row: &Model) -> Result<Option<CommandReason>> {
        if self.gateways.client.connection_state() != State::Connected {
            // What is published now would leave when NATS is back, whenever that is.
            return Ok(None);
        }
        let tx = self.db.read(&Scope::Tenant(row.tenant_id)).await?;
        // Nor to a device that belongs to somebody else by now.
        let devices = device::Entity::bound().filter(device::Column::TenantId.eq(row.tenant_id));
        let device = devices.filter(device::Column::Id.eq(row.device_id)).one(&tx).await?;
        let Some(device) = device else {
            return Ok(Some(CommandReason::NotConnected));
        };
        // One before it may be back among those that wait.
        if Entity::find_by_id(row.id).filter(is_next()).count(&tx).await? == 0 {
            return Ok(None);
        }
        let protocol = kinds::protocol_of(&tx, &device).await?;
        drop(tx);
        if row.kind == CommandKind::EngineStop && !self.waiting_vehicles.is_stationary(device.id) {
            return Ok(Some(CommandReason::NotStanding));
        }
        let Some(gateway) = self.routes.gateway_of(&device.imei).await? else {
            return Ok(Some(CommandReason::NotConnected));
        };
        let now = Timestamp::now().millis();
        let sent = states::change(&self.db, row, &[CommandState::Queued], |row| {
            states::set(row, CommandState::Sent, CommandReason::Unspecified);
            (row.gateway, row.imei) = (gateway, device.imei);
            (row.sent_at, row.answer_by) = (Some(now), Some(now + ANSWER_MS));
            row.expires_at > now
        });
        let Some(sent) = sent.await? else { return Ok(None) };
        self.notify_edge(Some(sent.clone())).await;
        // The one behind it is next.
        self.queued.notify_one();
        if !self.publish(&sent, protocol).await {
            self.notify_edge(unsent(&self.db, &sent).await?).await;
        }
        Ok(None)
    }

    /// False when it is certain that nobody has heard it.
    async fn publish(&self, row: &Model, protocol: String) -> bool {
        let request = Request::new().payload(payload(row, protocol).into()).timeout(Some(NO_RESPONDERS_WITHIN));
        match self.gateways.client.send_request(command::subject(&row.gateway, &row.imei), request).await {
            Err(error) => error.kind() != RequestErrorKind::NoResponders,
            Ok(_) => true,
        }
    }

    /// Leaves commands waiting, and says why.
    async fn put_off(&self, reasons: HashMap<CommandId, CommandReason>) -> Result<()> {
        let next_try_at = Timestamp::now().millis() + TRY_AGAIN_MS;
        let tx = self.db.write(&Scope::Platform).await?;
        let rows = Entity::within(Scope::Platform).filter(Column::Id.is_in(reasons.keys().copied()));
        let rows = rows.filter(Column::State.eq(CommandState::Queued)).order_by_asc(Column::Id).lock_exclusive();
        let mut changed = Vec::new();
        for mut row in rows.all(&tx).await? {
            let reason = reasons.get(&row.id).copied().unwrap_or(row.state_reason);
            let has_changed = row.state_reason != reason;
            (row.state_reason, row.next_try_at) = (reason, next_try_at);
            row.touch(Timestamp::now());
            let row = row.into_active_model().reset_all().update(&tx).await?;
            changed.extend(has_changed.then_some(row));
        }
        tx.commit().await?;
        for row in changed {
            self.notify_edge(Some(row)).await;
        }
        Ok(())
    }

    async fn notify_edge(&self, row: Option<Model>) {
        if let Some(row) = row {
            states::publish(&self.bus, &row).await;
        }
    }
}

/// Whether a command waits, and none before it for the same device: they go out in their order. A stop of the engine that
/// waits until the vehicle stands holds up what is about the engine alone.
fn is_next() -> Condition {
    let older = |name: &'static str| Expr::col(("older", name));
    let own = |name: &'static str| Expr::col(("command", name));
    let engine = || [CommandKind::EngineStop.name(), CommandKind::EngineResume.name()];
    let waits_for_standstill = older("kind")
        .eq(CommandKind::EngineStop.name())
        .and(older("state_reason").eq(CommandReason::NotStanding.name()));
    let before = Query::select()
        .expr(Expr::val(1))
        .from_as("command", "older")
        .and_where(older("tenant_id").equals(("command", "tenant_id")))
        .and_where(older("device_id").equals(("command", "device_id")))
        .and_where(Expr::cust("older.state = 'queued'"))
        .and_where(older("id").lt(own("id")))
        .and_where(waits_for_standstill.not().or(own("kind").is_in(engine())))
        .to_owned();
    Condition::all().add(Expr::cust("command.state = 'queued'")).add(Expr::exists(before).not())
}

/// Puts a command that nobody has got back among those that wait.
pub async fn unsent(db: &Database, row: &Model) -> Result<Option<Model>> {
    let next_try_at = Timestamp::now().millis() + TRY_AGAIN_MS;
    states::change(db, row, &[CommandState::Sent], |now| {
        states::set(now, CommandState::Queued, CommandReason::NotConnected);
        (now.gateway, now.sent_at, now.answer_by) = (String::new(), None, None);
        now.next_try_at = next_try_at;
        // It may have been sent once more since.
        now.row_version == row.row_version
    })
    .await
}

/// What a gateway gets of a command.
fn payload(row: &Model, protocol: String) -> String {
    let arguments = match row.kind {
        CommandKind::PositionPeriodic => json!({ "interval_seconds": row.interval_seconds }),
        CommandKind::OutputControl => json!({ "output": row.output, "on": row.output_on }),
        _ => json!({}),
    };
    let command = GatewayCommand {
        id: row.id.to_string(),
        imei: row.imei.clone(),
        protocol,
        kind: row.kind.name().to_owned(),
        arguments: match arguments {
            Value::Object(arguments) => arguments,
            _ => Map::new(),
        },
        text: row.text.clone(),
        expires_at: Timestamp::from_millis(row.expires_at).to_rfc3339(),
    };
    serde_json::to_string(&command).expect("texts are JSON")
}
