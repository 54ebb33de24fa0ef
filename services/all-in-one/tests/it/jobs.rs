//! A job of the program, which is killed in the middle of it.

use std::collections::BTreeSet;

use anyhow::Context as _;
use armada_testkit::{both_databases, eventually};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{SOON, site::Site};

/// Devices of the job: so many that it is still busy with them when it is looked at.
const COUNT: u64 = 1_500;
/// Devices of a page.
const PAGE: u64 = 500;

/// Fifteen digits; whether the last one is right nobody minds.
fn imei(n: u64) -> String {
    (351_756_051_500_000 + n).to_string()
}

both_databases! {
    async fn killed_program_resumes_its_jobs(kind: Kind) -> anyhow::Result<()> {
        let site = Site::new(kind).await;
        let mut armada = site.run().await;
        let owner = site.owner().await?;
        let tenant = owner.post("/api/v1/tenants", json!({ "name": "Harbour" })).await?.expect(StatusCode::CREATED);
        let tenant = tenant["id"].as_str().context("an id")?;
        let rows: String = (0..COUNT).map(|n| format!("{},Truck {n}\n", imei(n))).collect();
        let import = format!("/api/v1/devices/import?mode=valid&tenant_id={tenant}&column=imei&column=name");
        let report = owner.upload(&import, "text/csv", format!("IMEI,Name\n{rows}").into_bytes()).await?;
        let made = report.expect(StatusCode::ACCEPTED)["id"].as_str().context("a job")?.to_owned();
        eventually("the devices are there", SOON, async || {
            let job = owner.get(&format!("/api/v1/jobs/fleet/{made}")).await?.expect(StatusCode::OK);
            anyhow::ensure!(job["done"] == COUNT, "{job}");
            Ok(())
        })
        .await;
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
        let versions = |device: &Value| (device["row_version"].clone().to_string(), device["maintenance_status"].to_string());
        let mut seen = BTreeSet::new();
        for page in 1..=COUNT / PAGE {
            let path = format!("/api/v1/devices?page_size={PAGE}&page={page}");
            let devices = owner.get(&path).await?.expect(StatusCode::OK);
            seen.extend(devices["items"].as_array().context("items")?.iter().map(versions));
        }
        assert_eq!(seen, [("2".to_owned(), "\"Crane\"".to_owned())].into(), "each was changed once");
        Ok(())
    }
}
