//! Commands to devices: who may send which, and what people do with them until their end. How they go out is the business
//! of [`dispatch`], what comes back that of [`replies`].

pub mod dispatch;
pub mod kinds;
pub mod replies;
pub mod routes;
pub mod standing;
pub mod states;

use std::{str::FromStr, sync::Arc};

use armada_proto::{
    Choice, CommandId, DeviceId, TenantId, Timestamp, UserId, Validate, Violations,
    access::permission,
    v1::{
        CancelCommandRequest, Command, CommandInput, CommandKind, CommandKindList, CommandList, CommandReason,
        CommandState, ConsentCommandRequest, GetCommandKindsRequest, ListCommandsRequest, ResolveCommandRequest,
        SendCommandsRequest, SentCommand, SentCommandList, commands_server,
    },
};
use armada_runtime::{
    Bus, Caller, Code, Database, Error, Result, Scope, ServiceKey, acts,
    audit::{self, Act, Object},
    list::{List, Searched, Sort, among, among_ids},
    resource::{self, Acts, Resource, Row},
    resource_service,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect, Select,
};
use tokio::sync::Notify;
use tonic::{Request, Response, Status};

use crate::{
    entity::{
        command::{Column, Entity, Model},
        device,
    },
    members,
    people::People,
};

/// How long a command may wait unless somebody says otherwise, in seconds.
const USUALLY_WAITS: u32 = 24 * 3600;

/// The RPCs.
#[derive(Clone)]
pub struct Commands {
    pub(crate) db: Database,
    pub(crate) bus: Bus,
    pub(crate) people: People,
    pub(crate) service_key: ServiceKey,
    /// Which vehicles stand, as far as somebody has said it.
    pub(crate) standing: standing::Standing,
    /// Wakes the dispatch.
    pub(crate) queued: Arc<Notify>,
}

resource_service! {
    impl commands_server::Commands, for Commands: List, Get, Export;

    async fn create(&self, request: Request<CommandInput>) -> Result<Response<Command>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.send_one(&caller, request.into_inner()).await?))
    }

    async fn send(&self, request: Request<SendCommandsRequest>) -> Result<Response<SentCommandList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.send_to_each(&caller, request.into_inner()).await?))
    }

    async fn consent(&self, request: Request<ConsentCommandRequest>) -> Result<Response<Command>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.decide_consent(&caller, request.into_inner()).await?))
    }

    async fn cancel(&self, request: Request<CancelCommandRequest>) -> Result<Response<Command>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.take_back(&caller, request.into_inner()).await?))
    }

    async fn resolve(&self, request: Request<ResolveCommandRequest>) -> Result<Response<Command>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.decide_outcome(&caller, request.into_inner()).await?))
    }

    async fn kinds(&self, request: Request<GetCommandKindsRequest>) -> Result<Response<CommandKindList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.kinds_for(&caller, &request.into_inner().id).await?))
    }
}

#[async_trait::async_trait]
impl Resource for Commands {
    type Entity = Entity;
    type Row = Model;
    type Message = Command;
    type Input = CommandInput;
    type Request = ListCommandsRequest;
    type List = CommandList;
    type Prepared = ();
    type Effects = ();

    const ACTS: Acts = acts!("command");
    const LIST: List<Column> = List {
        sortable: &[
            ("created_at", Sort::Plain(Column::CreatedAt)),
            ("expires_at", Sort::Plain(Column::ExpiresAt)),
            ("device", Sort::Plain(Column::NameFolded)),
            ("kind", Sort::Plain(Column::Kind)),
            ("state", Sort::Plain(Column::State)),
        ],
        searched: Searched::Indexed(Column::Search),
        id: Column::Id,
    };

    fn db(&self) -> &Database {
        &self.db
    }

    fn visible(caller: &Caller, scope: Scope) -> Select<Entity> {
        Entity::visible_to(caller, scope)
    }

    fn filter(&self, rows: Select<Entity>, request: &ListCommandsRequest) -> Result<Select<Entity>> {
        let rows = among_ids::<_, DeviceId>(rows, Column::DeviceId, &request.device_ids);
        let rows = among_ids::<_, UserId>(rows, Column::UserId, &request.user_ids);
        let rows = among::<_, CommandKind>(rows, Column::Kind, request.kinds.iter().copied());
        let mut rows = among::<_, CommandState>(rows, Column::State, request.states.iter().copied());
        if let Some(from) = request.from {
            rows = rows.filter(Column::CreatedAt.gte(from.millis()));
        }
        if let Some(until) = request.until {
            rows = rows.filter(Column::CreatedAt.lt(until.millis()));
        }
        Ok(rows)
    }

    /// Commands are made by [`Commands::send_one`]: to whom one belongs, its device says.
    fn new_row(_: &Caller, _: &CommandInput, violations: &mut Violations) -> Option<Model> {
        violations.add("device_id", "required");
        None
    }
}

impl Commands {
    async fn send_one(&self, caller: &Caller, mut input: CommandInput) -> Result<Command> {
        let kind = checked(caller, &mut input)?;
        let unknown = Error::not_found;
        let id = DeviceId::from_str(&input.device_id).map_err(|_| unknown())?;
        let tx = self.db.read(&caller.scope()).await?;
        let seen = device::Entity::visible_to(caller, caller.scope()).filter(device::Column::Id.eq(id));
        let device = seen.one(&tx).await?.ok_or_else(unknown)?;
        if !kinds::of(&tx, &device).await?.contains(&kind) {
            return Err(Error::field("kind", "unsupported_by_protocol"));
        }
        drop(tx);
        let needs_consent = kind == CommandKind::EngineStop && self.asks_for_consent(device.tenant_id).await?;
        if let Some(stood_at) = input.stood_at {
            self.standing.note(device.id, stood_at, true);
        }
        let tx = self.db.write(&Scope::Tenant(device.tenant_id)).await?;
        let row = self.insert(&tx, caller, id, input, needs_consent).await?;
        let sent = Command::from(row.clone());
        record(&tx, caller, permission::COMMAND_SEND, None, &sent, row.tenant_id).await?;
        tx.commit().await?;
        self.queued.notify_one();
        states::tell(&self.bus, &row).await;
        Ok(sent)
    }

    async fn insert(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        device: DeviceId,
        input: CommandInput,
        needs_consent: bool,
    ) -> Result<Model> {
        let devices = device::Entity::visible_to(caller, caller.scope()).filter(device::Column::Id.eq(device));
        // Or it could be removed before the command is there.
        let device = devices.lock_shared().one(tx).await?.ok_or_else(Error::not_found)?;
        members::must_be(tx, caller, device.id, members::MAINTAINERS).await?;
        let waits = i64::from(input.expires_in_seconds.unwrap_or(USUALLY_WAITS)) * 1000;
        let mut row = Model::new(device.tenant_id);
        row.repeats = repeated(tx, &device, input.repeats.as_deref()).await?;
        row.state = if needs_consent { CommandState::AwaitingConsent } else { CommandState::Queued };
        row.user_id = caller.user()?.user_id;
        row.expires_at = row.created_at + waits;
        (row.device_id, row.name, row.imei) = (device.id, device.name, device.imei);
        row.apply(input);
        Ok(row.into_active_model().insert(tx).await?)
    }

    async fn asks_for_consent(&self, tenant: TenantId) -> Result<bool> {
        let tenant = self.people.named_tenant(&self.service_key, &tenant.to_string()).await?;
        Ok(tenant.engine_stop_consent)
    }

    /// Each as if it were alone: what is wrong with one keeps nothing from the others.
    async fn send_to_each(&self, caller: &Caller, mut request: SendCommandsRequest) -> Result<SentCommandList> {
        request.validate().check()?;
        let mut input = request.command.unwrap_or_default();
        checked(caller, &mut input)?;
        let mut sent = SentCommandList::default();
        for device_id in request.device_ids {
            let item = match self.send_one(caller, CommandInput { device_id: device_id.clone(), ..input.clone() }).await
            {
                Ok(command) => SentCommand { device_id, command: Some(command), error: String::new() },
                Err(error) => SentCommand { device_id, command: None, error: error.code },
            };
            if item.command.is_some() {
                sent.succeeded += 1
            } else {
                sent.failed += 1
            }
            sent.items.push(item);
        }
        Ok(sent)
    }

    async fn decide_consent(&self, caller: &Caller, request: ConsentCommandRequest) -> Result<Command> {
        let user = caller.user()?.user_id;
        self.decide(caller, (&request.id, request.row_version), permission::COMMAND_CONSENT, |row| {
            if row.user_id == user {
                return Err(Error::new(Code::Conflict, "own_command", "Somebody else has to agree."));
            }
            states::must_be(row, &[CommandState::AwaitingConsent])?;
            row.state = if request.agrees { CommandState::Queued } else { CommandState::Cancelled };
            if !request.agrees {
                row.state_reason = CommandReason::ConsentRefused;
            }
            Ok(())
        })
        .await
    }

    async fn take_back(&self, caller: &Caller, request: CancelCommandRequest) -> Result<Command> {
        self.decide(caller, (&request.id, request.row_version), "command:cancel", |row| {
            states::must_be(row, &[CommandState::AwaitingConsent, CommandState::Queued])?;
            row.state = CommandState::Cancelled;
            row.state_reason = CommandReason::Unspecified;
            Ok(())
        })
        .await
    }

    async fn decide_outcome(&self, caller: &Caller, request: ResolveCommandRequest) -> Result<Command> {
        self.decide(caller, (&request.id, request.row_version), "command:resolve", |row| {
            states::must_be(row, &[CommandState::Unknown])?;
            (row.state, row.state_reason) = match request.carried_out {
                true => (CommandState::Acknowledged, CommandReason::Unspecified),
                false => (CommandState::Failed, CommandReason::NotCarriedOut),
            };
            Ok(())
        })
        .await
    }

    /// Does what a person decides of a command, whoever else decides at the same moment.
    async fn decide(
        &self,
        caller: &Caller,
        (id, row_version): (&str, Option<i32>),
        act: &'static str,
        change: impl FnOnce(&mut Model) -> Result<()>,
    ) -> Result<Command> {
        let id = CommandId::from_str(id).map_err(|_| Error::not_found())?;
        let tx = self.db.write(&caller.scope()).await?;
        let before = resource::locked(self, &tx, caller, id.into(), row_version).await?;
        members::must_be(&tx, caller, before.device_id, members::MAINTAINERS).await?;
        let mut row = before.clone();
        change(&mut row)?;
        row.decided_by = Some(caller.user()?.user_id);
        row.touch(Timestamp::now());
        let row = row.into_active_model().reset_all().update(&tx).await?;
        let is = Command::from(row.clone());
        record(&tx, caller, act, Some(&before.into()), &is, row.tenant_id).await?;
        tx.commit().await?;
        self.queued.notify_one();
        states::tell(&self.bus, &row).await;
        Ok(is)
    }

    async fn kinds_for(&self, caller: &Caller, id: &str) -> Result<CommandKindList> {
        let id = DeviceId::from_str(id).map_err(|_| Error::not_found())?;
        let tx = self.db.read(&caller.scope()).await?;
        let devices = device::Entity::visible_to(caller, caller.scope()).filter(device::Column::Id.eq(id));
        let device = devices.one(&tx).await?.ok_or_else(Error::not_found)?;
        let items = kinds::of(&tx, &device).await?.iter().map(|kind| (*kind).into()).collect();
        drop(tx);
        Ok(CommandKindList { items, engine_stop_consent: self.asks_for_consent(device.tenant_id).await? })
    }
}

/// What kind of command it is, if nothing is wrong with it as far as it can be told by itself. Arguments of other kinds
/// are dropped.
fn checked(caller: &Caller, input: &mut CommandInput) -> Result<CommandKind> {
    let mut violations = input.validate();
    let kind = input.kind.and_then(CommandKind::specified);
    let Some(kind) = kind else {
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
    let row = rows.one(tx).await?.ok_or_else(unknown)?;
    if states::is_open(row.state) {
        return Err(Error::field("repeats", "still_open"));
    }
    Ok(Some(id))
}

async fn record(
    tx: &DatabaseTransaction,
    caller: &Caller,
    act: &'static str,
    before: Option<&Command>,
    after: &Command,
    tenant: TenantId,
) -> Result<()> {
    let object = Object::new("command", &after.id, &after.name);
    let change = audit::changes(before, Some(after));
    audit::record(tx, caller, Act { act, tenant: Some(tenant), object, change }).await
}
