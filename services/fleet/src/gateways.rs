//! Gateways whose trackers all belong to one tenant: what was heard through them alone, that tenant may bind. Identity says
//! which they are, in the bucket `gateways`.

use std::collections::HashMap;

use armada_proto::{
    TenantId, Timestamp, coded,
    gateway::BUCKET,
    v1::{GatewayEntry, ImeiHeard},
};
use armada_runtime::{Context, Result, auth::IDENTITY, bus::Bucket};

use crate::bucket_lookup::BucketLookup;

/// Asks the bucket. Cheap to clone.
#[derive(Clone)]
pub struct Gateways(BucketLookup);

impl Gateways {
    /// As this service.
    pub fn new(context: Context) -> Self {
        Self(BucketLookup::new(context, BUCKET, IDENTITY))
    }

    /// Whether an IMEI was heard through gateways alone that speak for the devices of this tenant and no other, and did when
    /// it was heard first. An error when that cannot be said now.
    pub async fn are_all_of(&self, tenant: TenantId, heard: &ImeiHeard) -> Result<bool> {
        let first = heard.first_heard.map_or(0, Timestamp::millis);
        let own = self.of(tenant, heard.gateways.iter().cloned()).await?;
        Ok(are_all_in(&own, heard.gateways.iter().map(String::as_str), first))
    }

    /// Those of these gateways that speak for the devices of this tenant and no other, with since when they have. An error
    /// when that cannot be said now.
    pub async fn of(&self, tenant: TenantId, names: impl Iterator<Item = String>) -> Result<HashMap<String, i64>> {
        let names = names.filter(|name| is_name(name));
        let read = |bucket: Bucket, name: String| async move {
            let value = bucket.get(&name).await?;
            Ok(value.and_then(|value| coded::decode::<GatewayEntry>(&value)))
        };
        let found = self.0.ask_each(names, read).await?;
        let own = |entry: &GatewayEntry| entry.tenant_id == Some(tenant.to_string()) && entry.since > 0;
        Ok(found.into_iter().filter(|(_, entry)| own(entry)).map(|(name, entry)| (name, entry.since)).collect())
    }
}

/// Whether all of these gateways are among a tenant's own, and were by the time of the first fix: `own` says since when.
pub fn are_all_in<'a>(own: &HashMap<String, i64>, mut names: impl Iterator<Item = &'a str>, first: i64) -> bool {
    names.all(|name| own.get(name).is_some_and(|since| *since <= first))
}

/// Everything else is no key of a bucket, and no gateway's name.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}
