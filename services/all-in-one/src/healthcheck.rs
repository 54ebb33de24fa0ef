//! `armada healthcheck`: asks the admin port of the process beside it, for images without a shell.

use std::{net::ToSocketAddrs, time::Duration};

use anyhow::{Context as _, Result, ensure};

use crate::{config::Config, run};

const TIMEOUT: Duration = Duration::from_secs(4);

/// Fails when `/readyz` says no, and says what it said.
pub(crate) async fn run(config: &Config) -> Result<()> {
    let mut addresses = config.admin_addr.to_socket_addrs().context("admin_addr")?;
    let address = run::reachable(addresses.next().context("admin_addr names no address")?);
    let url = format!("http://{address}/readyz");
    let client = reqwest::Client::builder().timeout(TIMEOUT).build()?;
    let reply = client.get(&url).send().await?;
    let status = reply.status();
    ensure!(status.is_success(), "{url}: {status}: {}", reply.text().await?);
    Ok(())
}
