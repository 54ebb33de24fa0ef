//! Erasing deleted devices whose time has come, and those that were erased and came back with an older copy of the tables.

use std::{sync::Arc, time::Duration};

use armada_proto::{DeviceId, Timestamp};
use armada_runtime::{Database, Result, Scope, audit::Actor, outbox::OutboxHandle};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{
    config,
    devices::{deletion::UNDO_PERIOD, erasing},
    entity::{
        device::{Column, Entity},
        device_erasure,
    },
};

/// How often it is looked for such.
const PERIOD: Duration = Duration::from_secs(60);
/// Devices of one look.
const CHUNK: u64 = 100;

/// Erases what was deleted long ago.
pub struct Sweep {
    pub(crate) db: Database,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
    /// Wakes the sweep of files.
    pub(crate) removed: Arc<Notify>,
}

impl Sweep {
    /// Works until shutdown.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let for_ever = async {
            loop {
                if let Err(error) = self.round().await {
                    tracing::warn!(%error, "deleted devices whose time has come are still there; will try again");
                }
                tokio::time::sleep(PERIOD).await;
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    async fn round(&self) -> Result<()> {
        loop {
            let tx = self.db.read(&Scope::Platform).await?;
            let rows = due().select_only().column(Column::Id).order_by_asc(Column::Id).limit(CHUNK);
            let devices: Vec<DeviceId> = rows.into_tuple().all(&tx).await?;
            tx.commit().await?;
            if devices.is_empty() {
                return Ok(());
            }
            for device in devices {
                self.erase(device).await?;
            }
        }
    }

    /// Erases one, unless somebody has brought it back or erased it meanwhile.
    async fn erase(&self, id: DeviceId) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        let Some(device) = due().filter(Column::Id.eq(id)).lock_exclusive().one(&tx).await? else { return Ok(()) };
        let actor = Actor { name: config::NAME.to_owned(), ..Actor::default() };
        erasing::erase(&tx, actor, "device:erase", device).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        self.removed.notify_one();
        Ok(())
    }
}

fn due() -> Select<Entity> {
    let before = Timestamp::now().millis() - UNDO_PERIOD.as_millis() as i64;
    let erased = device_erasure::Entity::find().select_only().column(device_erasure::Column::DeviceId).into_query();
    let is_due = Condition::any().add(Column::DeletedAt.lte(before)).add(Column::Id.in_subquery(erased));
    Entity::find().filter(is_due)
}
