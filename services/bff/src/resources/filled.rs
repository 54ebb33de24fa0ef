//! What the edge fills in of a request from what other services say, since the service that gets it does not know them:
//! the fields with the option `filled_by_edge`. A request has a function of its name here.

use armada_proto::v1::{DevicesInStatesRequest, ListDevicesRequest};
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
