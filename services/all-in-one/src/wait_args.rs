//! Waiting for NATS, the database and `armada migrate`, which may be started at the same time.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use armada_runtime::{Bus, error::one_line};
use clap::Args;

use crate::config::Config;

const PAUSE: Duration = Duration::from_secs(1);

/// How long to wait.
#[derive(Args, Clone, Copy)]
pub(crate) struct WaitArgs {
    /// Seconds to wait for NATS and the database when they are not there yet, and as many for schemas that fit.
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    wait: u64,
}

impl WaitArgs {
    /// Connects to NATS and, if a database is needed, waits until it lets services in. `connect` is told how much time is left,
    /// `on_missing` hears what is missing.
    pub(crate) async fn connect(
        self,
        config: &Config,
        connect: impl AsyncFn(Duration) -> Result<Bus>,
        stores: bool,
        on_missing: impl Fn(&str),
    ) -> Result<Bus> {
        let deadline = Instant::now() + Duration::from_secs(self.wait);
        let bus = until(deadline, &on_missing, connect).await?;
        if stores {
            let location = config.location();
            let reach = async |_| location.reach().await.with_context(|| config.database_name());
            until(deadline, &on_missing, reach).await?;
        }
        Ok(bus)
    }

    /// Waits until somebody else has migrated, which `verify` tells.
    pub(crate) async fn migrated(self, verify: impl AsyncFn() -> Result<()>, on_missing: impl Fn(&str)) -> Result<()> {
        until(Instant::now() + Duration::from_secs(self.wait), &on_missing, async |_| verify().await).await
    }
}

/// Asks until it succeeds or the deadline is there; `ask` is told how much time is left.
async fn until<T>(
    deadline: Instant,
    on_missing: &impl Fn(&str),
    ask: impl AsyncFn(Duration) -> Result<T>,
) -> Result<T> {
    let mut reported = String::new();
    loop {
        let error = match ask(deadline.saturating_duration_since(Instant::now())).await {
            Ok(found) => return Ok(found),
            Err(error) if Instant::now() + PAUSE >= deadline => return Err(error),
            Err(error) => one_line(error.as_ref()),
        };
        if error != reported {
            tracing::warn!("waiting for {error}");
            on_missing(&error);
            reported = error;
        }
        tokio::time::sleep(PAUSE).await;
    }
}
