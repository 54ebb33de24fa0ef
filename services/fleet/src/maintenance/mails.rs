//! Emails about maintenance: written down in the transaction that is the reason for them, and handed to identity, which has
//! the queue of mail and knows the language of whoever reads them.

use std::{sync::Arc, time::Duration};

use armada_proto::{
    Timestamp,
    v1::{MaintenanceMail, MaintenanceState, mails_client::MailsClient},
};
use armada_runtime::{Code, Database, Error, Peers, Result, Scope, ServiceKey, Transport, events};
use prost::Message;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, OnConflict},
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::emails;
use crate::entity::{
    maintenance,
    maintenance_mail::{ActiveModel, Column, Entity, Model},
};

/// How long an email may lie when nobody woke this.
const PERIOD: Duration = Duration::from_secs(30);
/// Emails of one look.
const CHUNK: u64 = 100;

/// Writes down that every address of a maintenance is told of its state, in an email of its own.
pub async fn queue(
    tx: &DatabaseTransaction,
    row: &maintenance::Model,
    state: MaintenanceState,
    event: &str,
) -> Result<()> {
    let count = |number: i32| u32::try_from(number).unwrap_or_default();
    let vehicle = [row.device_name.as_str(), row.vehicle_code.as_str()];
    let vehicle = vehicle.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
    for to in emails::of(&row.notification_emails) {
        let mail = MaintenanceMail {
            id: events::id(&[event, &to]),
            tenant_id: row.tenant_id.to_string(),
            to,
            maintenance_id: row.id.to_string(),
            title: row.name.clone(),
            vehicle: vehicle.clone(),
            state: state.into(),
            due_date: if row.counts_days() { row.due_date.clone() } else { String::new() },
            due_odometer: if row.counts_odometer() { count(row.due_odometer) } else { 0 },
            due_engine_hours: if row.counts_engine() { count(row.due_engine_hours) } else { 0 },
        };
        let row = ActiveModel {
            id: Set(mail.id.clone()),
            tenant_id: Set(row.tenant_id),
            mail: Set(mail.encode_to_vec()),
            created_at: Set(Timestamp::now().millis()),
            refused_at: Set(None),
        };
        let once = OnConflict::new().do_nothing().to_owned();
        Entity::insert(row).on_conflict(once).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// How many emails of the last day were refused.
pub async fn refused(tx: &DatabaseTransaction, scope: Scope) -> Result<u32> {
    let mut rows = Entity::find().filter(Column::RefusedAt.gt(day_ago()));
    if let Some(tenant) = scope.tenant() {
        rows = rows.filter(Column::TenantId.eq(tenant));
    }
    Ok(u32::try_from(rows.count(tx).await?).unwrap_or(u32::MAX))
}

fn day_ago() -> i64 {
    Timestamp::now().millis() - 24 * 3_600_000
}

/// Hands emails on.
pub struct Mails {
    pub(crate) db: Database,
    pub(crate) identity: Result<Transport>,
    pub(crate) service_key: ServiceKey,
    pub(crate) mailed: Arc<Notify>,
}

impl Mails {
    /// The way to identity, over the peers of this process.
    pub fn transport(peers: &Peers) -> Result<Transport> {
        peers.transport(armada_runtime::auth::IDENTITY)
    }

    /// Works until shutdown. What fails is tried again.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let for_ever = async {
            loop {
                if let Err(error) = self.round().await {
                    tracing::warn!(%error, "emails about maintenance are not handed on; will try again");
                }
                tokio::select! {
                    () = self.mailed.notified() => {}
                    () = tokio::time::sleep(PERIOD) => {}
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    async fn round(&self) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        Entity::delete_many().filter(Column::RefusedAt.lte(day_ago())).exec(&tx).await?;
        tx.commit().await?;
        loop {
            let tx = self.db.read(&Scope::Platform).await?;
            let rows = Entity::find()
                .filter(Column::RefusedAt.is_null())
                .order_by_asc(Column::CreatedAt)
                .order_by_asc(Column::Id)
                .limit(CHUNK);
            let rows = rows.all(&tx).await?;
            tx.commit().await?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in rows {
                self.hand_on(row).await?;
            }
        }
    }

    async fn hand_on(&self, row: Model) -> Result<()> {
        let mail = MaintenanceMail::decode(row.mail.as_slice()).map_err(Error::internal)?;
        let asking = self.service_key.caller(Scope::Tenant(row.tenant_id), None)?;
        let answer = MailsClient::new(self.identity.clone()?).queue_maintenance(asking.sign(mail)).await;
        match answer.map_err(Error::from) {
            Ok(answer) if answer.get_ref().is_too_much => return self.keep_refused(&row).await,
            Ok(_) => {}
            // Nobody will ever take it: its tenant is gone, or its address is none.
            Err(error) if matches!(error.class, Code::Invalid | Code::NotFound) => {
                tracing::warn!(%error, mail = row.id, "an email about a maintenance is dropped");
            }
            Err(error) => return Err(error),
        }
        let tx = self.db.write(&Scope::Platform).await?;
        Entity::delete_by_id(row.id).exec(&tx).await?;
        Ok(tx.commit().await?)
    }

    /// To be told of; to whom it was to go is nobody's business any more.
    async fn keep_refused(&self, row: &Model) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        Entity::update_many()
            .col_expr(Column::RefusedAt, Expr::val(Timestamp::now().millis()))
            .col_expr(Column::Mail, Expr::val(Vec::<u8>::new()))
            .filter(Column::Id.eq(&row.id))
            .exec(&tx)
            .await?;
        Ok(tx.commit().await?)
    }
}
