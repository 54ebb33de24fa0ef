//! The parts of measurements that a browser does, in `web-console/bench/`.

use std::{ffi::OsString, path::Path};

use anyhow::{Result, ensure};
use tokio::process::Command;

use crate::site::{EMAIL, PASSWORD, Site};

const CONSOLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web-console");

/// Runs one of them against a program, with settings of its own; it prints what it finds and adds it to
/// docs/BENCHMARKS.md.
pub async fn run(site: &Site, file: &str, settings: impl IntoIterator<Item = (&'static str, OsString)>) -> Result<()> {
    let status = Command::new("npx")
        .args(["playwright", "test", "--config", "bench/playwright.config.ts", file])
        .current_dir(Path::new(CONSOLE))
        .env("ARMADA_BENCH_URL", format!("http://{}", site.http_addr))
        .env("ARMADA_BENCH_METRICS", format!("http://{}/metrics", site.admin_addr))
        .env("ARMADA_BENCH_EMAIL", EMAIL)
        .env("ARMADA_BENCH_PASSWORD", PASSWORD)
        .env("ARMADA_BENCH_FOLDER", &site.folder)
        .envs(settings)
        .kill_on_drop(true)
        .status()
        .await?;
    ensure!(status.success(), "the browser's part ended with {status}");
    Ok(())
}
