//! Makes a trace's tenant and devices through identity and fleet.

use std::{collections::HashMap, time::Duration};

use anyhow::{Context as _, Result, bail};
use armada_proto::{
    binding, coded,
    v1::{
        DeviceBinding, DeviceInput, ListDevicesRequest, ListTenantsRequest, TenantInput, devices_client::DevicesClient,
        tenants_client::TenantsClient,
    },
};
use armada_runtime::{Caller, Context, Scope, Transport};
use armada_track::{Imei, imei_of_name};
use futures::{StreamExt, TryStreamExt, stream};

/// The most that a list gives at once.
const PAGE: u32 = 500;
/// Devices under way at a time.
const AT_ONCE: usize = 16;
/// How long it may take until ingest can know the devices.
const BINDING_DEADLINE: Duration = Duration::from_secs(60);

/// A device of the trace.
#[derive(Debug, Clone)]
pub struct Registered {
    /// As in the trace.
    pub name: String,
    /// Made of the name.
    pub imei: Imei,
    /// The id that fleet gave it.
    pub device_id: String,
}

/// Makes what is missing; returns when ingest knows every device.
pub(super) async fn register(context: &Context, tenant: &str, names: &[String]) -> Result<Vec<Registered>> {
    Registrar::new(context)?.register(tenant, names).await
}

struct Registrar {
    context: Context,
    tenants: TenantsClient<Transport>,
    devices: DevicesClient<Transport>,
}

impl Registrar {
    fn new(context: &Context) -> Result<Self> {
        Ok(Self {
            context: context.clone(),
            tenants: TenantsClient::new(context.peers.transport(armada_identity::NAME)?),
            devices: DevicesClient::new(context.peers.transport(armada_fleet::NAME)?),
        })
    }

    /// A new one for each call, since its token does not live long.
    fn caller(&self) -> Result<Caller> {
        Ok(self.context.service_key.caller(Scope::Platform, None)?)
    }

    async fn register(&self, tenant: &str, names: &[String]) -> Result<Vec<Registered>> {
        let tenant = self.tenant(tenant).await.with_context(|| format!("tenant {tenant}"))?;
        let known = self.known(&tenant).await?;
        let registered: Vec<Registered> =
            stream::iter(names).map(|name| self.device(&tenant, name, &known)).buffered(AT_ONCE).try_collect().await?;
        self.wait_for_bindings(&registered).await?;
        Ok(registered)
    }

    async fn tenant(&self, name: &str) -> Result<String> {
        let mut next = Some(String::new());
        while let Some(after) = next {
            let request = ListTenantsRequest { after, page_size: PAGE, q: name.to_owned(), ..Default::default() };
            let list = self.tenants.clone().list(self.caller()?.sign(request)).await.map_err(own)?.into_inner();
            if let Some(found) = list.items.into_iter().find(|tenant| tenant.name == name) {
                return Ok(found.id);
            }
            next = list.next;
        }
        let input = TenantInput { name: Some(name.to_owned()), ..TenantInput::default() };
        Ok(self.tenants.clone().create(self.caller()?.sign(input)).await.map_err(own)?.into_inner().id)
    }

    /// The tenant's devices that are there already, by IMEI.
    async fn known(&self, tenant: &str) -> Result<HashMap<String, String>> {
        let (mut known, mut next) = (HashMap::new(), Some(String::new()));
        while let Some(after) = next {
            let request = ListDevicesRequest {
                after,
                page_size: PAGE,
                sort: "imei".to_owned(),
                tenant_id: Some(tenant.to_owned()),
                ..Default::default()
            };
            let list = self.devices.clone().list(self.caller()?.sign(request)).await.map_err(own)?.into_inner();
            known.extend(list.items.into_iter().map(|device| (device.imei, device.id)));
            next = list.next;
        }
        Ok(known)
    }

    async fn device(&self, tenant: &str, name: &str, known: &HashMap<String, String>) -> Result<Registered> {
        let imei = imei_of_name(name);
        let device_id = match known.get(&imei.to_string()) {
            Some(id) => id.clone(),
            None => {
                let input = DeviceInput {
                    tenant_id: Some(tenant.to_owned()),
                    imei: Some(imei.to_string()),
                    name: Some(name.to_owned()),
                    ..DeviceInput::default()
                };
                let made = self.devices.clone().create(self.caller()?.sign(input)).await.map_err(own);
                made.with_context(|| format!("device {name} with IMEI {imei}"))?.into_inner().id
            }
        };
        Ok(Registered { name: name.to_owned(), imei, device_id })
    }

    /// Waits until every device is in the bucket that ingest follows.
    async fn wait_for_bindings(&self, devices: &[Registered]) -> Result<()> {
        let bucket = self.context.bus.bucket(binding::BUCKET).await?;
        let deadline = tokio::time::Instant::now() + BINDING_DEADLINE;
        let mut missing: Vec<&Registered> = devices.iter().collect();
        loop {
            missing = stream::iter(missing)
                .map(async |device| {
                    let value = bucket.get(binding::key(&device.imei.to_string())).await;
                    let value = value.map_err(armada_runtime::Error::unavailable)?;
                    let bound = value.as_deref().and_then(coded::decode::<DeviceBinding>);
                    let there = bound.is_some_and(|bound| bound.device_id == device.device_id);
                    anyhow::Ok((!there).then_some(device))
                })
                .buffer_unordered(AT_ONCE)
                .try_filter_map(async |missing| Ok(missing))
                .try_collect()
                .await?;
            if missing.is_empty() {
                return Ok(());
            }
            if tokio::time::Instant::now() > deadline {
                bail!("{} devices have not reached the bucket {}", missing.len(), binding::BUCKET);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// The service's own error instead of the status that carried it.
fn own(status: tonic::Status) -> armada_runtime::Error {
    status.into()
}
