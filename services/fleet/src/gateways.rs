//! Gateways whose trackers all belong to one tenant: what was heard through them alone, that tenant may bind. Identity says
//! which they are, in the bucket `gateways`.

use std::time::Duration;

use armada_proto::{
    TenantId, Timestamp, coded,
    gateway::BUCKET,
    v1::{GatewayEntry, ImeiHeard},
};
use armada_runtime::{Context, Error, Result, auth::IDENTITY};

/// How long NATS may take; whoever names an IMEI does not wait for longer.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// Asks the bucket. Cheap to clone.
#[derive(Clone)]
pub struct Gateways(Context);

impl Gateways {
    /// As this service.
    pub fn new(context: Context) -> Self {
        Self(context)
    }

    /// Whether an IMEI was heard through gateways alone that speak for the devices of this tenant and no other, and did when
    /// it was heard first. An error when that cannot be said now.
    pub async fn are_all_of(&self, tenant: TenantId, heard: &ImeiHeard) -> Result<bool> {
        let first = heard.first_heard.map_or(0, Timestamp::millis);
        let asked = async {
            let bucket = self.0.bucket(BUCKET, IDENTITY).await?;
            for name in &heard.gateways {
                // No key of a bucket, and no gateway's name.
                if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) || name.is_empty() {
                    return Ok(false);
                }
                let entry = bucket.get(name).await?.and_then(|value| coded::decode::<GatewayEntry>(&value));
                let is_own = |entry: GatewayEntry| {
                    entry.tenant_id == Some(tenant.to_string()) && (1..=first).contains(&entry.since)
                };
                if !entry.is_some_and(is_own) {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        tokio::time::timeout(ANSWER_WITHIN, asked).await.map_err(|_| Error::unavailable("NATS does not answer"))?
    }
}
