//! A job of the program, which is killed in the middle of it.

use std::collections::BTreeSet;

use anyhow::Context as _;
use armada_testkit::{both_databases, eventually};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{SOON, site::Site};

/// Devices of the job.
const COUNT: u64 = 60;

/// Fifteen digits; whether the last one is right nobody minds.
fn imei(n: u64) -> String {
    (351_756_051_500_000 + n).to_string()
}

both_databases! {
    async fn a_killed_program_goes_on_where_it_was(kind: Kind) -> anyhow::Result<()> {
        let site = Site::new(kind).await;
        let mut armada = site.run().await;
        let owner = site.owner().await?;
        let tenant = owner.post("/api/v1/tenants", json!({ "name": "Harbour" })).await?.expect(StatusCode::CREATED);
        for n in 0..COUNT {
            let device = json!({ "tenant_id": tenant["id"], "imei": imei(n), "name": format!("Truck {n}") });
            owner.post("/api/v1/devices", device).await?.expect(StatusCode::CREATED);
        }
        let wanted = json!({ "filter": {}, "update": { "maintenance_status": "Crane" } });
        let job = owner.post("/api/v1/devices/bulk", wanted).await?.expect(StatusCode::ACCEPTED);
        let path = format!("/api/v1/jobs/fleet/{}", job["id"].as_str().context("an id")?);
        let begun = eventually("the job is in the middle", SOON, async || {
            let job = owner.get(&path).await?.expect(StatusCode::OK);
            anyhow::ensure!(job["done"].as_u64() > Some(2), "{job}");
            Ok(job)
        })
        .await;
        armada.kill();
        assert_eq!(begun["status"], "running", "it was killed before the end");

        let _armada = site.run().await;
        let owner = site.owner().await?;
        let job = eventually("the job is over", SOON, async || {
            let job = owner.get(&path).await?.expect(StatusCode::OK);
            anyhow::ensure!(job["finished_at"].is_string(), "{job}");
            Ok(job)
        })
        .await;
        assert_eq!((&job["status"], &job["done"], &job["failed"]), (&json!("completed"), &json!(COUNT), &json!(0)));
        assert_eq!(job["started_at"], begun["started_at"]);
        let devices = owner.get("/api/v1/devices?page_size=500").await?.expect(StatusCode::OK);
        let versions = |device: &Value| (device["row_version"].clone().to_string(), device["maintenance_status"].to_string());
        let seen: BTreeSet<_> = devices["items"].as_array().context("items")?.iter().map(versions).collect();
        assert_eq!(seen, [("2".to_owned(), "\"Crane\"".to_owned())].into(), "each was changed once");
        Ok(())
    }
}
