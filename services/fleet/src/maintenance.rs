//! Maintenance of vehicles, by date or meter, whichever comes first: who sees a vehicle sees its maintenance, and its owner
//! and technicians change it. How one stands follows from what day it is for its tenant and from what the meters of its
//! vehicle show.

pub mod dues;
mod emails;
mod mails;
mod plan;
mod states;
pub mod vehicles;
mod watch;
mod words;

use std::{slice::from_ref, sync::Arc};

use armada_proto::{
    DeviceId, Violations,
    v1::{
        BulkMaintenanceRequest, DeleteRequest, Empty, GetRequest, ImportMaintenanceRequest, Job,
        ListMaintenanceRequest, Maintenance, MaintenanceInput, MaintenanceList, MaintenancePlanRequest,
        MaintenanceState, MaintenanceSummary, MaintenanceWords, MaintenanceWordsRequest, maintenances_server,
    },
};
use armada_runtime::{
    Caller, Code, Database, Error, Jobs, Result, Scope, ServiceKey, acts,
    list::{List, Searched, Sort, among_ids},
    resource::{self, Acts, ListStream, Resource, Row, tenant_of_new},
    text,
};
use chrono_tz::Tz;
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect, QueryTrait, Select,
};
use serde_json::{Map, Value};
use tokio::sync::Notify;
use tonic::{Request, Response, Status};

pub use self::{mails::Mails, watch::Watch};
use crate::{
    devices::groups,
    entity::{
        device,
        maintenance::{AT_ONCE, Column, Entity, Model, NEVER, UNKNOWN},
    },
    identity::IdentityClient,
    members,
    today::Today,
};

/// The RPCs.
#[derive(Clone)]
pub struct Maintenances {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    /// Wakes the watch.
    pub(crate) changed: Arc<Notify>,
    pub(crate) jobs: Jobs,
    /// As it was found out for the request that is answered.
    pub(crate) today: Arc<Today>,
}

impl Maintenances {
    /// The same for one request, which knows what day it is for whoever asks.
    async fn now<T>(&self, request: Request<T>) -> Result<(Self, Caller, T)> {
        let caller = Caller::of(&request)?;
        Ok((self.now_for(caller.scope()).await?, caller, request.into_inner()))
    }

    async fn now_for(&self, scope: Scope) -> Result<Self> {
        let today = Today::of(&self.identity, &self.service_key, scope).await?;
        Ok(Self { today: Arc::new(today), ..self.clone() })
    }

    /// How much of the maintenance of a list stands how.
    async fn counted(&self, caller: &Caller, request: ListMaintenanceRequest) -> Result<MaintenanceSummary> {
        let (scope, rows) = resource::matching(self, caller, request).await?;
        let tx = self.db.read(&scope).await?;
        let count = async |state| {
            let count = rows.clone().filter(states::is(&self.today, state)).count(&tx).await?;
            Ok::<_, Error>(u32::try_from(count).unwrap_or(u32::MAX))
        };
        let mut summary = MaintenanceSummary {
            total: 0,
            scheduled: count(MaintenanceState::Scheduled).await?,
            due_soon: count(MaintenanceState::DueSoon).await?,
            due: count(MaintenanceState::Due).await?,
            overdue: count(MaintenanceState::Overdue).await?,
            paused: count(MaintenanceState::Paused).await?,
            done: count(MaintenanceState::Done).await?,
            unsent_emails: if caller.is_admin() { mails::refused(&tx, scope).await? } else { 0 },
        };
        summary.total =
            [summary.scheduled, summary.due_soon, summary.due, summary.overdue, summary.paused, summary.done]
                .into_iter()
                .fold(0, u32::saturating_add);
        Ok(summary)
    }
}

/// The time zone of a tenant.
#[derive(Clone, Copy)]
pub struct Zone(Tz);

impl Default for Zone {
    fn default() -> Self {
        Self(Tz::UTC)
    }
}

type Answer<T> = Result<Response<T>, Status>;

impl maintenances_server::Maintenances for Maintenances {
    type ExportStream = ListStream<Self>;

    async fn list(&self, request: Request<ListMaintenanceRequest>) -> Answer<MaintenanceList> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(resource::list(&this, &caller, request).await?))
    }

    async fn get(&self, request: Request<GetRequest>) -> Answer<Maintenance> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(resource::get(&this, &caller, &request.id).await?))
    }

    async fn summary(&self, request: Request<ListMaintenanceRequest>) -> Answer<MaintenanceSummary> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(this.counted(&caller, request).await?))
    }

    async fn words(&self, request: Request<MaintenanceWordsRequest>) -> Answer<MaintenanceWords> {
        let caller = Caller::of(&request)?;
        let scope = caller.narrow(request.into_inner().tenant_id.as_deref().filter(|id| !id.is_empty()))?;
        let tx = self.db.read(&scope).await?;
        Ok(Response::new(words::of(&tx, Entity::visible_to(&caller, scope)).await?))
    }

    async fn create(&self, request: Request<MaintenanceInput>) -> Answer<Maintenance> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(resource::create(&this, &caller, request).await?))
    }

    async fn plan(&self, request: Request<MaintenancePlanRequest>) -> Answer<Job> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(this.start_plan(caller, request).await?))
    }

    async fn update(&self, request: Request<MaintenanceInput>) -> Answer<Maintenance> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(resource::update(&this, &caller, request).await?))
    }

    async fn delete(&self, request: Request<DeleteRequest>) -> Answer<Empty> {
        let (this, caller, request) = self.now(request).await?;
        resource::delete(&this, &caller, request).await?;
        Ok(Response::new(Empty {}))
    }

    async fn bulk(&self, request: Request<BulkMaintenanceRequest>) -> Answer<Job> {
        let this = self.now_for(Caller::of(&request)?.scope()).await?;
        self.jobs.bulk(&this, request).await
    }

    async fn import(&self, request: Request<ImportMaintenanceRequest>) -> Answer<Job> {
        let this = self.now_for(Caller::of(&request)?.scope()).await?;
        self.jobs.import(&this, request).await
    }

    async fn export(&self, request: Request<ListMaintenanceRequest>) -> Answer<Self::ExportStream> {
        let (this, caller, request) = self.now(request).await?;
        Ok(Response::new(resource::export(&this, &caller, request).await?))
    }
}

impl Resource for Maintenances {
    type Entity = Entity;
    type Row = Model;
    type Message = Maintenance;
    type Input = MaintenanceInput;
    type Request = ListMaintenanceRequest;
    type List = MaintenanceList;
    type Prepared = Zone;
    type Effects = ();

    const ACTS: Acts = acts!("maintenance");
    const LIST: List<Column> = List {
        sortable: &[
            ("expected_on", Sort::Plain(Column::ExpectedOn)),
            ("title", Sort::Plain(Column::NameFolded)),
            ("device_name", Sort::Plain(Column::DeviceNameFolded)),
            ("status", Sort::Plain(Column::StatusFolded)),
            ("priority", Sort::Plain(Column::PriorityFolded)),
            ("due_date", Sort::Plain(Column::DueOn)),
            ("due_odometer", Sort::Plain(Column::DueM)),
            ("created_at", Sort::Plain(Column::CreatedAt)),
            ("updated_at", Sort::Plain(Column::UpdatedAt)),
        ],
        searched: Searched::Indexed(Column::Search),
        id: Column::Id,
    };

    /// What is done is made done by its completion alone: anew it would be overdue.
    fn wanted_again(before: Map<String, Value>) -> Option<Map<String, Value>> {
        Some(before).filter(|before| before.get("state").is_none_or(|state| state != "done"))
    }

    fn db(&self) -> &Database {
        &self.db
    }

    fn visible(caller: &Caller, scope: Scope) -> Select<Entity> {
        Entity::visible_to(caller, scope)
    }

    async fn expand(&self, scope: &Scope, request: &mut ListMaintenanceRequest) -> Result<()> {
        groups::expand(&self.db, scope, &mut request.group_ids).await
    }

    fn filter(&self, rows: Select<Entity>, request: &ListMaintenanceRequest) -> Result<Select<Entity>> {
        let mut rows = with_words(rows, Column::StatusFolded, &request.statuses);
        rows = with_words(rows, Column::PriorityFolded, &request.priorities);
        if let Some(id) = request.device_id.as_ref().filter(|id| !id.is_empty()) {
            rows = among_ids::<_, DeviceId>(rows, Column::DeviceId, from_ref(id));
        }
        if let Some(day) = request.expected_from.as_ref().filter(|day| !day.is_empty()) {
            rows = rows.filter(Column::ExpectedOn.gte(day)).filter(Column::ExpectedOn.ne(NEVER));
        }
        if let Some(day) = request.expected_until.as_ref().filter(|day| !day.is_empty()) {
            rows = rows.filter(Column::ExpectedOn.lte(day));
        }
        if !request.group_ids.is_empty() {
            let devices = device::Entity::find().select_only().column(device::Column::Id);
            let devices = devices.filter(groups::is_in_any(groups::parsed(&request.group_ids)));
            rows = rows.filter(Column::DeviceId.in_subquery(devices.into_query()));
        }
        Ok(match states::is_any(&self.today, &request.states) {
            Some(condition) => rows.filter(condition),
            None => rows,
        })
    }

    async fn present(&self, _: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<Maintenance>> {
        let message = |row: Model| {
            let shown = |figure: i64, unit: i64| (figure != UNKNOWN).then_some(figure as f64 / unit as f64);
            Maintenance {
                state: states::of(&row, self.today.of_tenant(row.tenant_id)).into(),
                expected_on: if row.expected_on == NEVER { String::new() } else { row.expected_on.clone() },
                odometer: shown(row.odometer_m, dues::KILOMETRE),
                engine_hours: shown(row.engine_s, dues::HOUR),
                ..row.into()
            }
        };
        Ok(rows.into_iter().map(message).collect())
    }

    fn new_row(caller: &Caller, input: &MaintenanceInput, violations: &mut Violations) -> Option<Model> {
        tenant_of_new(caller, input.tenant_id.as_deref(), violations).map(Model::new)
    }

    fn check(&self, _: &Caller, before: Option<&Model>, input: &mut MaintenanceInput, violations: &mut Violations) {
        let is_other = |row: &Model| input.device_id.as_ref().is_some_and(|id| *id != row.device_id.to_string());
        if before.is_some_and(is_other) {
            violations.add("device_id", "not_changeable");
        }
        emails::check(input, violations);
    }

    /// The specification has a sentence for each of what a maintenance cannot do without.
    fn refusal(violations: Violations) -> Error {
        let is_missing = |field: &str| violations.iter().any(|(name, code)| name == field && code == "required");
        let sentence = match (is_missing("title"), is_missing("device_id")) {
            (true, _) => Some(("maintenance_title_required", "Title is required.")),
            (false, true) => Some(("maintenance_device_required", "Device ID is required.")),
            _ => None,
        };
        let error = Error::from(violations);
        match sentence {
            Some((code, sentence)) => Error { fields: error.fields, ..Error::new(Code::Invalid, code, sentence) },
            None => error,
        }
    }

    async fn prepare(&self, _: &Caller, row: &Model, _: &mut MaintenanceInput) -> Result<Zone> {
        let zone = self.identity.time_zone(&self.service_key, row.tenant_id).await?;
        zone.map(Zone).ok_or_else(|| Error::field("tenant_id", "unknown"))
    }

    async fn apply(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        before: Option<&Model>,
        row: &mut Model,
        input: MaintenanceInput,
        Zone(zone): Zone,
    ) -> Result<()> {
        if before.is_none() {
            let scope = Scope::Tenant(row.tenant_id);
            let device = vehicles::named(tx, caller, scope, input.device_id.as_deref()).await?;
            row.device_id = device.id;
            (row.device_name, row.vehicle_code) = (device.name, device.vehicle_code);
        }
        members::must_be(tx, caller, row.device_id, members::MAINTAINERS).await?;
        row.apply(input);
        let has_other_limits = before.is_none_or(|before| limits(before) != limits(row));
        if has_other_limits {
            row.is_done = false;
        }
        let facts = dues::Facts::of(tx, row.device_id, zone).await?;
        dues::settle(row, &facts);
        if has_other_limits {
            reset_notifications(row);
        }
        check_now(row);
        Ok(())
    }

    async fn removing(&self, tx: &DatabaseTransaction, caller: &Caller, row: &Model) -> Result<()> {
        members::must_be(tx, caller, row.device_id, members::MAINTAINERS).await?;
        vehicles::detach_logs(tx, row).await
    }

    async fn committed(&self, (): ()) {
        self.changed.notify_one();
    }
}

/// From now on its states are told anew.
pub fn reset_notifications(row: &mut Model) {
    row.occurrence += 1;
    row.announced = 0;
}

/// Somebody may have to be told of it now.
pub fn check_now(row: &mut Model) {
    row.next_look_on = if row.is_open() { AT_ONCE.to_owned() } else { String::new() };
}

/// What somebody has set of when it is due.
fn limits(row: &Model) -> (i32, &str, i32, i32) {
    (row.trigger_mode as i32, &row.due_date, row.due_odometer, row.due_engine_hours)
}

/// Of these rows those of which a text is one of these words, however they are written; all when there is none.
fn with_words(rows: Select<Entity>, column: Column, words: &[String]) -> Select<Entity> {
    if words.is_empty() { rows } else { rows.filter(column.is_in(words.iter().map(|word| text::sort_key(word)))) }
}
