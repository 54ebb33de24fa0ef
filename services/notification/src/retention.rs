//! Events and alarms are kept for a time, and then they go.

use std::time::Duration;

use armada_proto::Timestamp;
use armada_runtime::{Database, Result};
use sea_orm::{ColumnTrait, Condition};
use tokio_util::sync::CancellationToken;

use crate::{
    entity::{alarm, event::Column},
    removal::{remove, remove_alarms},
};

/// How often what is old is looked for.
const CHECK_INTERVAL: Duration = Duration::from_secs(3600);

/// Removes what is old.
pub struct Retention {
    pub(crate) db: Database,
    /// For how long events are kept.
    pub(crate) kept: Duration,
}

impl Retention {
    /// Works until shutdown.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let mut rounds = tokio::time::interval(CHECK_INTERVAL);
        let for_ever = async {
            loop {
                rounds.tick().await;
                match self.remove_old().await {
                    Ok(0) => {}
                    Ok(removed) => tracing::info!(removed, "removed old events"),
                    Err(error) => tracing::warn!(%error, "old events cannot be removed; will try again"),
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    async fn remove_old(&self) -> Result<u64> {
        let kept = i64::try_from(self.kept.as_millis()).unwrap_or(i64::MAX);
        let oldest = Timestamp::now().millis().saturating_sub(kept);
        let alarms = remove_alarms(&self.db, &Condition::all().add(alarm::Column::LastAt.lt(oldest))).await?;
        Ok(alarms + remove(&self.db, &Condition::all().add(Column::OccurredAt.lt(oldest))).await?)
    }
}
