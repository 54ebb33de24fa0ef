//! Imports: each row of a file becomes an item, with what it shall be as its request. They are tried out, or done, or done
//! when nothing is wrong with any of them. Rows with which the reader of the file found something wrong are tried as well, so
//! that all that is wrong with them is told at once.

use std::collections::{HashMap, HashSet};

use armada_proto::{
    ResourceInput, TenantId,
    import::{ImportRequest, Rows},
    v1::{self, ErrorDetail, ImportMode, ImportReport, ImportRowError, Job, JobItemStatus},
};
use prost::Message;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use tonic::{Request, Response, Status};

use super::{
    Jobs,
    beginning::JobSpec,
    entity::{Trial, item},
    targets::{self, Own, Target},
};
use crate::{
    auth::{self, Caller},
    error::{Error, Result},
    resource::Resource,
};

/// Rows of one file.
pub const ROWS_MAX: usize = 10_000;
/// Errors that a report tells.
const ERRORS_MAX: u64 = 500;
/// The kind of these jobs, and what they do.
const KIND: &str = "import";

impl Jobs {
    /// Starts a job that tries out or takes in the rows of a file.
    pub async fn import<R, I>(&self, resource: &R, request: Request<I>) -> std::result::Result<Response<Job>, Status>
    where
        R: Resource,
        I: ImportRequest<Input = R::Input>,
    {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.take_rows::<R, I>(resource, &caller, request.into_inner()).await?))
    }

    async fn take_rows<R, I>(&self, resource: &R, caller: &Caller, request: I) -> Result<Job>
    where
        R: Resource,
        I: ImportRequest<Input = R::Input>,
    {
        let user = caller.user()?.user_id;
        let (rows, mode) = request.into_parts();
        if [I::CREATE, I::UPDATE, I::DELETE].into_iter().all(|method| auth::may_call(method, caller).is_err()) {
            return Err(Error::forbidden());
        }
        // Who asks with nothing wants to know whether they may.
        if mode == ImportMode::DryRun && count(&rows) == 0 {
            return Ok(Job::default());
        }
        check(&rows, mode)?;
        let (changes, creates): (Vec<_>, Vec<_>) = rows.rows.iter().partition(|row| !row.id().is_empty());
        let wanted = [(I::CREATE, creates.len()), (I::UPDATE, changes.len()), (I::DELETE, rows.deleted_ids.len())];
        for (method, _) in wanted.into_iter().filter(|(_, count)| *count > 0) {
            auth::may_call(method, caller)?;
        }
        let trial = match mode {
            ImportMode::DryRun => Some(Trial::Alone),
            ImportMode::All => Some(Trial::First),
            ImportMode::Valid | ImportMode::Unspecified => None,
        };
        let tenants = tenants(resource, caller, &rows).await?;
        let items = items::<I>(caller.scope().tenant(), tenants, rows);
        let resource = R::ACTS.kind;
        let act =
            JobSpec { kind: KIND, resource, action: KIND, method: I::CREATE, request: Vec::new(), trial, undoes: None };
        self.begin(caller, user, act, items).await
    }

    /// What came of the rows of a file, as far as their job is.
    pub(super) async fn report(&self, caller: &Caller, id: &str) -> Result<ImportReport> {
        let tx = self.db.read(&caller.scope()).await?;
        let job = self.find(&tx, caller, id).await?;
        if job.kind != KIND {
            return Err(Error::not_found());
        }
        let done = item::Entity::find()
            .select_only()
            .column(item::Column::Method)
            .column_as(item::Column::Position.count(), "count")
            .filter(item::Column::JobId.eq(job.id))
            .filter(item::Column::Status.eq(JobItemStatus::Done))
            .group_by(item::Column::Method);
        let mut report = ImportReport { failed: job.failed.unsigned_abs(), ..ImportReport::default() };
        for (method, count) in done.into_tuple::<(Option<String>, i64)>().all(&tx).await? {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            match method.as_deref().and_then(|path| path.rsplit('/').next()) {
                Some("Update") => report.updates = count,
                Some("Delete") => report.deletes = count,
                _ => report.creates = count,
            }
        }
        let failed = item::Entity::find()
            .filter(item::Column::JobId.eq(job.id))
            .filter(item::Column::Status.eq(JobItemStatus::Failed))
            .order_by_asc(item::Column::Position)
            .limit(ERRORS_MAX);
        report.errors = failed.all(&tx).await?.into_iter().map(row_error).collect();
        report.errors.sort_by_key(|error| error.row);
        Ok(report)
    }
}

/// How many rows there are: what is known to be wrong may be among those that can be tried.
fn count<I>(rows: &Rows<I>) -> usize {
    let tried: HashSet<_> = rows.numbers.iter().collect();
    rows.numbers.len() + rows.wrong_rows.iter().filter(|wrong| !tried.contains(&wrong.row)).count()
}

fn check<I>(rows: &Rows<I>, mode: ImportMode) -> Result<()> {
    match count(rows) {
        0 => Err(Error::field("rows", "required")),
        count if count > ROWS_MAX => Err(Error::field("rows", "too_many")),
        _ if rows.numbers.len() != rows.rows.len() + rows.deleted_ids.len() => Err(Error::field("numbers", "invalid")),
        _ if mode == ImportMode::Unspecified => Err(Error::field("mode", "required")),
        _ => Ok(()),
    }
}

fn row_error(item: item::Model) -> ImportRowError {
    let ErrorDetail { code, message, fields, conflicting, limit, values, proposals, .. } =
        item.detail().unwrap_or_default();
    let row = item.item_id.parse().unwrap_or_default();
    let [fields, values, proposals] = [fields, values, proposals].map(|map| map.into_iter().collect());
    ImportRowError { row, name: item.name, error: code, message, fields, conflicting, limit, values, proposals }
}

/// Whose each row is, in their order and then those that are removed: of a platform owner's rows those of any tenant.
async fn tenants<R: Resource>(resource: &R, caller: &Caller, rows: &Rows<R::Input>) -> Result<Vec<Option<TenantId>>> {
    let own = caller.scope().tenant();
    if own.is_some() {
        return Ok(vec![own; rows.numbers.len()]);
    }
    let named = || rows.rows.iter().map(ResourceInput::id).chain(rows.deleted_ids.iter().map(String::as_str));
    let ids: Vec<_> = named().filter(|id| !id.is_empty()).map(str::to_owned).collect();
    let found = targets::named(resource, caller, &ids).await?;
    let found: HashMap<_, _> = found.into_iter().map(|target| (target.id, target.tenant)).collect();
    let tenant = |(place, id): (usize, &str)| match id {
        "" => rows.rows.get(place).and_then(|row| row.tenant_id()?.parse().ok()),
        id => found.get(id).copied().flatten(),
    };
    Ok(named().enumerate().map(tenant).collect())
}

fn items<I: ImportRequest>(own: Option<TenantId>, tenants: Vec<Option<TenantId>>, rows: Rows<I::Input>) -> Vec<Target> {
    let Rows { rows, deleted_ids, numbers, wrong_rows } = rows;
    let written = rows.into_iter().map(|row| {
        let method = if row.id().is_empty() { I::CREATE } else { I::UPDATE };
        (row.name().to_owned(), Own { method, request: row.encode_to_vec() })
    });
    let deleted = deleted_ids.into_iter().map(|id| {
        let request = v1::DeleteRequest { id, row_version: None };
        (String::new(), Own { method: I::DELETE, request: request.encode_to_vec() })
    });
    let mut wrong: HashMap<_, _> = wrong_rows.into_iter().map(|row| (row.row, row)).collect();
    // Until it is done to something, an item is known by the row that it is.
    let mut targets: Vec<_> = written
        .chain(deleted)
        .zip(numbers)
        .zip(tenants)
        .map(|(((name, own), number), tenant)| {
            let wrong = wrong.remove(&number).map(stored);
            Target { id: number.to_string(), name, tenant, own: Some(own), wrong }
        })
        .collect();
    targets.extend(wrong.into_values().map(|row| Target {
        id: row.row.to_string(),
        name: row.name.clone(),
        tenant: own,
        own: None,
        wrong: Some(stored(row)),
    }));
    targets
}

/// What is wrong with a row, as it is kept.
fn stored(row: ImportRowError) -> Vec<u8> {
    let ImportRowError { error: code, message, fields, conflicting, limit, values, proposals, .. } = row;
    let [fields, values, proposals] = [fields, values, proposals].map(|map| map.into_iter().collect());
    ErrorDetail { code, message, fields, conflicting, limit, values, proposals, retry_after: None }.encode_to_vec()
}
