//! Takes the demonstration away: its devices, its history, its users, its tenant.

use std::{
    io::{IsTerminal, Write, stdin},
    time::Duration,
};

use anyhow::{Result, bail};
use armada_position_ingest as ingest;
use armada_proto::v1::{DeleteRequest, DeleteTenantInput, TenantInput};
use armada_runtime::Context;

use super::{
    decision::Decision,
    registrar::{Registrar, own},
    simulator,
};
use crate::{config::Config, services::Role};

/// How long a simulator may take to stop.
const PATIENCE: Duration = Duration::from_secs(30);

/// Asks whoever sits there.
#[allow(clippy::print_stdout, reason = "a question")]
pub(super) fn confirmed() -> Result<bool> {
    if !stdin().is_terminal() {
        bail!("--remove-demo needs --yes where nobody can be asked");
    }
    print!("Remove the demonstration, with its users, its devices and all their history? [y/N] ");
    std::io::stdout().flush()?;
    let mut answer = String::new();
    stdin().read_line(&mut answer)?;
    Ok(["y", "yes", "ya"].contains(&answer.trim().to_lowercase().as_str()))
}

/// Removes what is there, in an order in which every step can be done again after a failure.
pub(super) async fn run(config: &Config, context: &Context) -> Result<String> {
    Decision::Removed.write(config)?;
    let registrar = Registrar::new(context)?;
    let Some(tenant) = registrar.tenant().await? else { return Ok("there is no demonstration".to_owned()) };

    let off = TenantInput { id: tenant.id.clone(), active: Some(false), ..TenantInput::default() };
    registrar.tenants.clone().update(registrar.caller()?.sign(off)).await.map_err(own)?;
    stop_simulator(context).await?;

    let devices = registrar.devices_of(&tenant.id).await?;
    for device in &devices {
        let request = DeleteRequest { id: device.id.clone(), row_version: None };
        registrar.devices.clone().delete(registrar.caller()?.sign(request)).await.map_err(own)?;
    }
    registrar.wait_for_bindings().await?;

    let history = context.database(Role::PositionIngest.name())?;
    ingest::erase_tenant(&history, tenant.id.parse()?).await?;
    let named = DeleteTenantInput { id: tenant.id.clone(), name: tenant.name.clone(), row_version: None };
    registrar.tenants.clone().delete(registrar.caller()?.sign(named.clone())).await.map_err(own)?;
    registrar.tenants.clone().erase(registrar.caller()?.sign(named)).await.map_err(own)?;
    seal(config, context).await;
    Ok(format!("the demonstration was removed: {} devices and everything of them", devices.len()))
}

/// Returns when whoever drives the vehicles has stopped; at once when nobody does.
async fn stop_simulator(context: &Context) -> Result<()> {
    let request = async_nats::Request::new().timeout(Some(PATIENCE));
    match context.bus.client.send_request(simulator::LOOK, request).await {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == async_nats::RequestErrorKind::NoResponders => Ok(()),
        Err(error) => bail!("the simulator does not stop: {error}"),
    }
}

/// Sealing erases what recent positions there are. Where nobody owns the partitions now, it is done after the next start.
async fn seal(config: &Config, context: &Context) {
    for partition in 0..config.position_ingest.partitions {
        if let Err(error) = ingest::seal_now(&context.bus, partition).await {
            tracing::debug!(partition, %error, "will be sealed later");
        }
    }
}
