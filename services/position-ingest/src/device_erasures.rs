//! Obeying fleet's ledger of erased devices: their history goes. That of a deleted one stays and nobody sees it, since fleet
//! hides the device.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use armada_proto::{DeviceId, TenantId, coded, device_erasure::BUCKET, v1::DeviceErasure};
use armada_runtime::{
    Bus, Context, Database, Result, Scope,
    bus::{Bucket, BucketUpdate},
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};
use tokio_util::sync::CancellationToken;

use crate::{
    entity::erased_device::{Column, Entity},
    erase::erase_device,
    last_positions::LastPositions,
    refusals,
};

/// The service that owns the bucket.
const FLEET: &str = "fleet";
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(2);
/// Devices of one query.
const CHUNK: usize = 500;

/// Obeys the ledger.
pub struct DeviceErasures {
    bucket: Bucket,
    bus: Bus,
    db: Database,
    last: LastPositions,
}

impl DeviceErasures {
    /// Opens the bucket.
    pub async fn open(context: &Context, db: Database, last: LastPositions) -> Result<Self> {
        Ok(Self { bucket: context.bucket(BUCKET, FLEET).await?, bus: context.bus.clone(), db, last })
    }

    /// Follows the ledger until shutdown: all that it says, then what is added.
    pub async fn follow(self, shutdown: CancellationToken) -> Result<()> {
        let mut follower = self.bucket.follow(read);
        let for_ever = async {
            loop {
                let erased = match follower.next().await {
                    BucketUpdate::All(all) => all.entries,
                    BucketUpdate::Changed(key, Some(tenant)) => HashMap::from([(key, tenant)]),
                    BucketUpdate::Changed(_, None) | BucketUpdate::Refused(_) => continue,
                };
                if let Err(error) = self.apply(erased).await {
                    tracing::warn!(%error, "cannot erase the history of devices; will try again");
                    tokio::time::sleep(RETRY).await;
                    follower.start_again();
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    async fn apply(&self, erased: HashMap<String, TenantId>) -> Result<()> {
        let erased: Vec<(DeviceId, TenantId)> =
            erased.into_iter().filter_map(|(key, tenant)| Some((key.parse().ok()?, tenant))).collect();
        for chunk in erased.chunks(CHUNK) {
            let known = self.known(chunk.iter().map(|(device, _)| *device)).await?;
            for (device, tenant) in chunk.iter().filter(|(device, _)| !known.contains(device)) {
                self.last.forget_device(*tenant, *device);
                refusals::erase_device(&self.bus, *tenant, *device).await?;
                erase_device(&self.db, *tenant, *device).await?;
            }
        }
        Ok(())
    }

    /// Those of them that are erased here already.
    async fn known(&self, devices: impl Iterator<Item = DeviceId>) -> Result<HashSet<DeviceId>> {
        let rows = Entity::find().select_only().column(Column::DeviceId).filter(Column::DeviceId.is_in(devices));
        let tx = self.db.read(&Scope::Platform).await?;
        let known: Vec<DeviceId> = rows.into_tuple().all(&tx).await?;
        Ok(known.into_iter().collect())
    }
}

/// Whose device a key names. What cannot be read says nothing: nothing is erased by accident.
fn read(_: &str, value: &[u8]) -> Option<TenantId> {
    coded::decode::<DeviceErasure>(value)?.tenant_id.parse().ok()
}
