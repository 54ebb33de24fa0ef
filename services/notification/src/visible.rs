//! What a caller sees, which fleet knows: of which devices, and what those are called now.

use std::collections::{BTreeSet, HashMap};

use armada_proto::{
    DeviceId,
    v1::{EventEntry, VisibleDevicesRequest, devices_client::DevicesClient},
};
use armada_runtime::{Caller, Error, Peers, Result, Scope, Transport, list::is_one_of};
use sea_orm::{ColumnTrait, Condition, DbBackend, sea_query::ExprTrait};

use crate::entity::event::Model;

/// The service that knows.
const FLEET: &str = "fleet";
/// The largest answer, in bytes.
const ANSWER_MAX: usize = 64 << 20;
/// Asks fleet.
#[derive(Clone)]
pub struct Visible {
    devices: DevicesClient<Transport>,
    backend: DbBackend,
}

/// Whose events or alarms a request asks for.
pub struct VisibleScope<'a> {
    /// Only of what this user sees as well.
    pub user_id: Option<&'a str>,
    /// Only of this tenant.
    pub tenant_id: Option<&'a str>,
    /// Only of these devices; of all when there are none.
    pub device_ids: &'a [String],
}

/// Of which events and alarms somebody may hear.
pub struct View {
    /// The tenant, or the platform.
    pub scope: Scope,
    devices: Devices,
    backend: DbBackend,
}

/// Devices of which somebody may hear.
enum Devices {
    /// All but these, which are deleted; and what is about no device.
    AllBut(Vec<DeviceId>),
    /// These.
    Only(Vec<DeviceId>),
}

impl View {
    /// What holds of a row that is about such a device, which this column names; or, where all but some are meant, about none.
    pub fn condition(&self, column: impl ColumnTrait) -> Condition {
        let is_one_of = |devices: &[DeviceId]| is_one_of(self.backend, column, devices.iter().map(|id| id.0));
        match &self.devices {
            Devices::Only(devices) => Condition::all().add(is_one_of(devices)),
            Devices::AllBut(hidden) if hidden.is_empty() => Condition::all(),
            Devices::AllBut(hidden) => Condition::any().add(column.is_null()).add(is_one_of(hidden).not()),
        }
    }
}

impl Visible {
    /// Fleet is found when it is asked.
    pub fn new(peers: &Peers, backend: DbBackend) -> Result<Self> {
        let devices = DevicesClient::new(peers.transport(FLEET)?).max_decoding_message_size(ANSWER_MAX);
        Ok(Self { devices, backend })
    }

    /// What a caller sees of what a request asks for.
    pub async fn view(&self, caller: &Caller, request: VisibleScope<'_>) -> Result<View> {
        let scope = caller.narrow(request.tenant_id)?;
        let devices_request = VisibleDevicesRequest {
            user_id: request.user_id.map(str::to_owned),
            tenant_id: request.tenant_id.map(str::to_owned),
            device_ids: request.device_ids.to_vec(),
            with_names: false,
            with_hidden: true,
        };
        let answer =
            self.devices.clone().visible(caller.sign(devices_request)).await.map_err(Error::from)?.into_inner();
        // The user whom the request names may be of one tenant, and sees that one alone.
        let scope = answer.tenant_id.as_deref().map_or(Ok(scope), |tenant| caller.narrow(Some(tenant)))?;
        let ids = if answer.all { answer.hidden_ids } else { answer.device_ids };
        let ids = ids.iter().filter_map(|id| id.parse().ok()).collect();
        let devices = if answer.all { Devices::AllBut(ids) } else { Devices::Only(ids) };
        Ok(View { scope, devices, backend: self.backend })
    }

    /// Events as they are shown, with the names that their devices have now. One that is not seen any more has none.
    pub async fn named(&self, caller: &Caller, scope: Scope, events: Vec<Model>) -> Result<Vec<EventEntry>> {
        let devices: BTreeSet<_> = events.iter().filter_map(|event| event.device_id).collect();
        let names = self.names(caller, scope, devices).await?;
        let entry = |event: Model| {
            let name = event.device_id.and_then(|device| names.get(&device)).cloned();
            EventEntry { device_name: name.unwrap_or_default(), ..EventEntry::from(event) }
        };
        Ok(events.into_iter().map(entry).collect())
    }

    /// What those of the devices are called that the caller sees.
    pub async fn names(
        &self,
        caller: &Caller,
        scope: Scope,
        devices: BTreeSet<DeviceId>,
    ) -> Result<HashMap<DeviceId, String>> {
        // To name none would be to ask for all.
        if devices.is_empty() {
            return Ok(HashMap::new());
        }
        let devices_request = VisibleDevicesRequest {
            user_id: None,
            tenant_id: scope.tenant().map(|tenant| tenant.to_string()),
            device_ids: devices.iter().map(ToString::to_string).collect(),
            with_names: true,
            with_hidden: false,
        };
        let answer =
            self.devices.clone().visible(caller.sign(devices_request)).await.map_err(Error::from)?.into_inner();
        let named = answer.device_ids.iter().zip(answer.names);
        Ok(named.filter_map(|(id, name)| Some((id.parse().ok()?, name))).collect())
    }
}
