//! What is gone by of tenants, from the bucket that identity fills: in which time zone their days begin, and for how long they
//! keep their history. What is older than that is not taken in, not shown from that moment on, and removed a day of UTC at a
//! time (`history/retention.rs`). The last position of a vehicle is its state and no history: it stays, however old it is.

use armada_proto::{TenantId, coded, tenant::BUCKET, v1::TenantEntry};
use armada_runtime::{Context, Result, auth::IDENTITY};
use armada_track::Day;
use chrono_tz::Tz;

use super::bucket_cache::BucketCache;

const DAY_MS: i64 = 24 * 3600 * 1000;

/// The settings of all tenants. Cheap to clone.
#[derive(Clone)]
pub struct TenantSettings(BucketCache<TenantId, Settings>);

/// Those of one.
#[derive(Clone, Copy)]
struct Settings {
    /// Days for which it keeps its history; 0 for ever.
    history_days: u32,
    zone: Tz,
}

impl TenantSettings {
    /// Opens the bucket; [`Self::follow`] fills it.
    pub async fn open(context: &Context) -> Result<Self> {
        Ok(Self(BucketCache::open(context, BUCKET, IDENTITY, read).await?))
    }

    /// Waits until the whole bucket has been read once.
    pub async fn loaded(&self) {
        self.0.loaded().await;
    }

    /// Grows whenever a tenant may have another zone than before.
    pub fn version(&self) -> u32 {
        self.0.version()
    }

    /// The day of an instant, in milliseconds since 1970, for a tenant; none while nothing is known of it.
    pub fn day(&self, tenant: TenantId, at: i64) -> Option<Day> {
        let zone = self.0.entries().get(&tenant).map(|settings| settings.zone);
        zone.map(|zone| Day::of(at, zone))
    }

    /// Since when a tenant's history is kept at `now`; both in milliseconds since 1970. The least there is where it is kept
    /// for ever.
    pub fn kept_from(&self, tenant: TenantId, now: i64) -> i64 {
        self.0.entries().get(&tenant).map_or(i64::MIN, |settings| settings.kept_from(now))
    }

    /// Whether a fix of a tenant is older than what it keeps at `now`; both in milliseconds since 1970.
    pub fn is_too_old(&self, tenant: TenantId, recorded_at: i64, now: i64) -> bool {
        // Nobody keeps less than some days, and nearly all fixes are of a moment ago.
        now.saturating_sub(recorded_at) > DAY_MS && recorded_at < self.kept_from(tenant, now)
    }

    /// The tenants whose history ends, and since when it is kept at `now`.
    pub fn limits(&self, now: i64) -> Vec<(TenantId, i64)> {
        let entries = self.0.entries();
        let limited = entries.iter().filter(|(_, settings)| settings.history_days > 0);
        limited.map(|(tenant, settings)| (*tenant, settings.kept_from(now))).collect()
    }

    /// Follows the bucket for ever.
    pub async fn follow(&self) -> Result<()> {
        self.0.follow().await
    }
}

impl Settings {
    fn kept_from(self, now: i64) -> i64 {
        match self.history_days {
            0 => i64::MIN,
            days => now.saturating_sub(i64::from(days) * DAY_MS),
        }
    }
}

fn read(_: &str, value: &[u8]) -> Option<Settings> {
    let entry = coded::decode::<TenantEntry>(value)?;
    // Identity takes no other names than those of zones.
    Some(Settings { history_days: entry.history_days, zone: entry.time_zone.parse().unwrap_or(Tz::UTC) })
}
