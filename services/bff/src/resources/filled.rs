//! What the edge fills in of a request from what other services say, since the service that gets it does not know them:
//! the fields with the option `filled_by_edge`. A request has a function of its name here.

use armada_proto::{
    Timestamp,
    v1::{
        CommandInput, CommandKind, DevicesInStatesRequest, LastPosition, LastPositionsRequest, ListDevicesRequest,
        MeterCorrectionInput, MeterReadingRequest, SendCommandsRequest,
    },
};
use armada_runtime::{Caller, Result};

use crate::clients::Clients;

/// Which devices are in the states that are asked for. Who may not see where vehicles are may not ask for that.
pub(crate) async fn list_devices_request(
    clients: &Clients,
    caller: &Caller,
    request: &mut ListDevicesRequest,
) -> Result<()> {
    if request.live_states.is_empty() {
        return Ok(());
    }
    let asked = DevicesInStatesRequest { states: request.live_states.clone(), tenant_id: request.tenant_id.clone() };
    request.in_states = Some(clients.positions().in_states(caller.sign(asked)).await?.into_inner());
    Ok(())
}

/// Where the vehicle is whose engine shall be stopped.
pub(crate) async fn command_input(clients: &Clients, caller: &Caller, request: &mut CommandInput) -> Result<()> {
    request.last_position = None;
    if request.kind() == CommandKind::EngineStop {
        let device = std::slice::from_ref(&request.device_id);
        request.last_position = last_positions(clients, caller, device).await.into_iter().next();
    }
    Ok(())
}

/// The same of several vehicles.
pub(crate) async fn send_commands_request(
    clients: &Clients,
    caller: &Caller,
    request: &mut SendCommandsRequest,
) -> Result<()> {
    if request.command.as_ref().is_some_and(|command| command.kind() == CommandKind::EngineStop) {
        request.last_positions = last_positions(clients, caller, &request.device_ids).await;
    }
    Ok(())
}

/// None when they cannot be had, or the caller may not see them: the command waits until the vehicle is heard then.
async fn last_positions(clients: &Clients, caller: &Caller, devices: &[String]) -> Vec<LastPosition> {
    // Without any all positions would be asked for.
    if devices.is_empty() {
        return Vec::new();
    }
    let asked = LastPositionsRequest { device_ids: devices.to_vec(), ..LastPositionsRequest::default() };
    match clients.positions().last(caller.sign(asked)).await {
        Ok(answer) => answer.into_inner().items,
        Err(error) => {
            tracing::debug!(%error, "no positions for a command");
            Vec::new()
        }
    }
}

/// What the meters of the device stood at when the correction begins: where vehicles were is known to position-ingest, which
/// fleet does not ask.
pub(crate) async fn meter_correction_input(
    clients: &Clients,
    caller: &Caller,
    request: &mut MeterCorrectionInput,
) -> Result<()> {
    let at = request.effective_from.unwrap_or_else(Timestamp::now);
    let asked = MeterReadingRequest { device_id: request.id.clone(), at: Some(at) };
    request.anchor = clients.positions().meter_reading_at(caller.sign(asked)).await?.into_inner().reading;
    Ok(())
}
