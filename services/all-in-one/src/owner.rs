//! `armada owner`: platform owners, made and let in again by whoever runs the machine.

use std::collections::HashMap;

use anyhow::{Context, Result};
use armada_identity as identity;
use armada_runtime::{Database, Error};
use clap::Subcommand;

use crate::{
    config::Config,
    nats::Nats,
    services::{self, Role},
};

/// Make platform owners, or let them in again.
#[derive(Subcommand)]
pub(crate) enum OwnerCommand {
    /// Make another platform owner. Prints their password, once.
    Add {
        /// The address to sign in with.
        email: String,
        /// What the console calls them.
        #[arg(long)]
        name: Option<String>,
    },
    /// Give a platform owner a new password, printed once. Their sessions end, their second factor is removed, and they are
    /// not barred any more.
    Reset {
        /// The address that they sign in with.
        email: String,
    },
}

/// Does it.
#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
pub(crate) async fn run(command: OwnerCommand, config: &Config) -> Result<()> {
    let (email, password) = match command {
        OwnerCommand::Add { email, name } => {
            let db = Database::open(&config.location(), identity::NAME).await?;
            let password = identity::add_owner(&db, &email, name.as_deref()).await;
            (email.clone(), password.map_err(field_error).context(email)?)
        }
        OwnerCommand::Reset { email } => {
            let nats = Nats::running_or_own(config)?;
            let bus = nats.connect("armada-owner").await?;
            let context = services::context(config, bus, HashMap::new(), &[Role::Identity], "owner").await?;
            let password = identity::reset_owner(&context, &email).await;
            (email.clone(), password.map_err(field_error).context(email)?)
        }
    };
    println!("  sign in   {email}\n  password  {password}\nIt is shown this once and stored nowhere.");
    Ok(())
}

/// The words of a field's error: there is no form to show it in.
fn field_error(error: Error) -> anyhow::Error {
    let codes: Vec<_> = error.fields.iter().map(|(field, code)| format!("{field}: {code}")).collect();
    if codes.is_empty() { error.into() } else { anyhow::anyhow!(codes.join(", ")) }
}
