//! What of gateways' positions was refused, by day and reason.

use std::collections::HashMap;

use armada_proto::{GatewayId, Timestamp, v1::GatewayRejection};
use armada_runtime::Result;
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use crate::entity::gateway_rejection::{Column, Entity, Model};

/// Days of which counts are kept.
const DAYS_KEPT: i32 = 30;
const DAY_MS: i64 = 24 * 3600 * 1000;

fn today() -> i32 {
    Timestamp::now().millis().div_euclid(DAY_MS) as i32
}

/// Since yesterday (UTC), the most frequent reason first.
pub async fn recent(
    tx: &DatabaseTransaction,
    gateways: Vec<GatewayId>,
) -> Result<HashMap<GatewayId, Vec<GatewayRejection>>> {
    let rows = Entity::find().filter(Column::GatewayId.is_in(gateways)).filter(Column::Day.gte(today() - 1));
    let mut counts = HashMap::<GatewayId, Vec<GatewayRejection>>::new();
    for row in rows.all(tx).await? {
        let reasons = counts.entry(row.gateway_id).or_default();
        let count = u32::try_from(row.count).unwrap_or(u32::MAX);
        match reasons.iter_mut().find(|known| known.reason == row.reason) {
            Some(known) => known.count = known.count.saturating_add(count),
            None => reasons.push(GatewayRejection { reason: row.reason, count }),
        }
    }
    for reasons in counts.values_mut() {
        reasons.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
    }
    Ok(counts)
}

/// Adds what was refused now.
pub async fn add(tx: &DatabaseTransaction, gateway: GatewayId, refused: GatewayRejection) -> Result<()> {
    let count = i64::from(refused.count);
    let row = Model { gateway_id: gateway, day: today(), reason: refused.reason, count };
    let again = OnConflict::columns([Column::GatewayId, Column::Day, Column::Reason])
        .value(Column::Count, Expr::col((Entity, Column::Count)).add(count))
        .to_owned();
    Entity::insert(row.into_active_model()).on_conflict(again).exec_without_returning(tx).await?;
    Ok(())
}

/// Removes what is too old to be shown.
pub async fn tidy(tx: &DatabaseTransaction) -> Result<()> {
    Entity::delete_many().filter(Column::Day.lt(today() - DAYS_KEPT)).exec(tx).await?;
    Ok(())
}
