//! Makes what a fleet has besides vehicles and drivers, so that no screen of the demonstration is empty. What somebody has
//! added to or taken from a list stays as it is: only an empty one is filled.

use std::collections::HashMap;

use anyhow::{Context as _, Result};
use armada_proto::{
    Timestamp,
    v1::{
        CommandInput, CommandKind, Device, ListCommandsRequest, ListDocumentsRequest, ListMaintenanceRequest,
        ListShareLinksRequest, ShareLinkInput, commands_client::CommandsClient, documents_client::DocumentsClient,
        maintenance_logs_client::MaintenanceLogsClient, maintenances_client::MaintenancesClient,
        share_links_client::ShareLinksClient,
    },
};
use armada_runtime::{Transport, auth::Grant};
use futures::{StreamExt, TryStreamExt, stream};

use super::{
    calendar::{DAY, day_of},
    imeis,
    papers::{DOCUMENTS, PLANS, document, is_of_driver, plan},
    registrar::{Registrar, own},
};

/// Calls under way at a time.
const AT_ONCE: usize = 8;
/// What was sent, and to the vehicle at which place in the list.
const COMMANDS: [(usize, CommandKind); 8] = [
    (0, CommandKind::PositionSingle),
    (8, CommandKind::RequestStatus),
    (12, CommandKind::PositionSingle),
    (24, CommandKind::RequestStatus),
    (34, CommandKind::PositionSingle),
    (38, CommandKind::AlarmArm),
    (41, CommandKind::RequestStatus),
    (43, CommandKind::Reboot),
];
/// The vehicle and for how many days it is shared; and the same of a group.
const SHARED: (usize, i64, i64) = (34, 2, 14);

/// Makes them.
pub(super) struct Records<'a> {
    registrar: &'a Registrar,
    tenant: String,
    /// By their places in the list.
    devices: HashMap<usize, Device>,
    today: i64,
    fleet: Transport,
}

impl<'a> Records<'a> {
    /// For the tenant of the demonstration.
    pub(super) async fn new(registrar: &'a Registrar, tenant: &str) -> Result<Self> {
        let devices = registrar.devices_of(tenant).await?;
        let placed = devices.into_iter().filter_map(|device| {
            let imei = device.imei.parse().ok()?;
            Some((imeis::index_of(imei)?, device))
        });
        let fleet = registrar.context.peers.transport(armada_fleet::NAME)?;
        let today = day_of(Timestamp::now().millis());
        Ok(Self { registrar, tenant: tenant.to_owned(), devices: placed.collect(), today, fleet })
    }

    /// Fills what is empty.
    pub(super) async fn complete(&self) -> Result<()> {
        self.documents().await.context("documents")?;
        self.maintenance().await.context("maintenance")
    }

    /// Fills what is empty of what only a person does: in the name of the admin, once all services know them.
    pub(super) async fn complete_as(&self, admin: &Grant) -> Result<()> {
        self.commands(admin).await.context("commands")?;
        self.share_links(admin).await.context("share links")
    }

    async fn documents(&self) -> Result<()> {
        let client = DocumentsClient::new(self.fleet.clone());
        let tenant_id = Some(self.tenant.clone());
        let request = ListDocumentsRequest { page_size: 1, tenant_id, ..ListDocumentsRequest::default() };
        let list = client.clone().list(self.registrar.caller()?.sign(request)).await.map_err(own)?;
        if list.into_inner().total > 0 {
            return Ok(());
        }
        stream::iter((0..DOCUMENTS).map(|number| document(number, self.today)))
            .filter_map(async |(index, input)| Some((self.devices.get(&index)?, input)))
            .map(async |(device, mut input)| {
                input.tenant_id = Some(self.tenant.clone());
                match is_of_driver(&input) {
                    true => input.driver_id.clone_from(&device.primary_driver_id),
                    false => input.device_id = Some(device.id.clone()),
                }
                client.clone().create(self.registrar.caller()?.sign(input)).await.map_err(own)?;
                Ok::<_, anyhow::Error>(())
            })
            .buffered(AT_ONCE)
            .try_collect()
            .await
    }

    async fn maintenance(&self) -> Result<()> {
        let client = MaintenancesClient::new(self.fleet.clone());
        let logs = MaintenanceLogsClient::new(self.fleet.clone());
        let tenant_id = Some(self.tenant.clone());
        let request = ListMaintenanceRequest { page_size: 1, tenant_id, ..ListMaintenanceRequest::default() };
        let list = client.clone().list(self.registrar.caller()?.sign(request)).await.map_err(own)?;
        if list.into_inner().total > 0 {
            return Ok(());
        }
        for (index, mut input, log) in (0..PLANS).map(|number| plan(number, self.today)) {
            let Some(device) = self.devices.get(&index) else { continue };
            (input.tenant_id, input.device_id) = (Some(self.tenant.clone()), Some(device.id.clone()));
            let made = client.clone().create(self.registrar.caller()?.sign(input)).await.map_err(own)?.into_inner();
            let Some(mut log) = log else { continue };
            (log.tenant_id, log.maintenance_id) = (Some(self.tenant.clone()), Some(made.id));
            logs.clone().create(self.registrar.caller()?.sign(log)).await.map_err(own)?;
        }
        Ok(())
    }

    async fn commands(&self, admin: &Grant) -> Result<()> {
        let mut client = CommandsClient::new(self.fleet.clone());
        let tenant_id = Some(self.tenant.clone());
        let request = ListCommandsRequest { page_size: 1, tenant_id, ..ListCommandsRequest::default() };
        if client.list(self.registrar.caller()?.sign(request)).await.map_err(own)?.into_inner().total > 0 {
            return Ok(());
        }
        for (index, kind) in COMMANDS {
            let Some(device) = self.devices.get(&index) else { continue };
            let (device_id, kind) = (device.id.clone(), Some(kind.into()));
            let input = CommandInput { device_id, kind, ..CommandInput::default() };
            client.create(self.registrar.caller_for(admin)?.sign(input)).await.map_err(own)?;
        }
        Ok(())
    }

    async fn share_links(&self, admin: &Grant) -> Result<()> {
        let mut client = ShareLinksClient::new(self.fleet.clone());
        let tenant_id = Some(self.tenant.clone());
        let request = ListShareLinksRequest { page_size: 1, tenant_id, ..ListShareLinksRequest::default() };
        if client.list(self.registrar.caller()?.sign(request)).await.map_err(own)?.into_inner().total > 0 {
            return Ok(());
        }
        let (index, days, of_group) = SHARED;
        let Some(device) = self.devices.get(&index) else { return Ok(()) };
        let until = |days: i64| Some(Timestamp::from_millis(Timestamp::now().millis() + days * DAY));
        let vehicle = ShareLinkInput {
            name: Some("Pelanggan di Semarang".to_owned()),
            device_id: Some(device.id.clone()),
            expires_at: until(days),
            ..ShareLinkInput::default()
        };
        let group = ShareLinkInput {
            name: Some("Kantor cabang".to_owned()),
            device_group_id: device.group_ids.split(',').next().map(str::to_owned),
            expires_at: until(of_group),
            ..ShareLinkInput::default()
        };
        for input in [vehicle, group] {
            client.create(self.registrar.caller_for(admin)?.sign(input)).await.map_err(own)?;
        }
        Ok(())
    }
}
