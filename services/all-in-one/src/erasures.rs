//! `armada erasures`: the erase ledger as text, to keep a copy of it and to carry it to another NATS cluster.

use std::{
    collections::HashMap,
    io::{BufRead, stdin},
};

use anyhow::{Context as _, Result};
use armada_proto::{
    TenantId,
    v1::{Erasure, ErasureState},
};
use armada_runtime::{Erasures, KeyRing, Policies};
use clap::Subcommand;
use serde::{Deserialize, Serialize};

use crate::{
    config::Config,
    data_dir,
    nats::Nats,
    services::{self, Role},
};

/// Keep a copy of which tenants are deleted and erased, or carry it to another NATS cluster.
#[derive(Subcommand)]
pub(crate) enum ErasuresCommand {
    /// Print the ledger: a line of JSON for each tenant.
    Export,
    /// Read such lines from standard input. An entry that is there stays, unless the line says that the tenant is erased.
    Import,
}

/// A line of the copy.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    tenant: TenantId,
    state: State,
    /// Milliseconds since 1970.
    deleted_at: i64,
    /// Milliseconds since 1970.
    erase_after: i64,
}

/// [`ErasureState`] as a word.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Deleted,
    Restored,
    Erased,
}

/// Does it.
pub(crate) async fn run(command: ErasuresCommand, config: &Config) -> Result<()> {
    data_dir::create(&config.data_dir)?;
    let nats = Nats::running_or_own(config)?;
    let bus = nats.connect("armada-erasures").await?;
    KeyRing::migrate(&bus).await?;
    Policies::migrate(&bus).await?;
    Erasures::migrate(&bus).await?;
    // Only identity writes the ledger, so that this needs its secret.
    let context = services::context(config, bus, HashMap::new(), &[Role::Identity], "armada").await?;
    let ledger = Erasures::open_own(&context.of(Role::Identity.name())?).await?;
    match command {
        ErasuresCommand::Export => export(&ledger).await,
        ErasuresCommand::Import => import(&ledger).await,
    }
}

#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
async fn export(ledger: &Erasures) -> Result<()> {
    for (tenant, erasure) in ledger.all().await? {
        let state = match erasure.state() {
            ErasureState::Deleted => State::Deleted,
            ErasureState::Restored => State::Restored,
            ErasureState::Erased => State::Erased,
            ErasureState::Unspecified => continue,
        };
        let Erasure { deleted_at, erase_after, .. } = erasure;
        println!("{}", serde_json::to_string(&Line { tenant, state, deleted_at, erase_after })?);
    }
    Ok(())
}

async fn import(ledger: &Erasures) -> Result<()> {
    for (number, text) in stdin().lock().lines().enumerate() {
        let text = text?;
        let line: Line = serde_json::from_str(&text).with_context(|| format!("line {}", number + 1))?;
        let state = match line.state {
            State::Deleted => ErasureState::Deleted,
            State::Restored => ErasureState::Restored,
            State::Erased => ErasureState::Erased,
        };
        let (known, revision) = ledger.of(line.tenant).await?;
        let is_news = known.is_none_or(|known| known.state() != state && state == ErasureState::Erased);
        if is_news {
            let Line { deleted_at, erase_after, .. } = line;
            ledger
                .write(line.tenant, &Erasure { state: state.into(), deleted_at, erase_after, actor_id: None }, revision)
                .await?;
        }
    }
    Ok(())
}
