//! Devices from files, as the console imports them.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::site::Site;

/// Rows of a file: as many as an import takes.
pub const FILE: usize = 10_000;
const JOB_DEADLINE: Duration = Duration::from_secs(600);

/// Imports a CSV file of at most [`FILE`] devices, and waits until it is done. Each row has to be right.
pub async fn devices(site: &Site, tenant: &str, csv: String) -> Result<()> {
    let path = format!("/api/v1/devices/import?mode=valid&tenant_id={tenant}");
    let job = site.upload(&path, "text/csv", csv).await?;
    completed(site, &job).await
}

/// Waits until a job is over; an error if any of its items failed.
pub async fn completed(site: &Site, job: &Value) -> Result<()> {
    let path = format!("/api/v1/jobs/fleet/{}", job["id"].as_str().with_context(|| format!("no job: {job}"))?);
    let (token, started) = (site.token().await?, Instant::now());
    while started.elapsed() < JOB_DEADLINE {
        let job = site.get_with(&path, &token).await?;
        if job["finished_at"].is_string() {
            ensure!(job["status"] == "completed" && job["failed"] == 0, "{job}");
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    anyhow::bail!("a job is not over after {JOB_DEADLINE:?}")
}
