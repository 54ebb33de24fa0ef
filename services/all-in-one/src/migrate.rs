//! `armada migrate`: makes or updates schemas, streams and buckets.

use anyhow::Result;

use crate::{config::Config, data_dir, nats::Nats, patience::Patience, services};

/// Migrates everything, and nothing else.
pub(crate) async fn run(patience: Patience, config: &Config) -> Result<()> {
    if config.needs_data_dir(true) {
        data_dir::create(&config.data_dir)?;
    }
    let nats = Nats::running_or_own(config)?;
    let bus = patience.connect(config, async || nats.connect("armada-migrate").await, true, |_| {}).await?;
    services::migrate(config, &bus).await
}
