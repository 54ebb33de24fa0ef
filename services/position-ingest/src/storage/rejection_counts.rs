//! What was not taken in, counted by day and reason.

use std::collections::BTreeMap;

use armada_proto::{Timestamp, v1::Rejection};
use armada_runtime::{Database, Result, Scope};
use chrono::DateTime;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use crate::entity::rejection;

/// Days of counts that are shown.
const DAYS_SHOWN: i64 = 30;
const DAY_MS: i64 = 24 * 3600 * 1000;

/// Positions and counts by day and reason. Beside those of refusal there are [`crate::enrich::REPEAT`],
/// [`crate::enrich::CONFLICT`] and the names of marks: a fix with a mark was taken in.
pub type Rejections = BTreeMap<(i32, &'static str), i64>;

/// Adds to what is counted of a day for a reason.
pub async fn add_rejections(tx: &DatabaseTransaction, partition: u32, day: i32, reason: &str, n: i64) -> Result<()> {
    use rejection::Column;
    let row = rejection::ActiveModel {
        day: Set(day),
        partition: Set(partition as i32),
        reason: Set(reason.to_owned()),
        n: Set(n),
    };
    let add = Expr::col((rejection::Entity, Column::N)).add(n);
    let on_conflict =
        OnConflict::columns([Column::Day, Column::Partition, Column::Reason]).value(Column::N, add).to_owned();
    rejection::Entity::insert(row).on_conflict(on_conflict).exec_without_returning(tx).await?;
    Ok(())
}

/// What was refused in the last days, by day and reason, the newest day first.
pub async fn counts(db: &Database) -> Result<Vec<Rejection>> {
    use rejection::Column;
    let since = Timestamp::now().millis().div_euclid(DAY_MS) - DAYS_SHOWN;
    let tx = db.read(&Scope::Platform).await?;
    let rows: Vec<(i32, String, i64)> = rejection::Entity::find()
        .filter(Column::Day.gt(since as i32))
        .select_only()
        .column(Column::Day)
        .column(Column::Reason)
        .column(Column::N)
        .order_by_desc(Column::Day)
        .order_by_asc(Column::Reason)
        .into_tuple()
        .all(&tx)
        .await?;
    tx.commit().await?;
    let mut counts: Vec<Rejection> = Vec::new();
    for (day, reason, n) in rows {
        let day = DateTime::from_timestamp(i64::from(day) * DAY_MS / 1000, 0).unwrap_or_default().format("%Y-%m-%d");
        let day = day.to_string();
        match counts.last_mut().filter(|last| last.day == day && last.reason == reason) {
            Some(last) => last.count = last.count.saturating_add(n as u32),
            None => counts.push(Rejection { day, reason, count: n as u32 }),
        }
    }
    Ok(counts)
}
