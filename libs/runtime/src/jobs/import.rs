//! Imports: each row of a file becomes an item, with what it shall be as its request.

use std::collections::HashMap;

use armada_proto::{
    ResourceInput, TenantId,
    import::{ImportRequest, Rows},
    v1::{self, ErrorDetail, ImportMode, ImportReport, ImportRowError},
};
use prost::Message;
use tonic::{Request, Response, Status};

use super::{
    Jobs,
    bulk::JobSpec,
    targets::{self, Own, Target},
};
use crate::{
    auth::{self, Caller},
    error::{Error, Result},
    resource::{Resource, dry_run},
};

/// Rows of one file: as many as one transaction tries out in some seconds.
pub const ROWS_MAX: usize = 10_000;
/// Errors that are told of one file.
const ERRORS_MAX: usize = 500;
/// The kind of these jobs, and what they do.
const KIND: &str = "import";

impl Jobs {
    /// Says what is wrong with the rows of a file, and starts a job that takes them in, if that is wanted.
    pub async fn import<R, I>(
        &self,
        resource: &R,
        request: Request<I>,
    ) -> std::result::Result<Response<ImportReport>, Status>
    where
        R: Resource,
        I: ImportRequest<Input = R::Input>,
    {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.take_rows::<R, I>(resource, &caller, request.into_inner()).await?))
    }

    async fn take_rows<R, I>(&self, resource: &R, caller: &Caller, request: I) -> Result<ImportReport>
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
        if mode == ImportMode::DryRun && rows.rows.is_empty() && rows.deleted_ids.is_empty() {
            return Ok(ImportReport::default());
        }
        check(&rows, mode)?;
        let (changes, creates): (Vec<_>, Vec<_>) = rows.rows.iter().partition(|row| !row.id().is_empty());
        let wanted = [(I::CREATE, creates.len()), (I::UPDATE, changes.len()), (I::DELETE, rows.deleted_ids.len())];
        for (method, _) in wanted.into_iter().filter(|(_, count)| *count > 0) {
            auth::may_call(method, caller)?;
        }
        let errors = match mode {
            ImportMode::Valid => Vec::new(),
            _ => dry_run(resource, caller, &rows).await?,
        };
        let mut report = report(&rows, errors);
        if mode == ImportMode::DryRun || report.failed > 0 {
            return Ok(report);
        }
        let tenants = tenants(resource, caller, &rows).await?;
        let items = items::<I>(tenants, rows);
        let act = JobSpec { kind: KIND, resource: R::ACTS.kind, action: KIND, method: I::CREATE, request: Vec::new() };
        report.job = Some(self.begin(caller, user, act, items).await?);
        Ok(report)
    }
}

fn check<I>(rows: &Rows<I>, mode: ImportMode) -> Result<()> {
    let count = rows.rows.len() + rows.deleted_ids.len();
    match count {
        0 => Err(Error::field("rows", "required")),
        _ if count > ROWS_MAX => Err(Error::field("rows", "too_many")),
        _ if rows.numbers.len() != count => Err(Error::field("numbers", "invalid")),
        _ if mode == ImportMode::Unspecified => Err(Error::field("mode", "required")),
        _ => Ok(()),
    }
}

/// How many rows do what, of those with which nothing is wrong, and what is wrong with the others.
fn report<I: ResourceInput>(rows: &Rows<I>, errors: Vec<(usize, Error)>) -> ImportReport {
    let mut report = ImportReport { failed: errors.len() as u32, ..ImportReport::default() };
    let mut failed = errors.iter().map(|(place, _)| *place).peekable();
    for place in 0..rows.numbers.len() {
        if failed.next_if_eq(&place).is_some() {
            continue;
        }
        match rows.rows.get(place) {
            Some(row) if row.id().is_empty() => report.creates += 1,
            Some(_) => report.updates += 1,
            None => report.deletes += 1,
        }
    }
    report.errors = errors.into_iter().take(ERRORS_MAX).map(|(place, error)| row_error(rows, place, error)).collect();
    report
}

fn row_error<I: ResourceInput>(rows: &Rows<I>, place: usize, error: Error) -> ImportRowError {
    let ErrorDetail { code, message, fields, conflicting, limit, .. } = ErrorDetail::from(error);
    let name = rows.rows.get(place).map(|row| row.name().to_owned()).unwrap_or_default();
    ImportRowError { row: rows.numbers[place], name, error: code, message, fields, conflicting, limit }
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

fn items<I: ImportRequest>(tenants: Vec<Option<TenantId>>, rows: Rows<I::Input>) -> Vec<Target> {
    let Rows { rows, deleted_ids, numbers } = rows;
    let written = rows.into_iter().map(|row| {
        let method = if row.id().is_empty() { I::CREATE } else { I::UPDATE };
        (row.name().to_owned(), Own { method, request: row.encode_to_vec() })
    });
    let deleted = deleted_ids.into_iter().map(|id| {
        let request = v1::DeleteRequest { id, row_version: None };
        (String::new(), Own { method: I::DELETE, request: request.encode_to_vec() })
    });
    // Until it is done to something, an item is known by the row that it is.
    let target = |(((name, own), number), tenant): ((_, u32), _)| Target {
        id: number.to_string(),
        name,
        tenant,
        own: Some(own),
    };
    written.chain(deleted).zip(numbers).zip(tenants).map(target).collect()
}
