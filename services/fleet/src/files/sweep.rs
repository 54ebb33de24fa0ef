//! Removing files: first their objects, then their rows, so that one is tried again whatever dies in between. To be removed
//! is what somebody removed, what was never whole, and what nothing has named for a day.

use std::time::Duration;

use armada_proto::Timestamp;
use armada_runtime::{Result, Scope};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr};
use tokio_util::sync::CancellationToken;

use super::Files;
use crate::entity::file::{Column, Entity, Model};

/// How often it is looked for what has grown old.
const PERIOD: Duration = Duration::from_secs(60);
/// An upload that is not whole by then has died.
const DEAD_AFTER: Duration = Duration::from_secs(3600);
/// What nothing has named by then, nothing will.
const ORPHAN_AGE: Duration = Duration::from_secs(24 * 3600);
/// Files of one look.
const CHUNK: u64 = 100;

impl Files {
    /// Works until shutdown.
    pub(crate) async fn sweep(self, shutdown: CancellationToken) -> Result<()> {
        if let Err(error) = self.storage.remove_leftovers().await {
            tracing::warn!(%error, "what uploads have left in the folder of files could not be removed");
        }
        let for_ever = async {
            loop {
                if let Err(error) = self.round().await {
                    tracing::warn!(%error, "files that are to be removed are still there; will try again");
                }
                tokio::select! {
                    () = self.removed.notified() => {}
                    () = tokio::time::sleep(PERIOD) => {}
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    /// Removes all there is to remove; an error when one could not be, which does not hold up the others.
    async fn round(&self) -> Result<()> {
        self.give_up_on_old().await?;
        let mut outcome = Ok(());
        let mut last = None;
        loop {
            let tx = self.db.read(&Scope::Platform).await?;
            let mut rows = Entity::find().filter(Column::RemovedAt.is_not_null()).filter(not_being_written());
            if let Some(last) = last {
                rows = rows.filter(Column::Id.gt(last));
            }
            let rows = rows.order_by_asc(Column::Id).limit(CHUNK).all(&tx).await?;
            tx.commit().await?;
            let Some(end) = rows.last() else { return outcome };
            last = Some(end.id);
            for file in &rows {
                if let Err(error) = self.remove(file).await {
                    outcome = Err(error);
                }
            }
        }
    }

    async fn give_up_on_old(&self) -> Result<()> {
        let now = Timestamp::now();
        let dead = Condition::all().add(Column::IsStored.eq(false)).add(Column::CreatedAt.lt(before(DEAD_AFTER)));
        let unnamed = Column::CreatedAt.lt(before(ORPHAN_AGE));
        let tx = self.db.write(&Scope::Platform).await?;
        let old = Entity::update_many().col_expr(Column::RemovedAt, Expr::val(now.millis()));
        let old = old.filter(Column::DocumentId.is_null()).filter(Column::MaintenanceLogId.is_null());
        let old = old.filter(Column::RemovedAt.is_null());
        old.filter(Condition::any().add(dead).add(unnamed)).exec(&tx).await?;
        Ok(tx.commit().await?)
    }

    async fn remove(&self, file: &Model) -> Result<()> {
        self.storage.remove(file.tenant_id, file.id).await?;
        let tx = self.db.write(&Scope::Platform).await?;
        Entity::delete_by_id(file.id).exec(&tx).await?;
        Ok(tx.commit().await?)
    }
}

/// Whose object may still appear has a row until it cannot any more.
fn not_being_written() -> Condition {
    Condition::any().add(Column::IsStored.eq(true)).add(Column::CreatedAt.lt(before(DEAD_AFTER)))
}

fn before(age: Duration) -> i64 {
    Timestamp::now().millis() - age.as_millis() as i64
}
