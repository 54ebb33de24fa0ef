//! Makes the reports that completed maintenance waits for, and keeps each with the files of that. What fails is tried again;
//! what can never be kept is given up.

use std::{sync::Arc, time::Duration};

use armada_proto::{
    Timestamp,
    v1::{Locale, Tenant},
};
use armada_runtime::{Code, Database, Error, Result, Scope, ServiceKey};
use chrono_tz::Tz;
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, Value},
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::report::Report;
use crate::{
    entity::maintenance_log::{Column, Entity, Model},
    files::Files,
    identity::IdentityClient,
};

/// How long one may wait when nobody woke this.
const PERIOD: Duration = Duration::from_secs(60);
/// When what failed is tried again.
const RETRY: Duration = Duration::from_secs(600);
/// Reports of one look.
const CHUNK: u64 = 50;

/// Makes reports.
pub struct Reports {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    pub(crate) files: Files,
    /// Wakes it: something was completed.
    pub(crate) completed: Arc<Notify>,
}

impl Reports {
    /// Works until shutdown.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let for_ever = async {
            loop {
                if let Err(error) = self.round().await {
                    tracing::warn!(%error, "reports of maintenance are not made; will try again");
                }
                tokio::select! {
                    () = self.completed.notified() => {}
                    () = tokio::time::sleep(PERIOD) => {}
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    async fn round(&self) -> Result<()> {
        loop {
            let tx = self.db.read(&Scope::Platform).await?;
            let rows = Entity::within(Scope::Platform).filter(Column::ReportAt.lte(Timestamp::now().millis()));
            let rows = rows.order_by_asc(Column::ReportAt).limit(CHUNK).all(&tx).await?;
            tx.commit().await?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in rows {
                if let Err(error) = self.make(&row).await {
                    self.put_off(&row, &error).await?;
                }
            }
        }
    }

    async fn make(&self, log: &Model) -> Result<()> {
        let tenant = self.identity.named_tenant(&self.service_key, &log.tenant_id.to_string()).await?;
        let report = Report::of(log, &tenant.name, zone(&tenant), self.language(log).await?)?;
        let name = report.name.clone();
        let made = tokio::task::spawn_blocking(move || report.content()).await.map_err(Error::internal)??;
        self.files.keep_report(log, name, made.into()).await
    }

    /// That of whoever administers the tenant.
    async fn language(&self, log: &Model) -> Result<Locale> {
        let asking = self.service_key.caller(Scope::Tenant(log.tenant_id), None)?;
        let admins = self.identity.admins(&asking).await?;
        Ok(admins.first().map_or(Locale::Id, |admin| admin.locale()))
    }

    /// What may work later is tried later.
    async fn put_off(&self, log: &Model, error: &Error) -> Result<()> {
        let is_hopeless =
            matches!(error.class, Code::Invalid | Code::NotFound | Code::Conflict) || error.code == "files_unavailable";
        tracing::warn!(%error, log = %log.id, is_hopeless, "a report of a maintenance could not be made");
        let later = Value::BigInt((!is_hopeless).then(|| (Timestamp::now() + RETRY).millis()));
        let tx = self.db.write(&Scope::Tenant(log.tenant_id)).await?;
        let putting = Entity::update_many().col_expr(Column::ReportAt, Expr::val(later));
        putting.filter(Column::Id.eq(log.id)).filter(Column::ReportAt.is_not_null()).exec(&tx).await?;
        Ok(tx.commit().await?)
    }
}

fn zone(tenant: &Tenant) -> Tz {
    tenant.time_zone.parse().unwrap_or(Tz::UTC)
}
