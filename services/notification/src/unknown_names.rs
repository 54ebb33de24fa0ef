//! Alarms that come under a name that no table knows: what a platform owner has said of it holds, and it is counted.

use std::collections::{BTreeMap, HashMap};

use armada_proto::alarm::name_of;
use armada_runtime::Result;
use armada_track::KNOWN_ALARMS;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    sea_query::{Expr, OnConflict},
};

use crate::entity::{
    alarm_name::{AS_TOLD, Column, Entity, Model, NONE},
    event,
};

/// So many names are listed: of trackers that make up names, no more.
const NAMES_MAX: u64 = 1_000;

/// Events as they are taken for; those that are none are left out.
pub async fn resolve(tx: &DatabaseTransaction, events: &[event::Model]) -> Result<Vec<event::Model>> {
    let names: Vec<&str> = events.iter().filter_map(|event| unknown(&event.kind)).collect();
    if names.is_empty() {
        return Ok(events.to_vec());
    }
    let said = Entity::find().filter(Column::Name.is_in(names)).all(tx).await?;
    let said: HashMap<String, String> = said.into_iter().map(|row| (row.name, row.event)).collect();
    let taken_for = |event: &event::Model| {
        let kind = unknown(&event.kind).and_then(|name| said.get(name)).filter(|kind| *kind != AS_TOLD);
        let kind = kind.unwrap_or(&event.kind).clone();
        (kind != NONE).then(|| event::Model { kind, ..event.clone() })
    };
    Ok(events.iter().filter_map(taken_for).collect())
}

/// Counts the names of events that were heard now for the first time.
pub async fn count(tx: &DatabaseTransaction, events: impl Iterator<Item = &event::Model>) -> Result<()> {
    let mut heard = BTreeMap::<&str, Model>::new();
    for event in events {
        if let Some(name) = unknown(&event.kind) {
            let row = heard.entry(name).or_insert_with(|| Model::new(name));
            row.count += 1;
            row.first_heard_at = row.first_heard_at.min(event.occurred_at);
            row.last_heard_at = row.last_heard_at.max(event.occurred_at);
        }
    }
    if heard.is_empty() {
        return Ok(());
    }
    let known = Entity::find().filter(Column::Name.is_in(heard.keys().copied())).all(tx).await?;
    let is_full = Entity::find().count(tx).await? >= NAMES_MAX;
    heard.retain(|name, _| !is_full || known.iter().any(|row| row.name == *name));
    if heard.is_empty() {
        return Ok(());
    }
    let rows = heard.into_values().map(|row| row.into_active_model().reset_all());
    Entity::insert_many(rows).on_conflict(added()).exec_without_returning(tx).await?;
    Ok(())
}

/// What a name that is there already has is added to.
fn added() -> OnConflict {
    let sql = |column: &str, of: &str| (column.to_owned(), of.to_owned());
    let values = [
        sql("count", "alarm_name.count + excluded.count"),
        sql(
            "first_heard_at",
            "CASE WHEN excluded.first_heard_at < alarm_name.first_heard_at THEN excluded.first_heard_at ELSE alarm_name.first_heard_at END",
        ),
        sql(
            "last_heard_at",
            "CASE WHEN excluded.last_heard_at > alarm_name.last_heard_at THEN excluded.last_heard_at ELSE alarm_name.last_heard_at END",
        ),
    ];
    let mut conflict = OnConflict::column(Column::Name);
    for (column, of) in values {
        conflict.value(column, Expr::cust(of));
    }
    conflict.to_owned()
}

/// The name of an alarm of which no table says what it is.
fn unknown(kind: &str) -> Option<&str> {
    let is_known = || KNOWN_ALARMS.iter().any(|known| known.kind == kind);
    (kind.starts_with("alarm.") && !is_known()).then(|| name_of(kind))
}
