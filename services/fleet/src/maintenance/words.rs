//! What people call statuses and priorities: free text, of which lists offer what there is.

use armada_proto::v1::MaintenanceWords;
use armada_runtime::{Result, text};
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect, Select};

use crate::entity::maintenance::{Column, Entity};

/// Words of one kind.
const MAX: u64 = 100;
/// What there always is to choose from.
const STATUSES: [&str; 3] = ["pending", "in-progress", "done"];
const PRIORITIES: [&str; 3] = ["low", "medium", "high"];

/// Those of these rows, the usual ones first.
pub async fn of(tx: &DatabaseTransaction, rows: Select<Entity>) -> Result<MaintenanceWords> {
    Ok(MaintenanceWords {
        statuses: with(&STATUSES, distinct(tx, rows.clone(), Column::Status).await?),
        priorities: with(&PRIORITIES, distinct(tx, rows, Column::Priority).await?),
    })
}

async fn distinct(tx: &DatabaseTransaction, rows: Select<Entity>, column: Column) -> Result<Vec<String>> {
    let words = rows.select_only().column(column).distinct().order_by_asc(column).limit(MAX);
    Ok(words.into_tuple().all(tx).await?)
}

/// Each word once, however it is written.
fn with(usual: &[&str], found: Vec<String>) -> Vec<String> {
    let mut words: Vec<String> = usual.iter().map(ToString::to_string).collect();
    for word in found.into_iter().filter(|word| !word.is_empty()) {
        if !words.iter().any(|known| text::fold(known) == text::fold(&word)) {
            words.push(word);
        }
    }
    words
}
