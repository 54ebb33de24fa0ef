//! Obeying fleet's ledger of erased devices: their events go.

use std::{collections::HashMap, time::Duration};

use armada_proto::{DeviceId, TenantId, coded, device_erasure::BUCKET, v1::DeviceErasure};
use armada_runtime::{
    Context, Database, Result,
    bus::{Bucket, BucketUpdate},
};
use tokio_util::sync::CancellationToken;

use crate::erase::erase_devices;

/// The service that owns the bucket.
const FLEET: &str = "fleet";
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(2);
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
        Ok(Self { bucket: context.bucket(BUCKET, FLEET).await?, db })
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
                    tracing::warn!(%error, "cannot erase the events of devices; will try again");
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
            erase_devices(&self.db, chunk).await?;
        }
        Ok(())
    }
}

/// Whose device a key names. What cannot be read says nothing: nothing is erased by accident.
fn read(_: &str, value: &[u8]) -> Option<TenantId> {
    coded::decode::<DeviceErasure>(value)?.tenant_id.parse().ok()
}
