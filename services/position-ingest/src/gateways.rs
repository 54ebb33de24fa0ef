//! For whom gateways speak, kept in memory from the bucket that identity fills. What it does not name speaks for
//! everybody's devices: services and tools publish themselves.

use std::{
    collections::HashMap,
    sync::{Arc, RwLock},
};

use armada_proto::{TenantId, coded, gateway::BUCKET, v1::GatewayEntry};
use armada_runtime::{
    Context, Result,
    auth::IDENTITY,
    bus::{Bucket, BucketUpdate},
};
use foldhash::fast::RandomState;
use tokio::sync::watch;

/// The gateways that speak for one tenant's devices alone. Cheap to clone.
#[derive(Clone)]
pub struct Gateways {
    bucket: Bucket,
    tenants: Arc<RwLock<HashMap<String, Option<TenantId>, RandomState>>>,
    loaded: watch::Sender<bool>,
}

impl Gateways {
    /// Opens the bucket; [`Self::follow`] fills it.
    pub async fn open(context: &Context) -> Result<Self> {
        let bucket = context.bucket(BUCKET, IDENTITY).await?;
        Ok(Self { bucket, tenants: Arc::default(), loaded: watch::Sender::new(false) })
    }

    /// Waits until the whole bucket has been read once.
    pub async fn loaded(&self) {
        let mut loaded = self.loaded.subscribe();
        let _ = loaded.wait_for(|loaded| *loaded).await;
    }

    /// For whose devices alone a gateway speaks; none for everybody's.
    pub fn tenant_of(&self, gateway: &str) -> Option<TenantId> {
        self.tenants.read().expect("no panic while held").get(gateway).copied().flatten()
    }

    /// Follows the bucket for ever.
    pub async fn follow(&self) -> Result<()> {
        let mut follower = self.bucket.follow(read);
        loop {
            match follower.next().await {
                BucketUpdate::All(all) => {
                    let mut tenants = self.tenants.write().expect("no panic while held");
                    // Of what nothing can be believed now stays what was known.
                    tenants.retain(|name, _| all.refused.contains(name));
                    tenants.extend(all.entries);
                    drop(tenants);
                    self.loaded.send_replace(true);
                }
                BucketUpdate::Changed(name, entry) => {
                    let mut tenants = self.tenants.write().expect("no panic while held");
                    match entry {
                        Some(tenant) => drop(tenants.insert(name, tenant)),
                        None => drop(tenants.remove(&name)),
                    }
                }
                BucketUpdate::Refused(_) => {}
            }
        }
    }
}

fn read(_: &str, value: &[u8]) -> Option<Option<TenantId>> {
    let entry = coded::decode::<GatewayEntry>(value)?;
    match entry.tenant_id {
        Some(tenant) => tenant.parse().ok().map(Some),
        None => Some(None),
    }
}
