//! Removing events, some at a time, so that what comes meanwhile is stored in between.

use armada_runtime::{Database, Result, Scope};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QuerySelect, QueryTrait, prelude::Uuid};

use crate::entity::event::{Column, Entity};

/// Events of one transaction.
const AT_ONCE: u64 = 1_000;

/// Removes the events that meet a condition; returns how many.
pub async fn remove(db: &Database, which: &Condition) -> Result<u64> {
    let mut removed = 0;
    while is_left(db, which).await? {
        let some = Entity::find().select_only().column(Column::Id).filter(which.clone()).limit(AT_ONCE);
        let tx = db.write(&Scope::Platform).await?;
        let gone = Entity::delete_many().filter(Column::Id.in_subquery(some.into_query())).exec(&tx).await?;
        tx.commit().await?;
        removed += gone.rows_affected;
    }
    Ok(removed)
}

/// A look at the index, and no lock to write for what is not there.
async fn is_left(db: &Database, which: &Condition) -> Result<bool> {
    let one = Entity::find().select_only().column(Column::Id).filter(which.clone()).limit(1);
    let tx = db.read(&Scope::Platform).await?;
    let found: Option<Uuid> = one.into_tuple().one(&tx).await?;
    tx.commit().await?;
    Ok(found.is_some())
}
