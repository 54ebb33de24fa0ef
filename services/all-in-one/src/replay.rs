//! `armada replay`: publishes a recorded trace.

use std::{collections::HashMap, time::Instant};

use anyhow::Result;
use armada_position_ingest as ingest;
use armada_replay::{RETRY_DELAY, Replay, ReplayArgs, START_TIMEOUT, with_retries};
use armada_runtime::Database;

use crate::{
    config::Config,
    data_dir,
    nats::Nats,
    services::{self, Role},
};

/// Registers the devices if asked to, and publishes.
pub(crate) async fn run(args: ReplayArgs, config: &Config) -> Result<()> {
    let replay = Replay::open(args)?;
    if config.needs_data_dir(true) {
        data_dir::create(&config.data_dir)?;
    }
    let nats = nats(config).await?;
    let bus = with_retries(async || nats.connect("armada-replay").await).await?;
    if replay.registers() {
        let roles = [Role::Identity, Role::Fleet];
        let devices = with_retries(async || {
            let context = services::context(config, bus.clone(), HashMap::new(), &roles, "replay").await?;
            services::while_they_run(config, &context, &roles, replay.register(&context)).await
        });
        let devices = devices.await?;
        if replay.only_registers() {
            return armada_replay::print_devices(&devices);
        }
    }
    let db = Database::open(&config.location(), ingest::NAME).await?;
    let gateways = with_retries(async || nats.connect_to_gateways("armada-replay").await).await?;
    replay.publish(&bus, &gateways, &db).await
}

/// The server that it is told, or that of a running Armada. Where one runs whose server is away for a moment, a second
/// server on the same files would only be in its way.
async fn nats(config: &Config) -> Result<Nats> {
    let started = Instant::now();
    loop {
        match Nats::running(config) {
            Ok(nats) => return Ok(nats),
            Err(_) if data_dir::Lock::is_taken(&config.data_dir) && started.elapsed() < START_TIMEOUT => {
                tokio::time::sleep(RETRY_DELAY).await;
            }
            Err(_) => return Nats::running_or_own(config),
        }
    }
}
