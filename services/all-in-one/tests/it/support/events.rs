//! What a client finds of events, compared with what must be there: what the fixes show, whoever noticed it and however often.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};
use armada_proto::Timestamp;
use armada_testkit::{Api, eventually};
use armada_track::{DeviceState, EventLimits, EventWatch, Outcome, Position, Report, Thresholds};
use http::StatusCode;
use serde_json::json;

use super::{
    history::{self, Fleet},
    site::Site,
};

/// What vehicles may go, km/h, where [`limit_speed`] has set it: less than those of generated traces go now and then.
pub const SPEED_LIMIT: u32 = 100;
/// What the passing of time shows as well, which is another one than that of a trace.
const TIMED: [&str; 2] = ["device.offline", "device.online"];

/// What follows from how a vehicle moves: which of its fixes shows it depends on when what came late before was derived.
const MOVING: [&str; 3] = ["vehicle.towing", "vehicle.idling", "vehicle.parked_too_long"];
/// So far apart they are one happening all the same, milliseconds.
const ONE_MS: i64 = 60_000;

/// IMEI, kind, and when it happened, milliseconds since 1970.
type EventKey = (String, String, i64);

/// What fixes show, those of each vehicle in the order in which they come.
pub fn expected(fixes: impl IntoIterator<Item = (String, Report)>, speed_limit: u32) -> BTreeSet<EventKey> {
    let (now, thresholds) = (Timestamp::now().millis(), Thresholds::default());
    let limits = EventLimits { speed: speed_limit * 10, ..EventLimits::default() };
    let mut vehicles = BTreeMap::<String, (DeviceState, EventWatch, Option<Position>)>::new();
    let mut expected = BTreeSet::new();
    for (imei, report) in fixes {
        let (state, watch, newest) = vehicles.entry(imei.clone()).or_default();
        let mut events = Vec::new();
        match state.receive(report.clone(), now, newest.as_ref(), &thresholds) {
            Outcome::Live(position) => {
                watch.observe(&position, now, limits, &mut events);
                *newest = Some(position);
            }
            Outcome::Late(position) => watch.observe_late(&position.report, now, &mut events),
            outcome @ (Outcome::Repeat | Outcome::Refused(_)) => {
                watch.observe_alarm(&report, now, matches!(outcome, Outcome::Refused(_)), &mut events);
            }
        }
        let expected_events =
            events.into_iter().map(|event| (imei.clone(), event.kind.name().into_owned(), event.occurred_at));
        expected.extend(expected_events.filter(|(_, kind, _)| !TIMED.contains(&kind.as_str())));
    }
    expected
}

/// Waits until the events of a tenant are exactly these, each of them once, and nothing is there twice.
pub async fn equal(owner: &Api, tenant: &str, expected: &BTreeSet<EventKey>, deadline: Duration) {
    let kinds: BTreeSet<&str> = expected.iter().map(|(_, kind, _)| kind.as_str()).collect();
    // A trace in which little happens would prove little.
    assert!(kinds.len() >= 4, "{kinds:?}");
    let what = format!("there are exactly {} events of {} kinds", expected.len(), kinds.len());
    eventually(&what, deadline, async || {
        let found = of_tenant(owner, tenant).await?;
        let once: BTreeSet<&EventKey> = found.iter().collect();
        ensure!(once.len() == found.len(), "{} events are there twice", found.len() - once.len());
        let mut missing: Vec<_> = expected.iter().filter(|expected_events| !once.contains(expected_events)).collect();
        let is_surplus = |expected_events: &&EventKey| {
            !TIMED.contains(&expected_events.1.as_str()) && !expected.contains(*expected_events)
        };
        let mut surplus: Vec<_> = found.iter().filter(is_surplus).collect();
        missing.retain(|wanted| {
            let told = surplus.iter().position(|told| is_one(wanted, told));
            told.map(|told| surplus.remove(told)).is_none()
        });
        let agree = missing.is_empty() && surplus.is_empty();
        ensure!(
            agree,
            "{} missing, {:?}; {} too many, {:?}",
            missing.len(),
            missing.first(),
            surplus.len(),
            surplus.first()
        );
        Ok(())
    })
    .await;
}

/// Whether both are one happening of a vehicle, which another fix shows.
fn is_one((imei, kind, at): &EventKey, other: &EventKey) -> bool {
    let is_same = (imei, kind) == (&other.0, &other.1) && MOVING.contains(&kind.as_str());
    is_same && at.abs_diff(other.2) <= ONE_MS.unsigned_abs()
}

/// All events of a tenant's vehicles.
async fn of_tenant(owner: &Api, tenant: &str) -> Result<Vec<EventKey>> {
    let fleet = Fleet::of(owner, tenant).await?;
    let imeis: BTreeMap<&str, &str> = fleet.devices.iter().map(|(imei, id)| (id.as_str(), imei.as_str())).collect();
    let (mut found, mut next) = (Vec::new(), Some(String::new()));
    while let Some(after) = next {
        let path = format!("/api/v1/events?tenant_id={}&sort=occurred_at&after={after}&page_size=500", fleet.tenant);
        let list = history::read(owner, &path).await?;
        let items = list["items"].as_array().context("a list of events")?;
        for item in items {
            let text = |key: &str| item[key].as_str().with_context(|| format!("{key}: {item}"));
            let imei = imeis.get(text("device_id")?).context("a device of the tenant")?;
            let at = Timestamp::parse_rfc3339(text("occurred_at")?).context("occurred_at")?;
            found.push(((*imei).to_owned(), text("kind")?.to_owned(), at.millis()));
        }
        next = list["next"].as_str().map(str::to_owned);
    }
    Ok(found)
}

/// Makes the vehicles of a trace, which may go no faster than [`SPEED_LIMIT`].
pub async fn limit_speed(site: &Site, owner: &Api, file: &Path, tenant: &str) -> Result<()> {
    let path = file.to_str().context("a path that is text")?;
    let made = site.output(&["replay", path, "--register-only", "--tenant", tenant]);
    ensure!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    for id in Fleet::of(owner, tenant).await?.devices.values() {
        let limit = json!({ "speed_limit": SPEED_LIMIT });
        owner.put(&format!("/api/v1/devices/{id}"), limit).await?.expect(StatusCode::OK);
    }
    Ok(())
}
