//! `armada migrate`: makes or updates schemas, streams and buckets.

use anyhow::Result;

use crate::{config::Config, data_dir, nats::Nats, services};

/// Migrates everything, and nothing else.
pub(crate) async fn run(config: &Config) -> Result<()> {
    data_dir::create(&config.data_dir)?;
    let nats = Nats::running_or_own(config)?;
    let bus = nats.connect("armada-migrate").await?;
    services::migrate(config, &bus).await
}
