//! `armada healthcheck`: asks the admin port of the process beside it, for images without a shell.

use std::net::ToSocketAddrs;

use anyhow::{Context as _, Result, ensure};
use armada_runtime::https;

use crate::{config::Config, http, run};

/// Fails when `/readyz` says no, and says what it said.
pub(crate) async fn run(config: &Config) -> Result<()> {
    let mut addresses = config.admin_addr.to_socket_addrs().context("admin_addr")?;
    let address = run::reachable(addresses.next().context("admin_addr names no address")?);
    let url = format!("http://{address}/readyz");
    let (status, text) = http::get(&https::client()?, &url).await?;
    ensure!(status.is_success(), "{url}: {status}: {text}");
    Ok(())
}
