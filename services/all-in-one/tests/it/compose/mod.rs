//! `docker-compose.yml` without an engine: the same programs with the same arguments, variables and files as in the
//! containers, as processes of this machine. Names of containers become ports here; nothing else is different.

mod files;
pub(crate) mod nats_rights;
mod numbers;
pub(crate) mod serving;
pub(crate) mod settings;
pub(crate) mod stack;

use std::collections::BTreeMap;

use anyhow::Result;
use armada_runtime::nkey::AccountKey;

use crate::support::compose;

pub(crate) const IMEI: &str = "356307042441013";
pub(crate) const EMAIL: &str = "root@example.org";

/// Variables as `deploy/make-env` writes them, with a first sign-in.
pub(crate) fn variables(public_url: &str) -> Result<BTreeMap<String, String>> {
    let mut variables = compose::example()?;
    for (name, value) in &mut variables {
        if is_made(name) {
            *value = made(name);
        }
    }
    let issuer = AccountKey::generate()?;
    variables.insert("NATS_CALLOUT_ISSUER".to_owned(), issuer.public());
    variables.insert("ARMADA_IDENTITY__GATEWAY_ISSUER_SEED".to_owned(), issuer.seed());
    variables.insert("ARMADA_ADMIN_EMAIL".to_owned(), EMAIL.to_owned());
    variables.insert("ARMADA_PUBLIC_URL".to_owned(), public_url.to_owned());
    Ok(variables)
}

/// A password or key as [`variables`] has it: a different one for each name, and long enough for a key.
fn made(name: &str) -> String {
    let name: String = name.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("p{name:0<40}")
}

/// Whether `deploy/make-env` makes the value of a variable.
pub(crate) fn is_made(name: &str) -> bool {
    name.ends_with("_PASSWORD") || name.ends_with("_SECRET_KEY")
}
