//! What gateways publish, as whoever receives tells it every few seconds. What is told while nobody listens is not
//! counted: the fixes themselves are elsewhere.

use armada_proto::{
    Timestamp,
    gateway::TRAFFIC,
    v1::{GatewayTraffic, gateway_traffic::Count},
};
use armada_runtime::{Bus, Database, Error, Result, Scope, text};
use futures::StreamExt;
use prost::Message;
use sea_orm::{ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, Set};
use tokio_util::sync::CancellationToken;

use super::rejections;
use crate::entity::gateway::{ActiveModel, Column, Entity};

const MINUTE_MS: i64 = 60_000;

/// Counts until shutdown; of several processes one counts each report.
pub async fn count(bus: Bus, db: Database, shutdown: CancellationToken) -> Result<()> {
    let subscribed = bus.client.queue_subscribe(TRAFFIC, "identity".to_owned()).await;
    let mut reports = subscribed.map_err(Error::unavailable)?;
    let for_ever = async {
        while let Some(message) = reports.next().await {
            let Ok(traffic) = GatewayTraffic::decode(message.payload) else {
                tracing::warn!("what was published of gateways cannot be read");
                continue;
            };
            if let Err(error) = add(&db, traffic.counts).await {
                tracing::warn!(%error, "cannot count what gateways published");
            }
        }
    };
    shutdown.run_until_cancelled(for_ever).await;
    Ok(())
}

async fn add(db: &Database, counts: Vec<Count>) -> Result<()> {
    if counts.is_empty() {
        return Ok(());
    }
    let tx = db.write(&Scope::Platform).await?;
    for count in counts {
        add_one(&tx, count).await?;
    }
    Ok(tx.commit().await?)
}

async fn add_one(tx: &DatabaseTransaction, count: Count) -> Result<()> {
    let found = Entity::find().filter(Column::NameFolded.eq(text::sort_key(&count.gateway))).one(tx).await?;
    // What services and tools publish themselves is nobody's gateway.
    let Some(row) = found.filter(|row| row.name == count.gateway) else { return Ok(()) };
    for refused in count.rejected {
        rejections::add(tx, row.id, refused).await?;
    }
    let minute = Timestamp::now().millis().div_euclid(MINUTE_MS);
    let (this, before) = row.fixes_at(minute);
    let changed = ActiveModel {
        minute: Set(minute),
        minute_fixes: Set(this + i64::from(count.fixes)),
        last_minute_fixes: Set(before),
        last_heard_at: Set(row.last_heard_at.max(Some(count.last_heard))),
        ..row.into_active_model()
    };
    changed.update(tx).await?;
    Ok(())
}
