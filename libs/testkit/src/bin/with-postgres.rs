//! Runs a command whose test processes share one PostgreSQL: `with-postgres cargo test …`. It ends with the command.

use std::process::{Command, ExitCode};

use anyhow::Context;
use armada_testkit::{Durability, Postgres, SHARED_PORT};

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    let program = words.next().context("usage: with-postgres COMMAND [ARGUMENT]...")?;
    let postgres = Postgres::start(Durability::Fast);
    postgres.make_roles().await;
    let mut command = Command::new(program);
    let status = command.args(words).env(SHARED_PORT, postgres.port().to_string()).status().context("the command")?;
    Ok(match status.code().map(u8::try_from) {
        Some(Ok(code)) => ExitCode::from(code),
        _ => ExitCode::FAILURE,
    })
}
