//! Sending: what a command needs before it is queued, and that it is queued once, however often it is asked for.

use std::{
    collections::{BTreeMap, HashMap},
    str::FromStr,
};

use armada_proto::{
    Choice, CommandId, DeviceId, TenantId, Timestamp, Validate,
    access::permission,
    v1::{
        Command, CommandInput, CommandKind, CommandReason, CommandState, LastPosition, SendCommandsRequest,
        SentCommand, SentCommandList,
    },
};
use armada_runtime::{
    Caller, Code, Error, Result, Scope,
    idempotency::{apart, id_of_part},
    resource::Row,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    QuerySelect, Select, prelude::Uuid, sea_query::Expr,
};

use super::{Commands, kinds, record, states};
use crate::{
    entity::{
        command::{Column, Entity, Model},
        device,
    },
    members,
};

/// How long a command may wait unless somebody says otherwise, in seconds.
const DEFAULT_EXPIRY_S: u32 = 24 * 3600;

/// Commands that may wait for one device, and for all of one tenant.
const OF_DEVICE_MAX: u32 = 50;
const OF_TENANT_MAX: u32 = 10_000;
/// Commands of one transaction: whoever writes beside it waits for so many at most.
const PART: usize = 32;

/// What became of a request.
enum Queued {
    /// A command, and the stops of the engine that it takes back.
    New(Box<Model>, Vec<Model>),
    /// It was asked for before.
    Already(Box<Model>),
}

/// A command for a device that may have it, if nothing changes before it is queued.
struct Wanted {
    /// Its place among those of the request.
    index: usize,
    device: DeviceId,
    input: CommandInput,
}

impl Commands {
    /// Queues a command.
    pub(super) async fn send_one(&self, caller: &Caller, mut input: CommandInput) -> Result<Command> {
        checked(caller, &mut input)?;
        let answer = self.send_part(caller, vec![input]).await?.pop();
        answer.unwrap_or_else(|| Err(Error::internal("a command without an answer")))
    }

    /// Queues commands of one kind that is checked, in a transaction for those of each tenant; the answers in their order. What
    /// is wrong with one keeps nothing from the others; what the database cannot do is an error of all.
    async fn send_part(&self, caller: &Caller, inputs: Vec<CommandInput>) -> Result<Vec<Result<Command>>> {
        let mut answers = Vec::with_capacity(inputs.len());
        let mut wanted = BTreeMap::<TenantId, Vec<Wanted>>::new();
        let tx = self.db.read(&caller.scope()).await?;
        for (index, input) in inputs.into_iter().enumerate() {
            match alone(ready(&tx, caller, &input).await)? {
                Ok(device) => {
                    wanted.entry(device.tenant_id).or_default().push(Wanted { index, device: device.id, input });
                }
                Err(error) => answers.push((index, Err(error))),
            }
        }
        drop(tx);
        for (tenant, mut wanted) in wanted {
            // Rows are locked in one order.
            wanted.sort_by_key(|wanted| wanted.device);
            answers.extend(self.queue_all(caller, tenant, wanted).await?);
        }
        answers.sort_by_key(|(index, _)| *index);
        Ok(answers.into_iter().map(|(_, answer)| answer).collect())
    }

    async fn queue_all(
        &self,
        caller: &Caller,
        tenant: TenantId,
        wanted: Vec<Wanted>,
    ) -> Result<Vec<(usize, Result<Command>)>> {
        let stops = wanted.iter().any(|wanted| wanted.input.kind() == CommandKind::EngineStop);
        let needs_consent = stops && self.asks_for_consent(tenant).await?;
        let (mut answers, mut changed) = (Vec::with_capacity(wanted.len()), Vec::new());
        let tx = self.db.write(&Scope::Tenant(tenant)).await?;
        let mut room = room(&tx, tenant).await?;
        for Wanted { index, device, mut input } in wanted {
            if let Some(position) = &caller.believed(input.last_position.take()) {
                self.waiting_vehicles.record(device, position);
            }
            let answer = match alone(queue(&tx, caller, device, input, needs_consent, room).await)? {
                Ok(Queued::Already(row)) => Ok((*row).into()),
                Ok(Queued::New(row, superseded)) => {
                    let sent = Command::from((*row).clone());
                    record(&tx, caller, permission::COMMAND_CREATE, None, &sent, tenant).await?;
                    room = room.saturating_sub(1);
                    changed.extend(superseded.into_iter().chain([*row]));
                    Ok(sent)
                }
                Err(error) => Err(error),
            };
            answers.push((index, answer));
        }
        tx.commit().await?;
        self.queued.notify_one();
        for row in &changed {
            states::publish(&self.bus, row).await;
        }
        Ok(answers)
    }

    /// Whether a second person must agree before an engine of this tenant is stopped.
    pub(super) async fn asks_for_consent(&self, tenant: TenantId) -> Result<bool> {
        let tenant = self.identity.named_tenant(&self.service_key, &tenant.to_string()).await?;
        Ok(tenant.engine_stop_consent)
    }

    /// Each as if it were alone: what is wrong with one keeps nothing from the others.
    pub(super) async fn send_to_each(
        &self,
        caller: &Caller,
        mut request: SendCommandsRequest,
    ) -> Result<SentCommandList> {
        request.validate().check()?;
        let mut input = CommandInput { last_position: None, ..request.command.unwrap_or_default() };
        checked(caller, &mut input)?;
        let mut positions: HashMap<String, LastPosition> = HashMap::new();
        positions.extend(request.last_positions.into_iter().map(|position| (position.device_id.clone(), position)));
        let mut sent = SentCommandList::default();
        for devices in request.device_ids.chunks(PART) {
            let inputs = devices.iter().map(|device_id| {
                // Asked for again after it was broken off, the rest is sent and nothing twice.
                let request_id = input.request_id.clone().or_else(|| Some(id_of_part(device_id)?.to_string()));
                let last_position = positions.remove(device_id);
                CommandInput { device_id: device_id.clone(), last_position, request_id, ..input.clone() }
            });
            let answers = apart(self.send_part(caller, inputs.collect())).await;
            let answers = answers.unwrap_or_else(|error| vec![Err(error); devices.len()]);
            sent.items.extend(devices.iter().zip(answers).map(|(device_id, answer)| item(device_id, answer)));
        }
        sent.succeeded = sent.items.iter().filter(|item| item.command.is_some()).count() as u32;
        sent.failed = sent.items.len() as u32 - sent.succeeded;
        Ok(sent)
    }
}

fn item(device_id: &str, answer: Result<Command>) -> SentCommand {
    let (command, error) = match answer {
        Ok(command) => (Some(command), String::new()),
        Err(error) => (None, first_code(error)),
    };
    SentCommand { device_id: device_id.to_owned(), command, error }
}

/// What is wrong with one of many; an error when it is nothing about that one.
fn alone<T>(answer: Result<T>) -> Result<Result<T>> {
    match answer {
        Err(error) if matches!(error.class, Code::Internal | Code::Unavailable) => Err(error),
        answer => Ok(answer),
    }
}

/// Of an error of one field the code of that, since nobody is asked to mend the field of one device.
fn first_code(error: Error) -> String {
    error.fields.into_values().next().unwrap_or(error.code)
}

/// The device of a command, if its caller may send it one of this kind.
async fn ready(tx: &DatabaseTransaction, caller: &Caller, input: &CommandInput) -> Result<device::Model> {
    let id = DeviceId::from_str(&input.device_id).map_err(|_| Error::not_found())?;
    let device = seen(caller, id).one(tx).await?.ok_or_else(Error::not_found)?;
    members::must_be(tx, caller, device.id, members::MAINTAINERS).await?;
    if !kinds::of(tx, &device).await?.contains(&input.kind()) {
        return Err(Error::field("kind", "unsupported_by_protocol"));
    }
    Ok(device)
}

fn seen(caller: &Caller, device: DeviceId) -> Select<device::Entity> {
    device::Entity::visible_to(caller, caller.scope()).filter(device::Column::Id.eq(device))
}

async fn queue(
    tx: &DatabaseTransaction,
    caller: &Caller,
    device: DeviceId,
    input: CommandInput,
    needs_consent: bool,
    room: u64,
) -> Result<Queued> {
    // Or it could be removed before the command is there; and the same request waits until the other one is through.
    let device = seen(caller, device).lock_exclusive().one(tx).await?.ok_or_else(Error::not_found)?;
    members::must_be(tx, caller, device.id, members::MAINTAINERS).await?;
    let user = caller.user()?.user_id;
    let request_id = input.request_id.as_deref().and_then(|id| id.parse::<Uuid>().ok());
    if let Some(request_id) = request_id {
        let rows = Entity::find().filter(Column::RequestId.eq(request_id)).filter(Column::UserId.eq(user));
        if let Some(row) = rows.filter(Column::DeviceId.eq(device.id)).one(tx).await? {
            return Ok(Queued::Already(Box::new(row)));
        }
    }
    let superseded = match input.kind() {
        CommandKind::EngineResume => supersede_stops(tx, caller, &device).await?,
        // However much waits, an engine can be stopped and let run again.
        CommandKind::EngineStop => Vec::new(),
        _ => {
            must_have_room(tx, &device, room).await?;
            Vec::new()
        }
    };
    let waits = i64::from(input.expires_in_seconds.unwrap_or(DEFAULT_EXPIRY_S)) * 1000;
    let mut row = Model::new(device.tenant_id);
    row.repeats = repeated(tx, &device, input.repeats.as_deref()).await?;
    row.state = if needs_consent { CommandState::AwaitingConsent } else { CommandState::Queued };
    row.user_id = user;
    row.request_id = request_id;
    row.expires_at = row.created_at + waits;
    (row.device_id, row.name, row.imei) = (device.id, device.name, device.imei);
    row.apply(input);
    Ok(Queued::New(Box::new(row.into_active_model().insert(tx).await?), superseded))
}

/// How many commands more may wait for the devices of a tenant.
async fn room(tx: &DatabaseTransaction, tenant: TenantId) -> Result<u64> {
    let of_tenant = waiting().filter(Column::TenantId.eq(tenant)).count(tx).await?;
    Ok(u64::from(OF_TENANT_MAX).saturating_sub(of_tenant))
}

/// As the index of those that wait has it.
fn waiting() -> Select<Entity> {
    Entity::find().filter(Expr::cust("command.state = 'queued'"))
}

/// An error when as many commands wait for a device, or for those of its tenant, as may.
async fn must_have_room(tx: &DatabaseTransaction, device: &device::Model, room: u64) -> Result<()> {
    let of_device = waiting().filter(Column::TenantId.eq(device.tenant_id)).filter(Column::DeviceId.eq(device.id));
    let full = |max: u32, what: &str| {
        let message = format!("{max} commands wait for this {what} already");
        Err(Error::limit_reached(&format!("{what}_command_limit_reached"), max, message))
    };
    if of_device.count(tx).await? >= u64::from(OF_DEVICE_MAX) {
        return full(OF_DEVICE_MAX, "device");
    }
    if room == 0 { full(OF_TENANT_MAX, "tenant") } else { Ok(()) }
}

/// Takes back the stops of a vehicle's engine that wait: sent afterwards, one would stop what somebody has let run again.
async fn supersede_stops(tx: &DatabaseTransaction, caller: &Caller, device: &device::Model) -> Result<Vec<Model>> {
    let rows = Entity::find().filter(Column::DeviceId.eq(device.id)).filter(Column::TenantId.eq(device.tenant_id));
    let rows = rows.filter(Column::Kind.eq(CommandKind::EngineStop));
    let rows = rows.filter(Column::State.is_in([CommandState::AwaitingConsent, CommandState::Queued]));
    let mut superseded = Vec::new();
    for before in rows.lock_exclusive().all(tx).await? {
        let mut row = before.clone();
        states::set(&mut row, CommandState::Cancelled, CommandReason::Superseded);
        row.decided_by = Some(caller.user()?.user_id);
        row.touch(Timestamp::now());
        let row = row.into_active_model().reset_all().update(tx).await?;
        record(tx, caller, "command:cancel", Some(&before.into()), &row.clone().into(), row.tenant_id).await?;
        superseded.push(row);
    }
    Ok(superseded)
}

/// What kind of command it is, if nothing is wrong with it as far as it can be told by itself. Arguments of other kinds
/// are dropped.
fn checked(caller: &Caller, input: &mut CommandInput) -> Result<CommandKind> {
    let mut violations = input.validate();
    let Some(kind) = input.kind.and_then(CommandKind::specified) else {
        violations.add("kind", "required");
        return Err(violations.into());
    };
    let is_reason_given = input.reason.as_deref().is_some_and(|reason| !reason.trim().is_empty());
    if kind == CommandKind::EngineStop && !is_reason_given {
        violations.add("reason", "required");
    }
    kinds::check_arguments(kind, input, &mut violations);
    violations.check()?;
    match kind {
        CommandKind::EngineStop | CommandKind::EngineResume => caller.must(permission::COMMAND_ENGINE)?,
        CommandKind::Custom => caller.must(permission::COMMAND_RAW)?,
        _ => {}
    }
    Ok(kind)
}

/// The command that is sent once more: one of the same device which has come to its end.
async fn repeated(tx: &DatabaseTransaction, device: &device::Model, id: Option<&str>) -> Result<Option<CommandId>> {
    let Some(id) = id.filter(|id| !id.is_empty()) else { return Ok(None) };
    let unknown = || Error::field("repeats", "unknown");
    let id = CommandId::from_str(id).map_err(|_| unknown())?;
    let rows = Entity::find().filter(Column::Id.eq(id)).filter(Column::DeviceId.eq(device.id));
    let row = rows.filter(Column::TenantId.eq(device.tenant_id)).one(tx).await?.ok_or_else(unknown)?;
    if states::is_open(row.state) {
        return Err(Error::field("repeats", "still_open"));
    }
    Ok(Some(id))
}
