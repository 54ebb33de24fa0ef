//! What was completed of maintenance: when, where and for how much, with its papers. Completing one makes the next of it due,
//! an interval later, or ends it.

mod complete;
mod costs;
mod report;
mod reports;

use std::{slice::from_ref, sync::Arc};

use armada_proto::{
    DeviceId, MaintenanceId, Violations,
    v1::{
        BulkMaintenanceLogsRequest, ListMaintenanceLogsRequest, MaintenanceCosts, MaintenanceCostsRequest,
        MaintenanceLog, MaintenanceLogInput, MaintenanceLogList, maintenance_logs_server,
    },
};
use armada_runtime::{
    Caller, Database, Error, Jobs, Result, Scope, ServiceKey, acts,
    list::{List, Searched, Sort, among_ids},
    resource::{Acts, Resource, Row, tenant_of_new},
    resource_service,
};
use chrono_tz::Tz;
use sea_orm::{ColumnTrait, DatabaseTransaction, QueryFilter, Select};
use tokio::sync::Notify;
use tonic::{Request, Response, Status};

pub use self::reports::Reports;
use crate::{
    entity::maintenance_log::{Column, Entity, Model},
    files::attached::{self, Owner},
    identity::IdentityClient,
    members, today,
};

/// The RPCs.
#[derive(Clone)]
pub struct MaintenanceLogs {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    /// Wakes the watch over maintenance.
    pub(crate) changed: Arc<Notify>,
    /// Wakes whoever makes reports.
    pub(crate) completed: Arc<Notify>,
    /// Wakes the sweep of files.
    pub(crate) removed: Arc<Notify>,
    pub(crate) jobs: Jobs,
}

resource_service! {
    impl maintenance_logs_server::MaintenanceLogs, for MaintenanceLogs:
        List, Get, Create, Update, Delete, Export, Bulk(BulkMaintenanceLogsRequest);

    async fn costs(&self, request: Request<MaintenanceCostsRequest>) -> Result<Response<MaintenanceCosts>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.costs_of(&caller, request.into_inner()).await?))
    }
}

/// What must be known of the tenant of something that was completed.
#[derive(Clone)]
pub struct Tenant {
    zone: Tz,
    currency: String,
}

impl Default for Tenant {
    fn default() -> Self {
        Self { zone: Tz::UTC, currency: String::new() }
    }
}

impl Resource for MaintenanceLogs {
    type Entity = Entity;
    type Row = Model;
    type Message = MaintenanceLog;
    type Input = MaintenanceLogInput;
    type Request = ListMaintenanceLogsRequest;
    type List = MaintenanceLogList;
    type Prepared = Tenant;
    /// The files that it shall have, if they were named.
    type Effects = Option<String>;

    const ACTS: Acts = acts!("maintenance_log");
    const LIST: List<Column> = List {
        sortable: &[
            ("done_on", Sort::Plain(Column::DoneOn)),
            ("title", Sort::Plain(Column::NameFolded)),
            ("device_name", Sort::Plain(Column::DeviceNameFolded)),
            ("vendor", Sort::Plain(Column::VendorFolded)),
            ("cost", Sort::Plain(Column::Cost)),
            ("created_at", Sort::Plain(Column::CreatedAt)),
            ("updated_at", Sort::Plain(Column::UpdatedAt)),
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

    fn filter(&self, mut rows: Select<Entity>, request: &ListMaintenanceLogsRequest) -> Result<Select<Entity>> {
        if let Some(id) = request.device_id.as_ref().filter(|id| !id.is_empty()) {
            rows = among_ids::<_, DeviceId>(rows, Column::DeviceId, from_ref(id));
        }
        if let Some(id) = request.maintenance_id.as_ref().filter(|id| !id.is_empty()) {
            rows = among_ids::<_, MaintenanceId>(rows, Column::MaintenanceId, from_ref(id));
        }
        if let Some(day) = request.from.as_ref().filter(|day| !day.is_empty()) {
            rows = rows.filter(Column::DoneOn.gte(day));
        }
        if let Some(day) = request.until.as_ref().filter(|day| !day.is_empty()) {
            rows = rows.filter(Column::DoneOn.lte(day));
        }
        if let Some(is_late) = request.is_late {
            rows = rows.filter(Column::IsLate.eq(is_late));
        }
        Ok(rows)
    }

    async fn present(&self, tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<MaintenanceLog>> {
        let owner = |row: &Model| Owner::MaintenanceLog(row.id);
        let mut files = attached::of(tx, rows.iter().map(owner).collect()).await?;
        let message =
            |row: Model| MaintenanceLog { files: files.remove(&owner(&row)).unwrap_or_default(), ..row.into() };
        Ok(rows.into_iter().map(message).collect())
    }

    fn new_row(caller: &Caller, input: &MaintenanceLogInput, violations: &mut Violations) -> Option<Model> {
        tenant_of_new(caller, input.tenant_id.as_deref(), violations).map(Model::new)
    }

    fn check(&self, _: &Caller, before: Option<&Model>, input: &mut MaintenanceLogInput, violations: &mut Violations) {
        let Some(before) = before else { return };
        let own = before.maintenance_id.map(|id| id.to_string());
        if input.maintenance_id.is_some() && input.maintenance_id != own {
            violations.add("maintenance_id", "not_changeable");
        }
        if input.done_on.as_ref().is_some_and(String::is_empty) {
            violations.add("done_on", "required");
        }
    }

    async fn prepare(&self, _: &Caller, row: &Model, _: &mut MaintenanceLogInput) -> Result<Tenant> {
        let tenant = self.identity.named_tenant(&self.service_key, &row.tenant_id.to_string()).await?;
        Ok(Tenant { zone: tenant.time_zone.parse().unwrap_or(Tz::UTC), currency: tenant.currency })
    }

    async fn apply(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        before: Option<&Model>,
        row: &mut Model,
        mut input: MaintenanceLogInput,
        tenant: Tenant,
    ) -> Result<Option<String>> {
        let today = today::in_zone(tenant.zone).to_string();
        if input.done_on.as_ref().is_some_and(|day| *day > today) {
            return Err(Error::field("done_on", "in_future"));
        }
        let files = input.file_ids.take();
        if before.is_some() {
            members::must_be(tx, caller, row.device_id, members::MAINTAINERS).await?;
            row.apply(input);
        } else {
            row.currency = tenant.currency;
            complete::complete(tx, caller, row, input, tenant.zone).await?;
        }
        Ok(files)
    }

    async fn written(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        _: Option<&Model>,
        row: &mut Model,
        files: &mut Option<String>,
    ) -> Result<()> {
        match files {
            Some(ids) => attached::set(tx, caller, row.tenant_id, Owner::MaintenanceLog(row.id), ids).await,
            None => Ok(()),
        }
    }

    async fn removing(&self, tx: &DatabaseTransaction, caller: &Caller, row: &Model) -> Result<Option<String>> {
        members::must_be(tx, caller, row.device_id, members::MAINTAINERS).await?;
        attached::remove_all(tx, Owner::MaintenanceLog(row.id)).await?;
        Ok(None)
    }

    async fn committed(&self, _: Option<String>) {
        self.changed.notify_one();
        self.completed.notify_one();
        self.removed.notify_one();
    }
}
