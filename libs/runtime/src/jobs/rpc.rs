//! `Jobs` as services serve it.

use armada_proto::{
    Paging, ResourceList, Validate,
    v1::{
        ImportReport, Job, JobItemList, JobItemStatus, JobList, JobRequest, JobStatus, ListJobItemsRequest,
        ListJobsRequest,
        jobs_server::{self, JobsServer},
    },
};
use sea_orm::{
    ColumnTrait, Condition, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect, Select, sea_query::ExprTrait,
};
use tonic::{Request, Response};
use uuid::Uuid;

use super::{
    Jobs,
    entity::{item, job},
};
use crate::{
    auth::Caller,
    error::{Error, Result},
    list::{List, ListQuery, Searched, Sort, among},
};

/// How jobs are listed.
const JOBS: List<job::Column> = List {
    sortable: &[("created_at", Sort::Plain(job::Column::CreatedAt))],
    searched: Searched::Scanned(job::Column::Resource),
    id: job::Column::Id,
};

/// How their items are.
const ITEMS: List<item::Column> = List {
    sortable: &[("position", Sort::Plain(item::Column::Position))],
    searched: Searched::Scanned(item::Column::Name),
    id: item::Column::Position,
};

/// The jobs of several services: a request names one of them.
pub(crate) struct ByService(Vec<Jobs>);

/// What answers for the jobs of these services.
pub(crate) fn server(services: Vec<Jobs>) -> JobsServer<ByService> {
    JobsServer::new(ByService(services))
}

impl ByService {
    fn of(&self, service: &str) -> Result<&Jobs> {
        self.0.iter().find(|jobs| jobs.service == service).ok_or_else(Error::not_found)
    }
}

type Answer<T> = std::result::Result<Response<T>, tonic::Status>;

impl jobs_server::Jobs for ByService {
    async fn list(&self, request: Request<ListJobsRequest>) -> Answer<JobList> {
        let caller = Caller::of(&request)?;
        let request = request.into_inner();
        Ok(Response::new(self.of(&request.service)?.page(&caller, request).await?))
    }

    async fn get(&self, request: Request<JobRequest>) -> Answer<Job> {
        let caller = Caller::of(&request)?;
        let request = request.into_inner();
        Ok(Response::new(self.of(&request.service)?.one(&caller, &request.id).await?))
    }

    async fn list_items(&self, request: Request<ListJobItemsRequest>) -> Answer<JobItemList> {
        let caller = Caller::of(&request)?;
        let request = request.into_inner();
        Ok(Response::new(self.of(&request.service)?.page_of_items(&caller, request).await?))
    }

    async fn undo(&self, request: Request<JobRequest>) -> Answer<Job> {
        let caller = Caller::of(&request)?;
        let request = request.into_inner();
        Ok(Response::new(self.of(&request.service)?.undo(&caller, &request.id).await?))
    }

    async fn get_import_report(&self, request: Request<JobRequest>) -> Answer<ImportReport> {
        let caller = Caller::of(&request)?;
        let request = request.into_inner();
        Ok(Response::new(self.of(&request.service)?.report(&caller, &request.id).await?))
    }

    async fn cancel(&self, request: Request<JobRequest>) -> Answer<Job> {
        let caller = Caller::of(&request)?;
        let request = request.into_inner();
        let jobs = self.of(&request.service)?;
        Ok(Response::new(jobs.message(jobs.stop(&caller, &request.id).await?)))
    }
}

impl Jobs {
    async fn page(&self, caller: &Caller, mut request: ListJobsRequest) -> Result<JobList> {
        request.validate().check()?;
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        let mut rows = job::Entity::visible_to(caller);
        if let Some(tenant) = scope.tenant() {
            rows = rows.filter(job::Column::TenantId.eq(tenant));
        }
        let rows = in_states(rows, &request.statuses);
        let query = ListQuery {
            page: request.page,
            page_size: request.page_size,
            sort: "-created_at",
            after: &request.after,
            ..ListQuery::default()
        };
        let tx = self.db.read(&scope).await?;
        let (rows, paging) = JOBS.fetch(&tx, rows, query).await?;
        Ok(JobList::new(rows.into_iter().map(|job| self.message(job)).collect(), paging))
    }

    async fn one(&self, caller: &Caller, id: &str) -> Result<Job> {
        let tx = self.db.read(&caller.scope()).await?;
        Ok(self.message(self.find(&tx, caller, id).await?))
    }

    /// A job that the caller sees.
    pub(super) async fn find(&self, tx: &DatabaseTransaction, caller: &Caller, id: &str) -> Result<job::Model> {
        let found = job::Entity::visible_to(caller).filter(job::Column::Id.eq(id_of(id)?)).one(tx).await?;
        found.ok_or_else(Error::not_found)
    }

    /// The same, whose row nobody else changes meanwhile.
    pub(super) async fn find_locked(&self, tx: &DatabaseTransaction, caller: &Caller, id: &str) -> Result<job::Model> {
        let found = job::Entity::visible_to(caller).filter(job::Column::Id.eq(id_of(id)?));
        found.lock_exclusive().one(tx).await?.ok_or_else(Error::not_found)
    }

    async fn page_of_items(&self, caller: &Caller, mut request: ListJobItemsRequest) -> Result<JobItemList> {
        request.validate().check()?;
        let tx = self.db.read(&caller.scope()).await?;
        let job = self.find(&tx, caller, &request.id).await?;
        let rows = item::Entity::find().filter(item::Column::JobId.eq(job.id));
        let rows = among::<_, JobItemStatus>(rows, item::Column::Status, request.statuses.iter().copied());
        let (page, page_size, after) = (request.page, request.page_size, request.after.as_str());
        let query = ListQuery { page, page_size, after, ..ListQuery::default() };
        let (rows, Paging { total, more_than_total, next }) = ITEMS.fetch(&tx, rows, query).await?;
        Ok(JobItemList {
            items: rows.into_iter().map(item::Model::into_message).collect(),
            total,
            more_than_total,
            next,
            resource: job.resource,
        })
    }
}

/// Of these jobs those in one of these states, all if none is asked for. One that waits for its next turn is running.
fn in_states(rows: Select<job::Entity>, states: &[i32]) -> Select<job::Entity> {
    use job::Column;
    let states: Vec<_> = states.iter().filter_map(|state| JobStatus::try_from(*state).ok()).collect();
    if states.is_empty() {
        return rows;
    }
    let is = states.iter().map(|state| match state {
        JobStatus::Queued => Column::Status.eq(*state).and(Column::StartedAt.is_null()),
        JobStatus::Running => {
            Column::Status.eq(*state).or(Column::Status.eq(JobStatus::Queued).and(Column::StartedAt.is_not_null()))
        }
        state => Column::Status.eq(*state),
    });
    rows.filter(is.fold(Condition::any(), Condition::add))
}

fn id_of(text: &str) -> Result<Uuid> {
    Uuid::try_parse(text).map_err(|_| Error::not_found())
}
