//! Obeying fleet's ledger of erased devices: their events go.

use armada_proto::{DeviceId, TenantId, device_erasure};
use armada_runtime::{
    Context, Database, Result,
    bus::{Bucket, BucketUpdate},
};
use tokio_util::sync::CancellationToken;

use crate::erase::erase_devices;

/// The service that owns the bucket.
const FLEET: &str = "fleet";
/// Devices that are erased at a time.
const CHUNK: usize = 500;

/// Obeys the ledger.
pub struct DeviceErasures {
    bucket: Bucket,
    db: Database,
}

impl DeviceErasures {
    /// Opens the bucket.
    pub async fn open(context: &Context, db: Database) -> Result<Self> {
        Ok(Self { bucket: context.bucket(device_erasure::BUCKET, FLEET).await?, db })
    }

    /// Follows the ledger until shutdown: all that it says, then what is added.
    pub async fn follow(self, shutdown: CancellationToken) -> Result<()> {
        let follower = self.bucket.follow(device_erasure::read);
        let apply = |update: BucketUpdate<_>| self.apply(update.into_values());
        follower.apply_each(shutdown, "erase the events of devices", apply).await;
        Ok(())
    }

    async fn apply(&self, erased: Vec<(DeviceId, TenantId)>) -> Result<()> {
        for chunk in erased.chunks(CHUNK) {
            erase_devices(&self.db, chunk).await?;
        }
        Ok(())
    }
}
