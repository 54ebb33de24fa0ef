//! What `armada run` says when it serves.

use std::io::Write;

use anyhow::Result;
use armada_identity::FirstSignIn;
use armada_runtime::Context;

use super::listeners::Addresses;
use crate::{config::Config, services::Role};

/// Makes the platform owner on the first start of identity.
pub(super) async fn first_sign_in(config: &Config, context: &Context, roles: &[Role]) -> Result<Option<FirstSignIn>> {
    if !roles.contains(&Role::Identity) {
        return Ok(None);
    }
    let database = context.database(armada_identity::NAME)?;
    let password = config.admin_password.as_ref().map(|password| password.reveal());
    Ok(Some(armada_identity::first_sign_in(&database, config.admin_email.as_deref(), password).await?))
}

/// Says where everything is. A generated password is shown here and nowhere else.
pub(super) fn print(config: &Config, addresses: &Addresses, sign_in: Option<FirstSignIn>, demo: &[String]) {
    let mut lines = vec!["Armada is ready.".to_owned()];
    if let Some(http) = addresses.http {
        let here = format!("http://{}", reachable(http));
        lines.push(format!("  console   {}", config.public_url.as_deref().unwrap_or(&here)));
    }
    lines.push(format!("  admin     http://{}", reachable(addresses.admin)));
    if let Some(grpc) = addresses.grpc {
        lines.push(format!("  gRPC      http://{}", reachable(grpc)));
    }
    match sign_in {
        Some(FirstSignIn::Created { email, generated_password }) => {
            lines.push(format!("  sign in   {email}"));
            if let Some(password) = generated_password {
                lines.push(format!("  password  {password}  (made for you; it is not shown again)"));
            }
        }
        Some(FirstSignIn::Exists { email }) => lines.push(format!("  sign in   {email}")),
        None => {}
    }
    lines.extend_from_slice(demo);
    // Whoever started it may have stopped reading; that is no reason to stop serving.
    let _ = writeln!(std::io::stdout(), "{}", lines.join("\n"));
}

/// An address that a browser on this machine can open.
pub(crate) fn reachable(mut address: std::net::SocketAddr) -> std::net::SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
    }
    address
}
