//! What the program tells of itself: traces, readiness, log lines, metrics.

mod log_hygiene;
mod metrics;
mod readiness;
mod traces;

use std::fs;

use crate::support::{SOON, site::Site};
use anyhow::{Context as _, Result, ensure};
use armada_testkit::{Api, eventually};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support;

/// A name for the log of the program.
const LOG: &str = "armada";
/// An IMEI with a right check digit.
const IMEI: &str = "356938035643809";

/// A tenant with one device.
struct Device {
    tenant: String,
    id: String,
}

impl Device {
    async fn create(owner: &Api, headers: &[(&str, &str)]) -> Result<Self> {
        let tenant = owner.post("/api/v1/tenants", json!({ "name": "Observed" })).await?.expect(StatusCode::CREATED);
        let tenant = tenant["id"].as_str().context("an id")?.to_owned();
        let body = json!({ "tenant_id": tenant, "imei": IMEI, "name": "Truck" });
        let created = owner.request(http::Method::POST, "/api/v1/devices", headers, Some(&body)).await?;
        let id = created.expect(StatusCode::CREATED)["id"].as_str().context("an id")?.to_owned();
        Ok(Self { tenant, id })
    }

    /// Waits until its last position is this one.
    async fn is_at(&self, owner: &Api, recorded_at: &str) {
        eventually("the fix arrives", SOON, async || {
            let path = format!("/api/v1/last-positions?tenant_id={}", self.tenant);
            let last = owner.get(&path).await?.expect(StatusCode::OK);
            let items = last["items"].as_array().context("items")?;
            let found = items.iter().find(|item| item["device_id"] == self.id.as_str()).context("no position")?;
            ensure!(found["recorded_at"] == recorded_at, "{found}");
            Ok(())
        })
        .await;
    }
}

/// Everything that a process wrote to standard error.
fn whole_log(site: &Site, name: &str) -> String {
    fs::read_to_string(site.folder().join(format!("{name}.log"))).expect("the log")
}

/// A site without the demonstration, whose vehicles would talk in between.
fn quiet(mut site: Site) -> Site {
    site.set("ARMADA_DEMO", "0");
    site
}

fn fix(recorded_at: &str, lat: f64, lng: f64) -> Value {
    json!({ "recorded_at": recorded_at, "lat": lat, "lng": lng, "speed": 36.0 })
}

/// Now, and a little earlier, so that no clock takes it for the future.
fn just_now() -> String {
    (armada_proto::Timestamp::from_millis(armada_proto::Timestamp::now().millis() / 1000 * 1000 - 1000)).to_rfc3339()
}
