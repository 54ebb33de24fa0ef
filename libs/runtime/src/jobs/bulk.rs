//! Bulk acts: a request says what is done to which things; each of them becomes an item.

use std::{
    collections::{HashMap, HashSet},
    vec,
};

use armada_proto::{
    TenantId, Timestamp, UserId, Violations,
    bulk::{Act, BulkRequest, Given, Parts},
    v1::{self, JobItemStatus, JobStatus},
};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, Statement,
    sea_query::{Expr, ExprTrait},
};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};
use tracing::Instrument;
use uuid::Uuid;

use super::{
    Jobs,
    entity::{Trial, item, job},
    targets::{self, Target},
    undo,
};
use crate::{
    auth::{self, Caller, Scope},
    error::{Code, Error, Result},
    resource::Resource,
};

/// Jobs that one user may have which are not over.
pub const UNFINISHED_MAX: u64 = 10;
/// Characters that an id may have.
const ID_MAX: usize = 100;
/// Milliseconds within which the items of a job are put into the tables.
const FILLED_WITHIN: i64 = 120_000;
/// Items that are put into the tables in one transaction.
const CHUNK: usize = 1000;
/// The kind of these jobs.
const KIND: &str = "bulk";

impl Jobs {
    /// Starts a job that does what a request says to what it says, if the caller may do that to one thing.
    pub async fn bulk<R, B>(&self, resource: &R, request: Request<B>) -> std::result::Result<Response<v1::Job>, Status>
    where
        R: Resource,
        B: BulkRequest<Filter = R::Request>,
    {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.start(resource, &caller, request.into_inner()).await?))
    }

    async fn start<R, B>(&self, resource: &R, caller: &Caller, mut request: B) -> Result<v1::Job>
    where
        R: Resource,
        B: BulkRequest<Filter = R::Request>,
    {
        let user = caller.user()?.user_id;
        let violations = request.validate();
        let Parts { ids, filter, acts } = request.into_parts();
        let (action, method, request) = requested_act(violations, acts, ids.is_empty() == filter.is_none())?;
        auth::may_call(method, caller)?;
        let own = caller.scope().tenant();
        let items = match filter {
            Some(filter) => targets::listed(resource, caller, filter).await.map_err(of_filter)?,
            None => {
                let ids = chosen(ids)?;
                let found = targets::named(resource, caller, &ids).await?;
                in_order(ids, found, own)
            }
        };
        let act = JobSpec { kind: KIND, resource: R::ACTS.kind, action, method, request, trial: None, undoes: None };
        self.begin(caller, user, act, items).await
    }

    /// Puts a job into the tables, and wakes whoever runs it.
    pub(super) async fn begin(
        &self,
        caller: &Caller,
        user: UserId,
        spec: JobSpec<'_>,
        items: Vec<Target>,
    ) -> Result<v1::Job> {
        let own = caller.scope().tenant();
        let job = job::Model {
            id: Uuid::now_v7(),
            tenant_id: own,
            lane: own.map_or(Uuid::nil(), |tenant| tenant.0),
            kind: spec.kind.to_owned(),
            resource: spec.resource.to_owned(),
            action: spec.action.to_owned(),
            method: spec.method.to_owned(),
            request: spec.request,
            status: JobStatus::Queued,
            total: items.len() as i32,
            done: 0,
            failed: items.iter().filter(|item| item.wrong.is_some()).count() as i32,
            created_by: user,
            address: caller.address().map(|address| address.to_string()),
            created_at: Timestamp::now().millis(),
            started_at: None,
            finished_at: None,
            cancel_requested: false,
            error: None,
            epoch: 0,
            lease_until: 0,
            trial: spec.trial,
            worked_at: 0,
            undone_by: None,
            is_filled: items.len() <= CHUNK,
        };
        // Whoever asked may not wait for all of it.
        let (this, new, scope, undoes) = (self.clone(), job.clone(), caller.scope(), spec.undoes);
        let put = async move { this.put(&scope, new, undoes, items).await };
        tokio::spawn(put.in_current_span()).await.map_err(Error::internal)??;
        self.wake.notify_one();
        Ok(self.message(job))
    }
}

impl Jobs {
    /// Puts a job and its items into the tables. Nobody sees it before all of them are there.
    async fn put(&self, scope: &Scope, job: job::Model, undoes: Option<Uuid>, items: Vec<Target>) -> Result<()> {
        let (id, is_filled) = (job.id, job.is_filled);
        let rows: Vec<_> = items.into_iter().zip(0..).map(|(target, position)| row(id, target, position)).collect();
        let tx = self.db.write(scope).await?;
        one_more(&tx, job.created_by).await?;
        job::Entity::insert(job.into_active_model()).exec_without_returning(&tx).await?;
        let put = self.put_items(scope, tx, (id, undoes), rows.into_iter()).await;
        if put.is_err() && !is_filled && !self.is_filled(id).await? {
            self.forget(id, &CancellationToken::new()).await?;
        }
        put
    }

    /// Whether all items of a job are there: only the answer to that may have been lost.
    async fn is_filled(&self, id: Uuid) -> Result<bool> {
        let tx = self.db.read(&Scope::Platform).await?;
        Ok(job::Entity::find_by_id(id).one(&tx).await?.is_some_and(|job| job.is_filled))
    }

    async fn put_items(
        &self,
        scope: &Scope,
        mut tx: DatabaseTransaction,
        (job, undoes): (Uuid, Option<Uuid>),
        mut rows: vec::IntoIter<item::ActiveModel>,
    ) -> Result<()> {
        loop {
            let chunk: Vec<_> = rows.by_ref().take(CHUNK).collect();
            if !chunk.is_empty() {
                item::Entity::insert_many(chunk).exec_without_returning(&tx).await?;
            }
            if rows.len() == 0 {
                break;
            }
            tx.commit().await?;
            tx = self.db.write(scope).await?;
        }
        if let Some(undone) = undoes {
            undo::mark(&tx, undone, job).await?;
        }
        let filled = job::Entity::update_many().col_expr(job::Column::IsFilled, Expr::val(true));
        filled.filter(job::Column::Id.eq(job)).exec(&tx).await?;
        Ok(tx.commit().await?)
    }
}

/// What a job does.
pub(super) struct JobSpec<'a> {
    pub(super) kind: &'static str,
    pub(super) resource: &'a str,
    pub(super) action: &'static str,
    /// The path of the method that does an item, unless the item says another.
    pub(super) method: &'static str,
    /// Its request, unless the item has its own.
    pub(super) request: Vec<u8>,
    /// Whether its items are tried before, or tried alone.
    pub(super) trial: Option<Trial>,
    /// The job of which it takes back what that did.
    pub(super) undoes: Option<Uuid>,
}

/// The one act that a request names: its name, the method that does it, and the request of that. An error tells of everything
/// that is wrong at once.
fn requested_act(
    mut fields: Violations,
    acts: Vec<Act>,
    choice_is_wrong: bool,
) -> Result<(&'static str, &'static str, Vec<u8>)> {
    if choice_is_wrong {
        fields.add("ids", "exactly_one");
        fields.add("filter", "exactly_one");
    }
    let names: Vec<_> = acts.iter().map(|act| act.name).collect();
    let mut given = acts.into_iter().filter_map(|act| Some((act.name, act.method, act.given?)));
    let (Some((name, method, Given { request, secrets })), None) = (given.next(), given.next()) else {
        names.into_iter().for_each(|name| fields.add(name, "exactly_one"));
        fields.check()?;
        return Err(Error::internal("no act is wrong, and none is wanted"));
    };
    for secret in secrets {
        fields.add(&format!("{name}.{secret}"), "one_at_a_time");
    }
    fields.check()?;
    Ok((name, method, request))
}

/// An error about what the list is asked, with its fields as they stand in the request.
fn of_filter(mut error: Error) -> Error {
    let named = |(name, code)| (if name == "filter" { name } else { format!("filter.{name}") }, code);
    error.fields = error.fields.into_iter().map(named).collect();
    error
}

/// The ids, each of them once.
fn chosen(ids: Vec<String>) -> Result<Vec<String>> {
    if ids.iter().any(|id| id.is_empty() || id.chars().count() > ID_MAX) {
        return Err(Error::field("ids", "invalid"));
    }
    let mut seen = HashSet::with_capacity(ids.len());
    Ok(ids.into_iter().filter(|id| seen.insert(id.clone())).collect())
}

/// The things that were found in the order in which they were named. What is not found stays, without a name: it will not
/// be found when its turn comes either.
fn in_order(ids: Vec<String>, found: Vec<Target>, own: Option<TenantId>) -> Vec<Target> {
    let mut found: HashMap<String, Target> = found.into_iter().map(|target| (target.id.clone(), target)).collect();
    let unknown = |id: String| Target { id, name: String::new(), tenant: own, own: None, wrong: None };
    // One thing may have been named in several spellings.
    let mut seen = HashSet::with_capacity(ids.len());
    let in_order = ids.into_iter().map(|id| {
        let canonical = Uuid::try_parse(&id).map_or(id, |id| id.to_string());
        found.remove(&canonical).unwrap_or_else(|| unknown(canonical))
    });
    in_order.filter(|target| seen.insert(target.id.clone())).collect()
}

/// An error when a user has as many jobs already as one may have.
async fn one_more(tx: &DatabaseTransaction, user: UserId) -> Result<()> {
    if tx.get_database_backend() == DbBackend::Postgres {
        // Or several requests at once would each find room.
        let sql = "SELECT pg_advisory_xact_lock(hashtextextended('job of ' || $1, 0))";
        let locked = Statement::from_sql_and_values(DbBackend::Postgres, sql, [user.to_string().into()]);
        tx.execute_raw(locked).await?;
    }
    // One that is not filled after so long never will be.
    let lives = job::Column::IsFilled.eq(true).or(job::Column::CreatedAt.gt(Timestamp::now().millis() - FILLED_WITHIN));
    let unfinished = job::Entity::find()
        .filter(job::Column::CreatedBy.eq(user))
        .filter(lives)
        .filter(job::Column::Status.is_in([JobStatus::Queued, JobStatus::Running]));
    if unfinished.count(tx).await? < UNFINISHED_MAX {
        return Ok(());
    }
    let message = format!("{UNFINISHED_MAX} jobs of this user are not over yet");
    Err(Error::new(Code::TooManyRequests, "too_many_jobs", message))
}

fn row(job_id: Uuid, target: Target, position: i32) -> item::ActiveModel {
    item::ActiveModel {
        job_id: Set(job_id),
        position: Set(position),
        tenant_id: Set(target.tenant),
        item_id: Set(target.id),
        name: Set(target.name),
        status: Set(if target.wrong.is_some() { JobItemStatus::Failed } else { JobItemStatus::Pending }),
        method: Set(target.own.as_ref().map(|own| own.method.to_owned())),
        request: Set(target.own.map(|own| own.request)),
        decided_in: NotSet,
        before: NotSet,
        error: Set(target.wrong),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act(name: &'static str, secrets: Option<Vec<&'static str>>) -> Act {
        Act { name, method: "", given: secrets.map(|secrets| Given { request: Vec::new(), secrets }) }
    }

    fn wrong(acts: Vec<Act>, choice_is_wrong: bool) -> Vec<String> {
        let fields = requested_act(Violations::default(), acts, choice_is_wrong).expect_err("it is wrong").fields;
        let mut wrong: Vec<_> = fields.into_iter().map(|(name, code)| format!("{name} {code}")).collect();
        wrong.sort();
        wrong
    }

    #[test]
    fn exactly_one_act_is_named() {
        let acts = |delete, update| vec![act("delete", delete), act("update", update)];
        assert_eq!(
            requested_act(Violations::default(), acts(Some(vec![]), None), false).map(|(name, ..)| name),
            Ok("delete")
        );
        assert_eq!(wrong(acts(None, None), false), ["delete exactly_one", "update exactly_one"]);
        let both = acts(Some(vec![]), Some(vec![]));
        let all = ["delete exactly_one", "filter exactly_one", "ids exactly_one", "update exactly_one"];
        assert_eq!(wrong(both, true), all);
        assert_eq!(wrong(acts(None, Some(vec!["password"])), false), ["update.password one_at_a_time"]);
    }

    #[test]
    fn every_thing_is_one_item() {
        let id = Uuid::now_v7().to_string();
        let found = Target { id: id.clone(), name: "Truck".to_owned(), tenant: None, own: None, wrong: None };
        let ids = [id.to_uppercase(), "x".to_owned(), id.clone(), "x".to_owned()];
        let items = in_order(chosen(ids.to_vec()).expect("ids"), vec![found.clone()], None);
        assert_eq!(
            items,
            [found, Target { id: "x".to_owned(), name: String::new(), tenant: None, own: None, wrong: None }]
        );
        assert!(chosen(vec![String::new()]).is_err());
    }
}
