//! Commands to devices: what people do with them until their end. Who may send which says [`send`]; how they go out is the
//! business of [`dispatch`], what comes back that of [`replies`].

pub mod dispatch;
pub mod kinds;
pub mod replies;
pub mod restored;
pub mod routes;
mod send;
pub mod states;
pub mod waiting_vehicles;

use std::{str::FromStr, sync::Arc};

use armada_proto::{
    CommandId, DeviceId, TenantId, Timestamp, UserId, Violations,
    access::permission,
    v1::{
        CancelCommandRequest, Command, CommandInput, CommandKind, CommandKindList, CommandList, CommandReason,
        CommandState, ConsentCommandRequest, GetCommandKindsRequest, ListCommandsRequest, ResolveCommandRequest,
        SendCommandsRequest, SentCommandList, commands_server,
    },
};
use armada_runtime::{
    Bus, Caller, Code, Database, Error, Result, Scope, ServiceKey, acts,
    audit::{self, Act, Object},
    list::{List, Searched, Sort, among, among_ids},
    resource::{self, Acts, Resource, Row},
    resource_service,
};
use sea_orm::{ActiveModelTrait, ColumnTrait, DatabaseTransaction, IntoActiveModel, QueryFilter, Select};
use tokio::sync::Notify;
use tonic::{Request, Response, Status};

use crate::{
    entity::{
        command::{Column, Entity, Model},
        device,
    },
    identity::IdentityClient,
    members,
};

/// The RPCs.
#[derive(Clone)]
pub struct Commands {
    pub(crate) db: Database,
    pub(crate) bus: Bus,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    /// Which vehicles stand, as far as somebody has said it.
    pub(crate) waiting_vehicles: waiting_vehicles::WaitingVehicles,
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
            ("device_name", Sort::Plain(Column::NameFolded)),
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
        if let Some(to) = request.to {
            rows = rows.filter(Column::CreatedAt.lt(to.millis()));
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
        states::publish(&self.bus, &row).await;
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
