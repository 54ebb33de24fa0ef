//! The item that is being done: known to the transactions of its act, so that one of them decides it.

use std::{collections::HashMap, future::Future, sync::Arc};

use armada_proto::{TenantId, v1::JobItemStatus};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter,
    sea_query::{CaseStatement, Expr, ExprTrait},
};
use uuid::Uuid;

use super::entity::{item, job};
use crate::error::{Error, Result};

/// Which item it is, and who does it. It comes with the call that does it, within this process alone.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(super) job: Uuid,
    /// What kind of thing it is done to.
    pub(super) resource: Arc<str>,
    pub(super) position: i32,
    pub(super) epoch: i32,
}

impl Place {
    /// The place of an item of a job.
    pub(super) fn of(job: &job::Model, item: &item::Model) -> Self {
        Self { job: job.id, resource: job.resource.as_str().into(), position: item.position, epoch: job.epoch }
    }
}

tokio::task_local! {
    static CURRENT: Option<Place>;
    static MANY: HashMap<TenantId, u64>;
}

/// Answers a call that does an item, or one that does none: what a service asks another one meanwhile is no item.
pub(crate) async fn within<F: Future>(place: Option<Place>, call: F) -> F::Output {
    CURRENT.scope(place, call).await
}

/// Does some of many that are no calls of their own: items that are done together.
pub(crate) async fn as_one_of_many<F: Future>(some: F) -> F::Output {
    MANY.scope(HashMap::new(), some).await
}

/// Tries some of many, of which those before them would have made so many things, by their tenant.
pub(crate) async fn as_one_of_tried<F: Future>(made: HashMap<TenantId, u64>, some: F) -> F::Output {
    MANY.scope(made, some).await
}

/// How many things of a tenant are to be counted besides those that are there: those that rows before would have made of
/// which this one is tried as well.
pub fn made_before(tenant: TenantId) -> u64 {
    MANY.try_with(|made| made.get(&tenant).copied().unwrap_or_default()).unwrap_or_default()
}

/// Whether this is one of many that are done or tried one after the other. What was so a moment ago will do for it: to ask
/// anew for each takes longer than all the rest.
pub fn is_one_of_many() -> bool {
    CURRENT.try_with(|place| place.is_some()).unwrap_or_default() || MANY.try_with(|_| ()).is_ok()
}

/// Says in the transaction of an act that the item is done that this call does, if it does one: neither is there without
/// the other. An error when somebody else has decided it, who took it for abandoned: then the act must not be done again.
///
/// The act on what the item is about, a thing of the job's kind, says what it was `done_to`, an id, and how the fields were
/// `before` that it changed: the last one, since what goes with it is done before.
///
/// [`crate::audit::record`] does this; what changes rows and enters nothing in the audit has to do it itself.
pub async fn decide(tx: &DatabaseTransaction, kind: &str, done_to: &str, before: Option<&str>) -> Result<()> {
    let Some(place) = CURRENT.try_with(Clone::clone).ok().flatten() else { return Ok(()) };
    let is_own = *place.resource == *kind;
    let undecided = item::Column::Status.eq(JobItemStatus::Pending);
    let mut decided = item::Entity::update_many()
        .col_expr(item::Column::Status, Expr::val("done"))
        .col_expr(item::Column::DecidedIn, Expr::val(place.epoch))
        .col_expr(item::Column::Request, Expr::val(None::<Vec<u8>>));
    if is_own {
        decided = decided
            .col_expr(item::Column::ItemId, Expr::val(done_to))
            .col_expr(item::Column::Before, Expr::val(before));
    }
    let decided = decided
        .filter(item::Column::JobId.eq(place.job))
        .filter(item::Column::Position.eq(place.position))
        // An act may record several things, in several transactions.
        .filter(undecided.or(item::Column::DecidedIn.eq(place.epoch)))
        .exec(tx)
        .await?;
    match decided.rows_affected {
        1 => Ok(()),
        _ => Err(Error::unavailable("this item of a job was decided by somebody else")),
    }
}

/// What became of an item that was done together with others.
pub(crate) struct Decided {
    pub(crate) place: Place,
    /// The id of what it was done to.
    pub(crate) done_to: String,
    /// How the fields were that it changed.
    pub(crate) before: Option<String>,
}

/// The same for items of one job that were done together.
pub(crate) async fn decide_all(tx: &DatabaseTransaction, all: &[Decided]) -> Result<()> {
    let Some((job, epoch)) = all.first().map(|decided| (decided.place.job, decided.place.epoch)) else { return Ok(()) };
    let (mut ids, mut befores) = (CaseStatement::new(), CaseStatement::new());
    for Decided { place, done_to, before } in all {
        ids = ids.case(item::Column::Position.eq(place.position), Expr::val(done_to));
        befores = befores.case(item::Column::Position.eq(place.position), Expr::val(before.as_deref()));
    }
    let decided = item::Entity::update_many()
        .col_expr(item::Column::Status, Expr::val("done"))
        .col_expr(item::Column::DecidedIn, Expr::val(epoch))
        .col_expr(item::Column::Request, Expr::val(None::<Vec<u8>>))
        .col_expr(item::Column::ItemId, ids.finally(Expr::col(item::Column::ItemId)).into())
        .col_expr(item::Column::Before, befores.finally(Expr::col(item::Column::Before)).into())
        .filter(item::Column::JobId.eq(job))
        .filter(item::Column::Position.is_in(all.iter().map(|decided| decided.place.position)))
        .filter(item::Column::Status.eq(JobItemStatus::Pending))
        .exec(tx)
        .await?;
    match decided.rows_affected == all.len() as u64 {
        true => Ok(()),
        false => Err(Error::unavailable("some of these items of a job were decided by somebody else")),
    }
}
