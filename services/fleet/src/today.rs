//! What day it is: for each tenant by its own time zone, so a list of all tenants may know three of them at once.

use std::collections::BTreeMap;

use armada_proto::{TenantId, Timestamp};
use armada_runtime::{Result, Scope, ServiceKey};
use armada_track::begin_of_day;
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;

use crate::identity::IdentityClient;

/// The days of all tenants of a scope.
#[derive(Debug, Clone)]
pub struct Today {
    /// Of whoever is not among the others.
    pub usual: NaiveDate,
    /// Whose day is another one.
    pub others: BTreeMap<NaiveDate, Vec<TenantId>>,
}

impl Default for Today {
    fn default() -> Self {
        Self { usual: in_zone(Tz::UTC), others: BTreeMap::new() }
    }
}

impl Today {
    /// As identity says what time zones they have.
    pub async fn of(identity: &IdentityClient, key: &ServiceKey, scope: Scope) -> Result<Self> {
        let mut today = Self::default();
        match scope {
            Scope::Tenant(tenant) => {
                let zone = identity.time_zone(key, tenant).await?;
                today.usual = zone.map_or(today.usual, in_zone);
            }
            Scope::Platform => today = Self::in_zones(identity.time_zones(key).await?),
        }
        Ok(today)
    }

    /// Of tenants with these time zones.
    pub fn in_zones(zones: impl IntoIterator<Item = (TenantId, Tz)>) -> Self {
        let mut today = Self::default();
        for (tenant, zone) in zones {
            let day = in_zone(zone);
            if day != today.usual {
                today.others.entry(day).or_default().push(tenant);
            }
        }
        today
    }

    /// The day of one.
    pub fn of_tenant(&self, tenant: TenantId) -> NaiveDate {
        let other = self.others.iter().find(|(_, tenants)| tenants.contains(&tenant));
        other.map_or(self.usual, |(day, _)| *day)
    }
}

/// The day that it is in a time zone.
pub fn in_zone(zone: Tz) -> NaiveDate {
    DateTime::<Utc>::from(std::time::SystemTime::now()).with_timezone(&zone).date_naive()
}

/// The day of an instant in a time zone.
pub fn of_instant(at: Timestamp, zone: Tz) -> Option<NaiveDate> {
    DateTime::<Utc>::from_timestamp_millis(at.millis()).map(|at| at.with_timezone(&zone).date_naive())
}

/// A day as it stands in messages and tables; none for no day.
pub fn parse(day: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()
}

/// When a day begins in a time zone.
pub fn begins(day: NaiveDate, zone: Tz) -> Option<Timestamp> {
    begin_of_day(day, zone).map(Timestamp::from_millis)
}

/// When a day, `YYYY-MM-DD`, is over in a time zone (IANA name). None when either is not what it should be.
pub fn end_of(day: &str, zone: &str) -> Option<Timestamp> {
    begins(parse(day)?.succ_opt()?, zone.parse().ok()?)
}
