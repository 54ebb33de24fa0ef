//! Long work: acts on many things that go on after their request was answered, and after a restart. A service that has
//! jobs keeps them in two tables of its own, serves `Jobs` from them, and runs them in a task, some at a time and one of a
//! tenant; several instances share them by leases on the database's clock.
//!
//! An item is a call of a method of the same service, with the rights that whoever started the job has at that moment: the
//! guard in front of it, its rules and its errors are those of a call that somebody makes. The transaction that does the act
//! also says that the item is done (see [`decide`]), so that nothing is done twice, whatever dies. Items that make,
//! change or remove something are done a hundred at a time where nothing is wrong with any of them, see [`Jobs::batch`]. What a
//! file is about is tried before, or tried alone, see [`Jobs::tries`]. What was done can be taken back, see [`Jobs::undoes`].

mod batch;
mod batches;
mod beginning;
mod bulk;
mod collector;
pub(crate) mod current;
mod ending;
mod entity;
mod import;
mod metrics;
mod registry;
mod rpc;
mod run;
mod schema;
mod targets;
mod trial;
mod trials;
mod undo;
mod undone;
mod work;

use std::sync::Arc;

use armada_proto::{TenantId, v1};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, sea_query::Expr};
use tokio::sync::{Mutex, Notify};

pub use self::{
    beginning::UNFINISHED_MAX,
    current::{decide, is_one_of_many, made_before},
    schema::{
        add_trials_and_turns, add_undo_and_filling, create_tables, drop_tables, remove_trials_and_turns,
        remove_undo_and_filling,
    },
    targets::ITEMS_MAX,
};
pub(crate) use self::{
    collector::Collected,
    current::{Place, within},
    rpc::server,
};

use self::{
    batches::Batch,
    entity::{item, job},
    metrics::Metrics,
    registry::Registry,
    trials::TrialOf,
    undone::Reverse,
};
use crate::{
    auth::{Policies, ServiceKey},
    db::Database,
    error::Result,
    transport::Peers,
};

/// The jobs of one service. Cheap to clone.
#[derive(Clone)]
pub struct Jobs {
    db: Database,
    service: &'static str,
    key: ServiceKey,
    peers: Peers,
    policies: Policies,
    /// Wakes the task.
    wake: Arc<Notify>,
    metrics: Arc<Metrics>,
    /// Whose job does something at the moment, on SQLite.
    turn: Arc<Mutex<()>>,
    /// What does items together, by the path of their method.
    batches: Registry<Batch>,
    /// What tries the rows of files, by what they are about.
    trials: Registry<TrialOf>,
    /// What takes back what was done to something, by what it is.
    undoes: Registry<Reverse>,
}

impl Jobs {
    /// The jobs of the service that `key` is of, in its database.
    pub(crate) fn with(db: Database, key: ServiceKey, peers: Peers, policies: Policies) -> Self {
        let service = key.service();
        Self {
            db,
            service,
            key,
            peers,
            policies,
            wake: Arc::default(),
            metrics: Arc::default(),
            turn: Arc::default(),
            batches: Registry::default(),
            trials: Registry::default(),
            undoes: Registry::default(),
        }
    }

    /// A job as it is answered.
    fn message(&self, job: job::Model) -> v1::Job {
        let reverses = ["import", "update", "delete", "restore", "undo"].contains(&&*job.action);
        let can_undo = reverses && self.undoes.of(&job.resource).is_some();
        job.into_message(self.service, can_undo)
    }

    /// The database that they are in.
    pub(crate) fn db(&self) -> &Database {
        &self.db
    }

    /// The service whose they are.
    pub(crate) fn service(&self) -> &'static str {
        self.service
    }
}

/// Erases the jobs of a tenant, in the transaction that erases what else a service has of it. Of those that platform
/// owners started, the names of what was the tenant's.
pub async fn erase(tx: &DatabaseTransaction, tenant: TenantId) -> Result<()> {
    // With a job go its items.
    job::Entity::delete_many().filter(job::Column::TenantId.eq(tenant)).exec(tx).await?;
    item::Entity::update_many()
        .col_expr(item::Column::Name, Expr::val(""))
        .col_expr(item::Column::Request, Expr::val(None::<Vec<u8>>))
        .col_expr(item::Column::Before, Expr::val(None::<String>))
        .col_expr(item::Column::Error, Expr::val(None::<Vec<u8>>))
        .filter(item::Column::TenantId.eq(tenant))
        .exec(tx)
        .await?;
    Ok(())
}
