//! For how long tenants keep their history, from the bucket that identity fills. What is older than that is not taken in,
//! not shown from that moment on, and removed a day of UTC at a time (`expiry.rs`). The last position of a vehicle is its
//! state and no history: it stays, however old it is.

use armada_proto::{TenantId, coded, tenant::BUCKET, v1::TenantEntry};
use armada_runtime::{Context, Result, auth::IDENTITY};

use crate::followed::Followed;

const DAY_MS: i64 = 24 * 3600 * 1000;

/// The tenants that do not keep their history for ever. Cheap to clone.
#[derive(Clone)]
pub struct Retention(Followed<TenantId, u32>);

impl Retention {
    /// Opens the bucket; [`Self::follow`] fills it.
    pub async fn open(context: &Context) -> Result<Self> {
        Ok(Self(Followed::open(context, BUCKET, IDENTITY, read).await?))
    }

    /// Waits until the whole bucket has been read once.
    pub async fn loaded(&self) {
        self.0.loaded().await;
    }

    /// Since when a tenant's history is kept at `now`; both in milliseconds since 1970. The least there is where it is kept
    /// for ever.
    pub fn kept_from(&self, tenant: TenantId, now: i64) -> i64 {
        self.0.entries().get(&tenant).map_or(i64::MIN, |days| before(*days, now))
    }

    /// Whether a fix of a tenant is older than what it keeps at `now`; both in milliseconds since 1970.
    pub fn is_over(&self, tenant: TenantId, recorded_at: i64, now: i64) -> bool {
        // Nobody keeps less than some days, and nearly all fixes are of a moment ago.
        now.saturating_sub(recorded_at) > DAY_MS && recorded_at < self.kept_from(tenant, now)
    }

    /// The tenants whose history ends, and since when it is kept at `now`.
    pub fn limits(&self, now: i64) -> Vec<(TenantId, i64)> {
        let entries = self.0.entries();
        let limits = entries.iter().filter(|(_, days)| **days > 0);
        limits.map(|(tenant, days)| (*tenant, before(*days, now))).collect()
    }

    /// Follows the bucket for ever.
    pub async fn follow(&self) -> Result<()> {
        self.0.follow().await
    }
}

fn before(days: u32, now: i64) -> i64 {
    if days == 0 { i64::MIN } else { now.saturating_sub(i64::from(days) * DAY_MS) }
}

fn read(_: &str, value: &[u8]) -> Option<u32> {
    coded::decode::<TenantEntry>(value).map(|entry| entry.history_days)
}
