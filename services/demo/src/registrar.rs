//! Makes the demonstration's tenant, users and devices as anybody would: through identity and fleet.

use std::{collections::HashSet, time::Duration};

use anyhow::{Context as _, Result, bail};
use armada_proto::{
    Timestamp, binding,
    v1::{
        Device, DeviceIconType, DeviceInput, DriverInput, ListDevicesRequest, ListMasterDataRequest, ListRolesRequest,
        ListTenantsRequest, ListUsersRequest, MasterDataEntryInput, MasterDataKind, Tenant, TenantInput, User,
        UserInput, UserRolesInput, devices_client::DevicesClient, drivers_client::DriversClient,
        master_data_client::MasterDataClient, roles_client::RolesClient, tenants_client::TenantsClient,
        users_client::UsersClient,
    },
};
use armada_runtime::{Caller, Context, Error, Scope, Transport, auth::Grant};
use futures::{StreamExt, TryStreamExt, stream};

use super::{
    calendar::{TIME_ZONE, day_of},
    drivers::{driver_of, phone},
    imeis,
    places::{REGIONS, region_of},
    vehicles::{FLEET, Kind},
};

/// Seconds that a vehicle may be parked: longer than a night.
const MAX_PARKING_S: u32 = 14 * 3_600;
/// The most that a list gives at once.
const PAGE: u32 = 500;
/// Devices under way at a time.
const AT_ONCE: usize = 8;
/// How long it may take until ingest can know the devices.
const BINDING_DEADLINE: Duration = Duration::from_secs(60);

const TENANT: &str = "Demo Armada Nusantara (demonstrasi)";
const DESCRIPTION: &str = "Data demonstrasi: kendaraan, pengemudi dan perjalanannya rekaan, dan digerakkan oleh \
                           simulator. Hapus dengan: armada seed --remove-demo";
const ADMIN: (&str, &str) = ("demo.admin@armada.local", "Sri Wahyuni (demo)");
const VIEWER: (&str, &str) = ("demo.viewer@armada.local", "Yusuf Karim (demo)");
/// Of the vehicles the viewer owns every so manieth, and sees no others.
const OF_VIEWER: usize = 4;

/// Somebody who can sign in now.
pub(super) struct NewUser {
    pub(super) email: &'static str,
    pub(super) password: String,
    pub(super) role: &'static str,
}

/// What was missing.
pub(super) struct Made {
    /// The id of the tenant.
    pub(super) tenant: String,
    pub(super) users: Vec<NewUser>,
    pub(super) devices: usize,
}

/// The services that it talks to.
#[derive(Clone)]
pub(super) struct Registrar {
    pub(super) context: Context,
    pub(super) tenants: TenantsClient<Transport>,
    users: UsersClient<Transport>,
    roles: RolesClient<Transport>,
    pub(super) devices: DevicesClient<Transport>,
    drivers: DriversClient<Transport>,
    master_data: MasterDataClient<Transport>,
}

impl Registrar {
    pub(super) fn new(context: &Context) -> Result<Self> {
        let identity = context.peers.transport(armada_identity::NAME)?;
        let fleet = context.peers.transport(armada_fleet::NAME)?;
        Ok(Self {
            context: context.clone(),
            tenants: TenantsClient::new(identity.clone()),
            users: UsersClient::new(identity.clone()),
            roles: RolesClient::new(identity),
            devices: DevicesClient::new(fleet.clone()),
            drivers: DriversClient::new(fleet.clone()),
            master_data: MasterDataClient::new(fleet),
        })
    }

    /// A new one for each call, since its token does not live long.
    pub(super) fn caller(&self) -> Result<Caller> {
        Ok(self.context.service_key.caller(Scope::Platform, None)?)
    }

    /// The demonstration's tenant, if there is one.
    pub(super) async fn tenant(&self) -> Result<Option<Tenant>> {
        Ok(self.all_tenants().await?.into_iter().find(|tenant| tenant.is_demo))
    }

    /// Whether there are tenants, and none of them is the demonstration's.
    pub(super) async fn others_only(&self) -> Result<bool> {
        let tenants = self.all_tenants().await?;
        Ok(!tenants.is_empty() && !tenants.iter().any(|tenant| tenant.is_demo))
    }

    async fn all_tenants(&self) -> Result<Vec<Tenant>> {
        let (mut tenants, mut next) = (Vec::new(), Some(String::new()));
        while let Some(after) = next {
            let request = ListTenantsRequest { after, page_size: PAGE, ..ListTenantsRequest::default() };
            let list = self.tenants.clone().list(self.caller()?.sign(request)).await.map_err(own)?.into_inner();
            tenants.extend(list.items);
            next = list.next;
        }
        Ok(tenants)
    }

    /// Makes what is missing; nothing when all is there.
    pub(super) async fn complete(&self) -> Result<Made> {
        let tenant = match self.tenant().await? {
            Some(tenant) => tenant,
            None => self.make_tenant().await?,
        };
        let known = self.users_of(&tenant.id).await?;
        let (_, admin) = self.user(&tenant.id, &known, ADMIN, true).await?;
        let (viewer, password) = self.user(&tenant.id, &known, VIEWER, false).await?;
        if !known.iter().any(|user| user.id == viewer && !user.roles.is_empty()) {
            self.give_viewer_role(&tenant.id, &viewer).await?;
        }
        let there: HashSet<String> = self.devices_of(&tenant.id).await?.into_iter().map(|device| device.imei).collect();
        let missing = (0..FLEET.len()).filter(|index| !there.contains(&imeis::of(&tenant.id, *index).to_string()));
        let missing: Vec<usize> = missing.collect();
        if !missing.is_empty() {
            self.complete_places(&tenant.id).await?;
        }
        stream::iter(&missing)
            .map(|index| self.device(&tenant.id, *index, &viewer))
            .buffered(AT_ONCE)
            .try_for_each(async |_| Ok(()))
            .await?;
        let new = |(email, _), password: Option<String>, role| Some(NewUser { email, password: password?, role });
        let users = [new(ADMIN, admin, "admin"), new(VIEWER, password, "viewer")];
        let users = users.into_iter().flatten().collect();
        Ok(Made { tenant: tenant.id, users, devices: missing.len() })
    }

    async fn make_tenant(&self) -> Result<Tenant> {
        let input = TenantInput {
            name: Some(TENANT.to_owned()),
            description: Some(DESCRIPTION.to_owned()),
            time_zone: Some(TIME_ZONE.to_owned()),
            is_demo: true,
            ..TenantInput::default()
        };
        Ok(self.tenants.clone().create(self.caller()?.sign(input)).await.map_err(own)?.into_inner())
    }

    async fn users_of(&self, tenant: &str) -> Result<Vec<User>> {
        let tenant_id = Some(tenant.to_owned());
        let request = ListUsersRequest { page_size: PAGE, tenant_id, ..ListUsersRequest::default() };
        Ok(self.users.clone().list(self.caller()?.sign(request)).await.map_err(own)?.into_inner().items)
    }

    /// The id of a user, and the password when they are new.
    async fn user(
        &self,
        tenant: &str,
        known: &[User],
        (email, name): (&str, &str),
        admin: bool,
    ) -> Result<(String, Option<String>)> {
        if let Some(user) = known.iter().find(|user| user.email == email) {
            return Ok((user.id.clone(), None));
        }
        let password = armada_identity::generated_password()?;
        let input = UserInput {
            tenant_id: Some(tenant.to_owned()),
            name: Some(name.to_owned()),
            email: Some(email.to_owned()),
            password: Some(password.clone()),
            is_tenant_admin: Some(admin),
            ..UserInput::default()
        };
        let made = self.users.clone().create(self.caller()?.sign(input)).await.map_err(own);
        Ok((made.with_context(|| format!("user {email}"))?.into_inner().id, Some(password)))
    }

    /// Gives a user the role of viewers.
    async fn give_viewer_role(&self, tenant: &str, user: &str) -> Result<()> {
        let q = armada_identity::VIEWER_ROLE.to_owned();
        let request = ListRolesRequest { tenant_id: Some(tenant.to_owned()), q, ..ListRolesRequest::default() };
        let roles = self.roles.clone().list(self.caller()?.sign(request)).await.map_err(own)?.into_inner().items;
        let role = roles.into_iter().find(|role| role.name == armada_identity::VIEWER_ROLE);
        let role = role.context("the demonstration has no role for viewers")?;
        let input = UserRolesInput { id: user.to_owned(), role_ids: vec![role.id], row_version: None };
        self.users.clone().set_roles(self.caller()?.sign(input)).await.map_err(own)?;
        Ok(())
    }

    /// The demonstration's admin, in whose name things are done.
    pub(super) async fn admin(&self, tenant: &str) -> Result<Option<Grant>> {
        let users = self.users_of(tenant).await?;
        let Some(admin) = users.into_iter().find(|user| user.email == ADMIN.0) else { return Ok(None) };
        Ok(Some(Grant {
            user_id: admin.id.parse()?,
            tenant_id: Some(tenant.parse()?),
            is_platform_owner: false,
            is_tenant_admin: true,
            is_subscription_user: false,
            policy_version: 0,
            sid: None,
        }))
    }

    /// In the name of somebody.
    pub(super) fn caller_for(&self, grant: &Grant) -> Result<Caller> {
        let scope = grant.tenant_id.map_or(Scope::Platform, Scope::Tenant);
        Ok(self.context.service_key.caller(scope, Some(grant.clone()))?)
    }

    /// Makes the groups and depots that are missing.
    async fn complete_places(&self, tenant: &str) -> Result<()> {
        for region in &REGIONS {
            let depot = &region.depot;
            let group = MasterDataEntryInput {
                kind: Some(MasterDataKind::DeviceGroup.into()),
                name: Some(region.group.to_owned()),
                ..MasterDataEntryInput::default()
            };
            let depot = MasterDataEntryInput {
                kind: Some(MasterDataKind::Warehouse.into()),
                name: Some(depot.name.to_owned()),
                address: Some(depot.address.to_owned()),
                lat: Some(depot.lat),
                lng: Some(depot.lng),
                ..MasterDataEntryInput::default()
            };
            for input in [group, depot] {
                if self.place(tenant, input.kind(), input.name()).await?.is_none() {
                    let input = MasterDataEntryInput { tenant_id: Some(tenant.to_owned()), ..input };
                    self.master_data.clone().create(self.caller()?.sign(input)).await.map_err(own)?;
                }
            }
        }
        Ok(())
    }

    /// The id of a group or depot, if it is there.
    async fn place(&self, tenant: &str, kind: MasterDataKind, name: &str) -> Result<Option<String>> {
        let request = ListMasterDataRequest {
            tenant_id: Some(tenant.to_owned()),
            kind: Some(kind.into()),
            names: vec![name.to_owned()],
            ..ListMasterDataRequest::default()
        };
        let found = self.master_data.clone().list(self.caller()?.sign(request)).await.map_err(own)?.into_inner().items;
        Ok(found.into_iter().next().map(|entry| entry.id))
    }

    /// The id of a new driver; two vehicles may have drivers of one name.
    async fn driver(&self, tenant: &str, index: usize) -> Result<String> {
        let today = day_of(Timestamp::now().millis());
        let input = DriverInput { tenant_id: Some(tenant.to_owned()), ..driver_of(index, today) };
        Ok(self.drivers.clone().create(self.caller()?.sign(input)).await.map_err(own)?.into_inner().id)
    }

    /// The id of a model of vehicles, if the platform still has it.
    async fn vehicle_model(&self, label: &str) -> Result<Option<String>> {
        let kind = Some(MasterDataKind::VehicleModel.into());
        let request = ListMasterDataRequest { kind, q: label.to_owned(), ..ListMasterDataRequest::default() };
        let models = self.master_data.clone().list(self.caller()?.sign(request)).await.map_err(own)?.into_inner().items;
        Ok(models.into_iter().find(|model| model.label == label).map(|model| model.id))
    }

    async fn device(&self, tenant: &str, index: usize, viewer: &str) -> Result<()> {
        let vehicle = FLEET[index];
        let region = region_of(&vehicle);
        let input = DeviceInput {
            tenant_id: Some(tenant.to_owned()),
            user_id: index.is_multiple_of(OF_VIEWER).then(|| viewer.to_owned()),
            imei: Some(imeis::of(tenant, index).to_string()),
            name: Some(vehicle.name.to_owned()),
            sim_number: Some(phone(1, index)),
            icon_type: Some(icon(vehicle.kind).into()),
            vehicle_code: Some(vehicle.plate.to_owned()),
            speed_limit: Some(vehicle.kind.speed_limit()),
            fuel_capacity: Some(vehicle.kind.tank().ceil() as u32),
            max_parking_time: Some(MAX_PARKING_S),
            vehicle_model_id: self.vehicle_model(vehicle.model).await?,
            primary_driver_id: Some(self.driver(tenant, index).await?),
            group_ids: self.place(tenant, MasterDataKind::DeviceGroup, region.group).await?,
            warehouse_id: self.place(tenant, MasterDataKind::Warehouse, region.depot.name).await?,
            ..DeviceInput::default()
        };
        let made = self.devices.clone().create(self.caller()?.sign(input)).await.map_err(own);
        made.with_context(|| format!("device {}", vehicle.name))?;
        Ok(())
    }

    /// All devices of a tenant.
    pub(super) async fn devices_of(&self, tenant: &str) -> Result<Vec<Device>> {
        let (mut devices, mut next) = (Vec::new(), Some(String::new()));
        while let Some(after) = next {
            let tenant_id = Some(tenant.to_owned());
            let request = ListDevicesRequest { after, page_size: PAGE, tenant_id, ..ListDevicesRequest::default() };
            let list = self.devices.clone().list(self.caller()?.sign(request)).await.map_err(own)?.into_inner();
            devices.extend(list.items);
            next = list.next;
        }
        Ok(devices)
    }

    /// Waits until the bucket that ingest follows has the devices of the demonstration, and no others of it.
    pub(super) async fn wait_for_bindings(&self) -> Result<()> {
        let Some(tenant) = self.tenant().await? else { return Ok(()) };
        let bound: HashSet<String> = self.devices_of(&tenant.id).await?.into_iter().map(|device| device.imei).collect();
        let bucket = self.context.bus.bucket(binding::BUCKET).await?;
        let deadline = tokio::time::Instant::now() + BINDING_DEADLINE;
        for index in 0..FLEET.len() {
            let imei = imeis::of(&tenant.id, index).to_string();
            while bucket.get(binding::key(&imei)).await?.is_some() != bound.contains(&imei) {
                if tokio::time::Instant::now() > deadline {
                    bail!("the bucket {} does not follow the devices", binding::BUCKET);
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        Ok(())
    }
}

const fn icon(kind: Kind) -> DeviceIconType {
    match kind {
        Kind::Car => DeviceIconType::Car,
        Kind::Van => DeviceIconType::Van,
        Kind::Pickup => DeviceIconType::Pickup,
        Kind::Truck => DeviceIconType::Truck,
        Kind::Bus => DeviceIconType::Bus,
        Kind::Motorcycle => DeviceIconType::Motorcycle,
        Kind::HeavyEquipment => DeviceIconType::HeavyEquipment,
    }
}

/// The service's own error instead of the status that carried it.
pub(super) fn own(status: tonic::Status) -> Error {
    status.into()
}
