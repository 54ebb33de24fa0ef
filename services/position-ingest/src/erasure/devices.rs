//! Obeying fleet's ledger of erased devices: their history goes. That of a deleted one stays and nobody sees it, since fleet
//! hides the device.

use std::collections::HashSet;

use armada_proto::{DeviceId, TenantId, device_erasure};
use armada_runtime::{
    Bus, Context, Database, Result, Scope,
    bus::{Bucket, BucketUpdate},
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};
use tokio_util::sync::CancellationToken;

use super::delete::erase_device;
use crate::{
    entity::erased_device::{Column, Entity},
    live::last_positions::LastPositions,
    rejected::device_rejections,
    storage::write_gate::WriteGate,
};

/// The service that owns the bucket.
const FLEET: &str = "fleet";
/// Devices of one query.
const CHUNK: usize = 500;

/// Obeys the ledger.
pub struct DeviceErasures {
    bucket: Bucket,
    bus: Bus,
    db: Database,
    gate: WriteGate,
    last: LastPositions,
}

impl DeviceErasures {
    /// Opens the bucket.
    pub async fn open(context: &Context, db: Database, gate: WriteGate, last: LastPositions) -> Result<Self> {
        let bucket = context.bucket(device_erasure::BUCKET, FLEET).await?;
        Ok(Self { bucket, bus: context.bus.clone(), db, gate, last })
    }

    /// Follows the ledger until shutdown: all that it says, then what is added.
    pub async fn follow(self, shutdown: CancellationToken) -> Result<()> {
        let follower = self.bucket.follow(device_erasure::read);
        let apply = |update: BucketUpdate<_>| self.apply(update.into_values());
        follower.apply_each(shutdown, "erase the history of devices", apply).await;
        Ok(())
    }

    async fn apply(&self, erased: Vec<(DeviceId, TenantId)>) -> Result<()> {
        for chunk in erased.chunks(CHUNK) {
            let known = self.known(chunk.iter().map(|(device, _)| *device)).await?;
            for (device, tenant) in chunk.iter().filter(|(device, _)| !known.contains(device)) {
                self.last.forget_device(*tenant, *device);
                device_rejections::erase_device(&self.bus, *tenant, *device).await?;
                erase_device(&self.db, &self.gate, *tenant, *device).await?;
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
