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
use armada_runtime::{Bus, Erasures, KeyRing, Policies};
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
pub(crate) struct Line {
    pub(crate) tenant: TenantId,
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

impl Line {
    /// What the ledger says of a tenant; none when it says nothing that this version knows.
    fn of(tenant: TenantId, erasure: &Erasure) -> Option<Self> {
        let state = match erasure.state() {
            ErasureState::Deleted => State::Deleted,
            ErasureState::Restored => State::Restored,
            ErasureState::Erased => State::Erased,
            ErasureState::Unspecified => return None,
        };
        Some(Self { tenant, state, deleted_at: erasure.deleted_at, erase_after: erasure.erase_after })
    }

    /// Whether the tenant is gone for good.
    pub(crate) fn is_erased(&self) -> bool {
        matches!(self.state, State::Erased)
    }
}

impl State {
    fn to_message(self) -> ErasureState {
        match self {
            Self::Deleted => ErasureState::Deleted,
            Self::Restored => ErasureState::Restored,
            Self::Erased => ErasureState::Erased,
        }
    }
}

/// Does it.
pub(crate) async fn run(command: ErasuresCommand, config: &Config) -> Result<()> {
    data_dir::create(&config.data_dir)?;
    let nats = Nats::running_or_own(config)?;
    let ledger = open(config, &nats.connect("armada-erasures").await?).await?;
    match command {
        ErasuresCommand::Export => export(&ledger).await,
        ErasuresCommand::Import => import(&ledger, stdin().lock()).await,
    }
}

/// Opens the ledger. Only identity writes it, so that this needs its secret.
pub(crate) async fn open(config: &Config, bus: &Bus) -> Result<Erasures> {
    KeyRing::migrate(bus).await?;
    Policies::migrate(bus).await?;
    Erasures::migrate(bus).await?;
    let context = services::context(config, bus.clone(), HashMap::new(), &[Role::Identity], "armada").await?;
    Ok(Erasures::open_own(&context.of(Role::Identity.name())?).await?)
}

#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
async fn export(ledger: &Erasures) -> Result<()> {
    for line in lines(ledger).await? {
        println!("{}", serde_json::to_string(&line)?);
    }
    Ok(())
}

/// What the ledger says.
pub(crate) async fn lines(ledger: &Erasures) -> Result<Vec<Line>> {
    let entries = ledger.all().await?.into_iter();
    Ok(entries.filter_map(|(tenant, erasure)| Line::of(tenant, &erasure)).collect())
}

/// Reads lines of a copy; an error names the one that is none.
pub(crate) fn read(text: impl BufRead) -> impl Iterator<Item = Result<Line>> {
    text.lines()
        .enumerate()
        .map(|(number, text)| serde_json::from_str(&text?).with_context(|| format!("line {}", number + 1)))
}

/// Enters what a copy says and the ledger does not know. An entry stays, unless the copy says that the tenant is erased.
pub(crate) async fn import(ledger: &Erasures, text: impl BufRead) -> Result<()> {
    for line in read(text) {
        let line = line?;
        let state = line.state.to_message();
        let (known, revision) = ledger.of(line.tenant).await?;
        let is_new = known.is_none_or(|known| known.state() != state && line.is_erased());
        if is_new {
            let Line { deleted_at, erase_after, .. } = line;
            ledger
                .write(line.tenant, &Erasure { state: state.into(), deleted_at, erase_after, actor_id: None }, revision)
                .await?;
        }
    }
    Ok(())
}
