//! Logs of the process: readable lines on a terminal, JSON elsewhere. `ARMADA_LOG` filters them, in the syntax of
//! `tracing_subscriber`'s `EnvFilter`.

use std::io::IsTerminal;

use tracing_subscriber::{EnvFilter, fmt, prelude::*};

/// Installs the log writer. Call once, in `main`.
pub fn init() {
    let filter = EnvFilter::try_from_env("ARMADA_LOG")
        .unwrap_or_else(|_| EnvFilter::new("info,async_nats=error,sqlx=warn,sea_orm_migration=warn"));
    let registry = tracing_subscriber::registry().with(filter);
    if std::io::stderr().is_terminal() {
        registry.with(fmt::layer().with_target(false).with_writer(std::io::stderr)).init();
    } else {
        registry.with(fmt::layer().json().with_writer(std::io::stderr)).init();
    }
}
