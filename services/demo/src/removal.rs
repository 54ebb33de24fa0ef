//! Takes the demonstration away: its devices, its history, its users, its tenant.

use std::{path::Path, time::Duration};

use anyhow::{Result, bail};
use armada_position_ingest as ingest;
use armada_proto::v1::{DeleteRequest, DeleteTenantInput, TenantInput};
use armada_runtime::Context;

use super::{
    decision::Decision,
    registrar::{Registrar, own},
    simulator,
};

/// How long a simulator may take to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// Removes the demonstration, with its users and all its history, and says what it removed. Every step can be done again
/// after a failure.
pub async fn remove(data_dir: &Path, partitions: u32, context: &Context) -> Result<String> {
    Decision::Removed.write(data_dir)?;
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

    let history = context.database(ingest::NAME)?;
    ingest::admin::erase_tenant(&history, tenant.id.parse()?).await?;
    let named = DeleteTenantInput { id: tenant.id.clone(), name: tenant.name.clone(), row_version: None };
    registrar.tenants.clone().delete(registrar.caller()?.sign(named.clone())).await.map_err(own)?;
    registrar.tenants.clone().erase(registrar.caller()?.sign(named)).await.map_err(own)?;
    seal(partitions, context).await;
    Ok(format!("the demonstration was removed: {} devices and everything of them", devices.len()))
}

/// Returns when whoever drives the vehicles has stopped; at once when nobody does.
async fn stop_simulator(context: &Context) -> Result<()> {
    let request = async_nats::Request::new().timeout(Some(STOP_TIMEOUT));
    match context.bus.client.send_request(simulator::CHECK_SUBJECT, request).await {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == async_nats::RequestErrorKind::NoResponders => Ok(()),
        Err(error) => bail!("the simulator does not stop: {error}"),
    }
}

/// Sealing erases what recent positions there are. Where nobody owns the partitions now, it is done after the next start.
async fn seal(partitions: u32, context: &Context) {
    for partition in 0..partitions {
        if let Err(error) = ingest::admin::seal_now(&context.bus, partition).await {
            tracing::debug!(partition, %error, "will be sealed later");
        }
    }
}
