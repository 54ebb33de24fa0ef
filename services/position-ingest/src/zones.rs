//! In which time zone the days of a tenant begin: identity is asked once a minute, and at once of a tenant that is not known
//! yet. Nothing waits for it: until it has answered, days go on as they were.

use std::{
    collections::HashMap,
    sync::{
        Arc, RwLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use armada_proto::{
    TenantId,
    v1::{ListTenantsRequest, tenants_client::TenantsClient},
};
use armada_runtime::{Context, Error, Result, Scope, ServiceKey, Transport, auth::IDENTITY};
use armada_track::Day;
use chrono_tz::Tz;
use foldhash::fast::RandomState;
use tokio::{sync::Notify, time::sleep};

/// How often identity is asked.
const EVERY: Duration = Duration::from_secs(60);
/// The shortest time between two questions.
const AT_MOST_EVERY: Duration = Duration::from_secs(1);
/// When it is asked again after it did not answer.
const RETRY: Duration = Duration::from_secs(5);
/// Tenants of one question.
const PAGE: u32 = 500;

/// The time zones of tenants. Cheap to clone.
#[derive(Clone, Default)]
pub struct Zones(Arc<Inner>);

#[derive(Default)]
struct Inner {
    of: RwLock<HashMap<TenantId, Tz, RandomState>>,
    version: AtomicU32,
    wanted: Notify,
}

/// The work that asks for them.
pub struct ZonesFollower {
    zones: Zones,
    tenants: Result<TenantsClient<Transport>>,
    service_key: ServiceKey,
}

impl Zones {
    /// Nothing is known yet; the work asks.
    pub fn new(context: &Context) -> (Self, ZonesFollower) {
        let zones = Self::default();
        let tenants = context.peers.transport(IDENTITY).map(TenantsClient::new);
        let service_key = context.service_key.clone();
        (zones.clone(), ZonesFollower { zones, tenants, service_key })
    }

    /// Grows whenever the zone of any tenant is another one than before.
    pub fn version(&self) -> u32 {
        self.0.version.load(Ordering::Acquire)
    }

    /// The day of an instant, in milliseconds since 1970, for a tenant; none while its zone is not known.
    pub fn day(&self, tenant: TenantId, at: i64) -> Option<Day> {
        let zone = self.0.of.read().expect("no panic while held").get(&tenant).copied();
        if zone.is_none() {
            self.0.wanted.notify_one();
        }
        zone.map(|zone| Day::of(at, zone))
    }

    fn replace(&self, all: HashMap<TenantId, Tz, RandomState>) {
        let mut of = self.0.of.write().expect("no panic while held");
        if *of != all {
            *of = all;
            self.0.version.fetch_add(1, Ordering::Release);
        }
    }
}

impl ZonesFollower {
    /// Asks for ever. A process that cannot reach identity says so once, and has days of UTC.
    pub async fn follow(self) -> Result<()> {
        let tenants = match self.tenants {
            Ok(tenants) => tenants,
            Err(error) => {
                tracing::warn!(%error, "time zones of tenants are not known: days of vehicles are those of UTC");
                return std::future::pending().await;
            }
        };
        loop {
            match ask(tenants.clone(), &self.service_key).await {
                Ok(all) => self.zones.replace(all),
                Err(error) => {
                    tracing::warn!(%error, "cannot ask for the time zones of tenants; will try again");
                    sleep(RETRY).await;
                    continue;
                }
            }
            sleep(AT_MOST_EVERY).await;
            tokio::select! {
                () = self.zones.0.wanted.notified() => {}
                () = sleep(EVERY) => {}
            }
        }
    }
}

async fn ask(mut tenants: TenantsClient<Transport>, key: &ServiceKey) -> Result<HashMap<TenantId, Tz, RandomState>> {
    let asking = key.caller(Scope::Platform, None)?;
    let mut zones = HashMap::default();
    for page in 1.. {
        let request = ListTenantsRequest { page, page_size: PAGE, ..ListTenantsRequest::default() };
        let list = tenants.list(asking.sign(request)).await.map_err(Error::from)?.into_inner();
        for tenant in &list.items {
            // Identity takes no other names than those of zones.
            zones.insert(tenant.id.parse()?, tenant.time_zone.parse().unwrap_or(Tz::UTC));
        }
        if list.items.len() < PAGE as usize {
            break;
        }
    }
    Ok(zones)
}
