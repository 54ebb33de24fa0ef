//! Removing events and alarms, some at a time, so that what comes meanwhile is stored in between.

use std::collections::BTreeSet;

use armada_proto::DeviceId;
use armada_runtime::{Database, Result, Scope, outbox};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QuerySelect, QueryTrait, prelude::Uuid};

use crate::entity::{
    alarm,
    event::{Column, Entity},
};

/// Rows of one transaction.
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

/// Removes the alarms that meet a condition, and those that stood stand no more; returns how many.
pub async fn remove_alarms(db: &Database, which: &Condition) -> Result<u64> {
    let mut removed = 0;
    loop {
        let some = alarm::Entity::find().select_only().column(alarm::Column::Id).column(alarm::Column::DeviceId);
        let tx = db.read(&Scope::Platform).await?;
        let some: Vec<(Uuid, DeviceId)> = some.filter(which.clone()).limit(AT_ONCE).into_tuple().all(&tx).await?;
        tx.commit().await?;
        if some.is_empty() {
            return Ok(removed);
        }
        let devices: BTreeSet<_> = some.iter().map(|(_, device)| *device).collect();
        let tx = db.write(&Scope::Platform).await?;
        let ids = some.iter().map(|(id, _)| *id);
        let gone = alarm::Entity::delete_many().filter(alarm::Column::Id.is_in(ids)).exec(&tx).await?;
        outbox::mark(&tx, devices.iter().map(DeviceId::to_string)).await?;
        tx.commit().await?;
        removed += gone.rows_affected;
    }
}
