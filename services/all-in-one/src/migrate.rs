//! `armada migrate`: makes or updates schemas, streams and buckets.

use anyhow::Result;

use crate::{config::Config, data_dir, nats::Nats, services, wait_args::WaitArgs};

/// Migrates everything, and nothing else.
pub(crate) async fn run(wait_args: WaitArgs, config: &Config) -> Result<()> {
    if config.needs_data_dir(true) {
        data_dir::create(&config.data_dir)?;
    }
    let nats = Nats::running_or_own(config)?;
    let connect = async |left| nats.try_connect(None, "armada-migrate", left).await;
    let bus = wait_args.connect(config, connect, true, |_| {}).await?;
    services::migrate(config, &bus).await
}
