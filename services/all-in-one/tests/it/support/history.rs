//! What a client finds in history, compared with what must be there.

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Context as _, Result, ensure};
use armada_proto::Timestamp;
use armada_testkit::{Api, eventually};
use http::{StatusCode, header::RETRY_AFTER};
use serde_json::Value;

use super::trace::{Expected, Track, fixes};

/// A wide half-open range of time.
const RANGE: &str = "from=2000-01-01T00:00:00Z&to=2090-01-01T00:00:00Z";

/// A tenant's devices, by IMEI.
pub struct Fleet {
    pub tenant: String,
    pub devices: BTreeMap<String, String>,
}

impl Fleet {
    /// Of the tenant of that name.
    pub async fn of(owner: &Api, name: &str) -> Result<Self> {
        let tenants = owner.get(&format!("/api/v1/tenants?page_size=500&q={name}")).await?.json();
        let tenants = tenants["items"].as_array().context("a list of tenants")?.clone();
        let found = tenants.iter().find(|tenant| tenant["name"] == name).context("the tenant")?;
        let tenant = found["id"].as_str().context("an id")?.to_owned();
        let (mut devices, mut next) = (BTreeMap::new(), Some(String::new()));
        while let Some(after) = next {
            let list =
                owner.get(&format!("/api/v1/devices?tenant_id={tenant}&after={after}&page_size=500")).await?.json();
            let items = list["items"].as_array().context("a list of devices")?.clone();
            for device in &items {
                let text = |key: &str| device[key].as_str().unwrap_or_default().to_owned();
                devices.insert(text("imei"), text("id"));
            }
            next = list["next"].as_str().map(str::to_owned);
        }
        Ok(Self { tenant, devices })
    }

    /// The id of a device.
    pub fn id(&self, imei: &str) -> Result<&str> {
        self.devices.get(imei).map(String::as_str).with_context(|| format!("device {imei}"))
    }
}

/// What GET answers.
pub async fn read(owner: &Api, path: &str) -> Result<Value> {
    Ok(serde_json::from_str(&read_text(owner, path).await?)?)
}

/// The same as text. Whoever reads many is told to wait now and then, and does.
async fn read_text(owner: &Api, path: &str) -> Result<String> {
    let reply = loop {
        let reply = owner.get(path).await?;
        if reply.status != StatusCode::TOO_MANY_REQUESTS {
            break reply;
        }
        let seconds = reply.headers.get(RETRY_AFTER).context("Retry-After")?.to_str()?.parse()?;
        tokio::time::sleep(Duration::from_secs(seconds)).await;
    };
    ensure!(reply.status.is_success(), "{path}: {} {}", reply.status, reply.text);
    Ok(reply.text)
}

/// A position as it comes over REST: of the hundreds of thousands of a replay only what is compared is kept.
#[derive(Debug, serde::Deserialize)]
pub struct Fix {
    #[serde(default)]
    device_id: String,
    /// RFC 3339.
    pub recorded_at: String,
    lat: f64,
    lng: f64,
}

impl Fix {
    /// Its instant, in milliseconds since 1970.
    fn at(&self) -> Result<i64> {
        Ok(Timestamp::parse_rfc3339(&self.recorded_at).context("recorded_at")?.millis())
    }

    /// Its place, in 1e-7 degrees.
    fn place(&self) -> (i32, i32) {
        let degrees = |value: f64| (value * 1e7).round() as i32;
        (degrees(self.lat), degrees(self.lng))
    }
}

#[derive(serde::Deserialize)]
struct Fixes {
    items: Vec<Fix>,
}

/// The track of a device as it comes over REST.
pub async fn track(owner: &Api, device: &str) -> Result<Vec<Fix>> {
    let track = read_text(owner, &format!("/api/v1/devices/{device}/track?{RANGE}")).await?;
    Ok(serde_json::from_str::<Fixes>(&track)?.items)
}

/// Waits until history is exactly what it must be: every fix once, nothing else, and the newest as last position. Each device is
/// waited for by itself: to read everything takes a busy machine a minute, and is not begun again for what comes late.
pub async fn equals(owner: &Api, tenant: &str, expected: &Expected, deadline: Duration) {
    let fleet = eventually("the devices are there", deadline, async || {
        let fleet = Fleet::of(owner, tenant).await?;
        last_positions_equal(owner, &fleet, expected).await?;
        Ok(fleet)
    })
    .await;
    let what = format!("history has exactly {} fixes of {} devices", fixes(expected), expected.len());
    for (imei, wanted) in expected {
        eventually(&what, deadline, async || track_equals(owner, &fleet, imei, wanted).await).await;
    }
}

/// The first difference, as an error.
pub async fn differences(owner: &Api, tenant: &str, expected: &Expected) -> Result<()> {
    let fleet = Fleet::of(owner, tenant).await?;
    last_positions_equal(owner, &fleet, expected).await?;
    for (imei, wanted) in expected {
        track_equals(owner, &fleet, imei, wanted).await?;
    }
    Ok(())
}

async fn track_equals(owner: &Api, fleet: &Fleet, imei: &str, wanted: &Track) -> Result<()> {
    let found = track(owner, fleet.id(imei)?).await?;
    let found = found.iter().map(|fix| Ok((fix.at()?, fix.place()))).collect::<Result<Vec<_>>>()?;
    ensure!(found.is_sorted_by(|a, b| a.0 < b.0), "{imei}: not ascending, or doubled");
    let missing = wanted.keys().filter(|at| found.binary_search_by_key(*at, |fix| fix.0).is_err()).count();
    let surplus = found.iter().filter(|(at, _)| !wanted.contains_key(at)).count();
    ensure!(missing == 0 && surplus == 0, "{imei}: {missing} missing, {surplus} too many of {}", wanted.len());
    for (at, place) in &found {
        ensure!(wanted[at].contains(place), "{imei}: at {at} there is {place:?}, wanted {:?}", wanted[at]);
    }
    Ok(())
}

async fn last_positions_equal(owner: &Api, fleet: &Fleet, expected: &Expected) -> Result<()> {
    let list = owner.get(&format!("/api/v1/last-positions?tenant_id={}", fleet.tenant)).await?;
    let mut found = BTreeMap::new();
    for fix in serde_json::from_str::<Fixes>(&list.text)?.items {
        found.insert(fix.device_id.clone(), fix.at()?);
    }
    for (imei, wanted) in expected {
        let newest = wanted.keys().next_back().copied();
        let found = found.get(fleet.id(imei)?).copied();
        ensure!(found == newest, "{imei}: the last position is of {found:?}, wanted {newest:?}");
    }
    Ok(())
}
