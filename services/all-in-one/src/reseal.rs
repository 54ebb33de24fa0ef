//! `armada reseal`: after the secret key was changed.

use anyhow::{Result, ensure};
use armada_runtime::Database;

use crate::{
    config::Config,
    services::{self, Role},
};

/// Seals anew what the former key has sealed in the databases of identity and fleet.
#[allow(clippy::print_stdout, reason = "this is what the command is to print")]
pub(crate) async fn run(config: &Config) -> Result<()> {
    let (identity, fleet) = (config.identity()?, services::fleet(config, Role::ALL)?);
    ensure!(
        identity.secret_key_former.is_some() || fleet.secret_key_former.is_some(),
        "ARMADA_SECRET_KEY_FORMER is not set: it is the key that secrets are sealed with until now"
    );
    let location = config.location();
    let of = armada_identity::reseal(&Database::open(&location, armada_identity::NAME).await?, &identity).await?;
    let (done, lost) = armada_fleet::reseal(&Database::open(&location, armada_fleet::NAME).await?, &fleet).await?;
    println!("{} secrets sealed anew", of.done + done);
    let lost = of.lost + lost;
    ensure!(lost == 0, "{lost} secrets are sealed with neither key");
    Ok(())
}
