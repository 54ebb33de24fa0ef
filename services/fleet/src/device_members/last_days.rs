//! When the last day of a link is over follows from the time zone of its tenant: a tenant that has another one moves what is
//! stored of its links.

use std::time::Duration;

use armada_proto::{TenantId, Timestamp};
use armada_runtime::{Database, Result, Scope, ServiceKey};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr};
use tokio_util::sync::CancellationToken;

use crate::{
    entity::device_member::{Column, Entity},
    identity::IdentityClient,
    today,
};

/// How often time zones are asked for.
const PERIOD: Duration = Duration::from_secs(60);
/// No change of a time zone moves the end of a day by more milliseconds.
const FARTHEST_MS: i64 = 2 * 24 * 3600 * 1000;

/// Keeps the ends of links at the midnights of their tenants.
pub struct LastDays {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
}

impl LastDays {
    /// Works until shutdown. What fails is tried again.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let for_ever = async {
            loop {
                if let Err(error) = self.round().await {
                    tracing::warn!(%error, "last days of links are not looked at; will try again");
                }
                tokio::time::sleep(PERIOD).await;
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    async fn round(&self) -> Result<()> {
        let mut asked = None;
        for (tenant, day, stored) in self.ends().await? {
            let zone = match asked.filter(|(of, _)| *of == tenant) {
                Some((_, zone)) => zone,
                None => self.identity.time_zone(&self.service_key, tenant).await?,
            };
            asked = Some((tenant, zone));
            // A tenant that identity does not know is on its way out.
            let end = zone.and_then(|zone| today::end_of(&day, zone.name()));
            if let Some(end) = end.filter(|end| end.millis() != stored) {
                self.move_end(tenant, &day, end).await?;
            }
        }
        Ok(())
    }

    /// Last days that are not long over, each once, tenant by tenant.
    async fn ends(&self) -> Result<Vec<(TenantId, String, i64)>> {
        let tx = self.db.read(&Scope::Platform).await?;
        let links = Entity::find().select_only().columns([Column::TenantId, Column::EndsOn, Column::EndsAt]).distinct();
        let links = links.filter(Column::EndsAt.gt(Timestamp::now().millis() - FARTHEST_MS));
        Ok(links.order_by_asc(Column::TenantId).into_tuple().all(&tx).await?)
    }

    async fn move_end(&self, tenant: TenantId, day: &str, end: Timestamp) -> Result<()> {
        let tx = self.db.write(&Scope::Tenant(tenant)).await?;
        let links = Entity::update_many().col_expr(Column::EndsAt, Expr::val(end.millis()));
        let links = links.filter(Column::TenantId.eq(tenant)).filter(Column::EndsOn.eq(day));
        links.filter(Column::EndsAt.is_not_null()).exec(&tx).await?;
        Ok(tx.commit().await?)
    }
}
