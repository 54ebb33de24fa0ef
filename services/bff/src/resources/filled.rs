//! What the edge fills in of a request from what other services say, since the service that gets it does not know them:
//! the fields with the option `filled_by_edge`. A request has a function of its name here.

use armada_proto::{
    Timestamp,
    v1::{DevicesInStatesRequest, ListDevicesRequest, MeterCorrectionInput, MeterReadingRequest},
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
