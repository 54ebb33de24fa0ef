//! For whom gateways speak, kept in memory from the bucket that identity fills. What it does not name speaks for
//! everybody's devices: services and tools publish themselves.

use armada_proto::{TenantId, coded, gateway::BUCKET, v1::GatewayEntry};
use armada_runtime::{Context, Result, auth::IDENTITY};

use super::bucket_cache::BucketCache;

/// The gateways that speak for one tenant's devices alone. Cheap to clone.
#[derive(Clone)]
pub struct Gateways(BucketCache<String, Option<TenantId>>);

impl Gateways {
    /// Opens the bucket; [`Self::follow`] fills it.
    pub async fn open(context: &Context) -> Result<Self> {
        Ok(Self(BucketCache::open(context, BUCKET, IDENTITY, read).await?))
    }

    /// Waits until the whole bucket has been read once.
    pub async fn loaded(&self) {
        self.0.loaded().await;
    }

    /// For whose devices alone a gateway speaks; none for everybody's.
    pub fn tenant_of(&self, gateway: &str) -> Option<TenantId> {
        self.0.entries().get(gateway).copied().flatten()
    }

    /// Follows the bucket for ever.
    pub async fn follow(&self) -> Result<()> {
        self.0.follow().await
    }
}

fn read(_: &str, value: &[u8]) -> Option<Option<TenantId>> {
    let entry = coded::decode::<GatewayEntry>(value)?;
    match entry.tenant_id {
        Some(tenant) => tenant.parse().ok().map(Some),
        None => Some(None),
    }
}
