//! Cutting off: whoever may no longer connect is not connected five seconds later. What is to be cut off stands in a
//! table, so that it happens whatever dies.

use std::{sync::Arc, time::Duration};

use armada_proto::Timestamp;
use armada_runtime::{Database, Result, Scope};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, sea_query::OnConflict};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::connections::Connections;
use crate::entity::gateway_cut::{Column, Entity, Model};

/// How often is looked who is to be cut off.
const ROUND: Duration = Duration::from_millis(500);
/// For how long somebody may still come in who was let in before: what the server takes between asking and admitting.
const ADMITTED_MS: i64 = 3_000;

/// Ends the connections of a gateway once the transaction is committed.
pub async fn mark(tx: &DatabaseTransaction, gateway: &str) -> Result<()> {
    let row = Model { name: gateway.to_owned(), since: Timestamp::now().millis() };
    let again = OnConflict::column(Column::Name).update_column(Column::Since).to_owned();
    Entity::insert(row.into_active_model()).on_conflict(again).exec_without_returning(tx).await?;
    Ok(())
}

/// Cuts off. Cheap to clone.
#[derive(Clone)]
pub struct Disconnect {
    pub(crate) db: Database,
    pub(crate) connections: Connections,
    pub(crate) wake: Arc<Notify>,
}

impl Disconnect {
    /// Somebody is to be cut off now.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    /// Works until shutdown.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let for_ever = async {
            loop {
                if let Err(error) = self.round().await {
                    tracing::warn!(%error, "cannot cut gateways off; will try again");
                }
                tokio::select! {
                    () = self.wake.notified() => {}
                    () = tokio::time::sleep(ROUND) => {}
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    async fn round(&self) -> Result<()> {
        let tx = self.db.read(&Scope::Platform).await?;
        let marked = Entity::find().all(&tx).await?;
        drop(tx);
        for row in marked {
            let looked = Timestamp::now().millis();
            let ended = self.connections.end(&row.name).await?;
            if ended > 0 {
                tracing::info!(gateway = row.name, connections = ended, "a gateway is cut off");
            }
            if ended == 0 && looked - row.since >= ADMITTED_MS {
                let tx = self.db.write(&Scope::Platform).await?;
                let done = Entity::delete_many().filter(Column::Name.eq(&row.name)).filter(Column::Since.eq(row.since));
                done.exec(&tx).await?;
                tx.commit().await?;
            }
        }
        Ok(())
    }
}
