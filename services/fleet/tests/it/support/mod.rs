//! Identity and fleet in a World, with two tenants, their people and their devices.
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use armada_proto::{
    TenantId, binding, coded,
    v1::{
        DeleteRequest, Device, DeviceBinding, DeviceInput, Effect, GetRequest, RoleInput, RolePermission,
        RolePermissionsInput, TenantInput, User, UserInput, UserRolesInput, devices_client::DevicesClient,
        roles_client::RolesClient, tenants_client::TenantsClient, users_client::UsersClient,
    },
};
use armada_runtime::{Context, Error, Result, Secret, Transport, auth::Grant};
use armada_testkit::{Kind, READ_PERMISSIONS, RunningProcess, Signed, Tables, World, eventually};
use armada_track::Imei;
use tonic::{Response, Status};

/// How long the relay may take on a busy machine.
pub const SOON: Duration = Duration::from_secs(20);

/// Running services.
pub struct Fleet {
    pub world: World,
    pub running: RunningProcess,
    pub owner: Signed,
}

/// A tenant, its admin, and two users of it who may look.
pub struct Company {
    pub id: TenantId,
    pub admin: Signed,
    pub budi: Signed,
    pub siti: Signed,
}

impl Fleet {
    pub async fn start(kind: Kind) -> Self {
        Self::start_in(world(kind).await).await
    }

    pub async fn start_in(world: World) -> Self {
        let config = fleet_config(&world);
        Self::start_with(world, config).await
    }

    pub async fn start_with(world: World, config: armada_fleet::Config) -> Self {
        let running = start(&world, config).await;
        let owner = world.platform_owner().await;
        Self { world, running, owner }
    }

    /// Starts another process and stops the one before.
    pub async fn restart(&mut self) {
        let running = start(&self.world, fleet_config(&self.world)).await;
        std::mem::replace(&mut self.running, running).stop().await.unwrap();
    }

    pub fn devices(&self) -> DevicesClient<Transport> {
        DevicesClient::new(self.running.context.peers.transport("fleet").unwrap())
    }

    pub fn tenants(&self) -> TenantsClient<Transport> {
        TenantsClient::new(self.running.context.peers.transport("identity").unwrap())
    }

    pub async fn get(&self, caller: &Signed, id: &str) -> Result<Device> {
        answer(self.devices().get(caller.sign(GetRequest { id: id.to_owned() })).await)
    }

    pub async fn delete(&self, caller: &Signed, id: &str, row_version: Option<i32>) -> Result<()> {
        let request = DeleteRequest { id: id.to_owned(), row_version };
        answer(self.devices().delete(caller.sign(request)).await).map(drop)
    }

    pub async fn create(&self, caller: &Signed, input: DeviceInput) -> Result<Device> {
        answer(self.devices().create(caller.sign(input)).await)
    }

    pub async fn update(&self, caller: &Signed, input: DeviceInput) -> Result<Device> {
        answer(self.devices().update(caller.sign(input)).await)
    }

    /// A company that a platform owner has made.
    pub async fn company(&self, name: &str) -> Company {
        self.company_that_is(name, true).await
    }

    /// A company that registered itself: nobody vouches for it.
    pub async fn stranger(&self, name: &str) -> Company {
        self.company_that_is(name, false).await
    }

    async fn company_that_is(&self, name: &str, confirmed: bool) -> Company {
        let identity = self.running.context.peers.transport("identity").unwrap();
        let input = TenantInput { name: Some(name.to_owned()), confirmed: Some(confirmed), ..TenantInput::default() };
        let tenant = answer(TenantsClient::new(identity.clone()).create(self.owner.sign(input)).await).unwrap();
        let id = tenant.id.parse().unwrap();
        let person = async |role: &str| {
            let input = UserInput {
                tenant_id: Some(tenant.id.clone()),
                name: Some(role.to_owned()),
                email: Some(format!("{role}@{}.example.org", name.to_lowercase())),
                // They never come: to hash a password takes longer than all the rest, and nobody signs in with it.
                invite: true,
                is_tenant_admin: Some(role == "admin"),
                ..UserInput::default()
            };
            let user = answer(UsersClient::new(identity.clone()).create(self.owner.sign(input)).await).unwrap();
            if role != "admin" {
                self.allow(&user.id, &tenant.id, &READ_PERMISSIONS).await;
            }
            self.signed(&user).await
        };
        Company { id, admin: person("admin").await, budi: person("budi").await, siti: person("siti").await }
    }

    /// Gives a user one role, which allows these permissions and no others.
    pub async fn allow(&self, user: &str, tenant: &str, keys: &[&str]) {
        let identity = self.running.context.peers.transport("identity").unwrap();
        let mut roles = RolesClient::new(identity.clone());
        let input = RoleInput {
            tenant_id: Some(tenant.to_owned()),
            name: Some(format!("{} of {user}", keys.len())),
            ..RoleInput::default()
        };
        let role = answer(roles.create(self.owner.sign(input)).await).unwrap();
        let allowed = |key: &&str| RolePermission { key: key.to_string(), effect: Effect::Allow.into() };
        let items = keys.iter().map(allowed).collect();
        let input = RolePermissionsInput { id: role.id.clone(), items, row_version: None };
        answer(roles.set_permissions(self.owner.sign(input)).await).unwrap();
        let input = UserRolesInput { id: user.to_owned(), role_ids: vec![role.id], row_version: None };
        answer(UsersClient::new(identity).set_roles(self.owner.sign(input)).await).unwrap();
        eventually("the services know of the role", SOON, async || {
            let rights = self.running.context.policies.of(user.parse()?).await?;
            anyhow::ensure!(keys.iter().all(|key| rights.allow(key)), "{rights:?}");
            Ok(())
        })
        .await;
    }

    async fn signed(&self, user: &User) -> Signed {
        let grant = Grant {
            user_id: user.id.parse().unwrap(),
            tenant_id: user.tenant_id.as_deref().map(|id| id.parse().unwrap()),
            is_platform_owner: user.is_platform_owner,
            is_tenant_admin: user.is_tenant_admin,
            is_subscription_user: false,
            policy_version: 1,
            sid: None,
        };
        self.world.signed_in(grant).await
    }

    /// What the bucket says of an IMEI.
    pub async fn binding(&self, imei: &str) -> anyhow::Result<Option<DeviceBinding>> {
        let value = self.world.bus.bucket(binding::BUCKET).await?.get(binding::key(imei)).await?;
        Ok(value.map(|value| coded::decode::<DeviceBinding>(&value).expect("a binding")))
    }
}

async fn start(world: &World, config: armada_fleet::Config) -> RunningProcess {
    let context = world.context(&["identity", "fleet"]).await;
    migrate(&context).await;
    let mut process = world.process(&context);
    process.add(armada_identity::build(&context, armada_identity::Config::default()).await.unwrap());
    process.add(armada_fleet::build(&context, config).await.unwrap());
    world.run(process).await
}

/// A World with the tables of identity and fleet.
pub async fn world(kind: Kind) -> World {
    static TABLES: Tables =
        Tables::new(&["identity", "fleet"], |context| Box::pin(async move { migrate(&context).await }));
    World::start_with_tables(kind, &TABLES).await
}

pub async fn migrate(context: &Context) {
    let (identity, fleet) = (context.database("identity").unwrap(), context.database("fleet").unwrap());
    armada_identity::migrate(&context.bus, &identity, &armada_identity::Config::default()).await.unwrap();
    armada_fleet::migrate(&context.bus, &fleet, &armada_fleet::Config::default()).await.unwrap();
}

/// An IMEI with a good check digit that no other device of this test process has.
pub fn new_imei() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(35_000_000_000_000);
    Imei::with_check_digit(NEXT.fetch_add(1, Ordering::Relaxed)).unwrap().to_string()
}

/// With a key for the passwords of trackers, and a folder for files of at most a megabyte.
pub fn fleet_config(world: &World) -> armada_fleet::Config {
    let url = format!("file://{}", world.folder().join("files").display());
    let files = armada_fleet::FilesConfig { url: Some(url), max_mb: 1, ..armada_fleet::FilesConfig::default() };
    let secret_key = Some(Secret::new("a key of tests that nobody guesses".to_owned()));
    armada_fleet::Config { secret_key, files, ..armada_fleet::Config::default() }
}

pub fn new_device(name: &str) -> DeviceInput {
    DeviceInput { imei: Some(new_imei()), name: Some(name.to_owned()), ..DeviceInput::default() }
}

pub fn owned_by(owner: &Signed, input: DeviceInput) -> DeviceInput {
    DeviceInput { user_id: Some(owner.grant.user_id.to_string()), ..input }
}

/// What a call answered, with the error as the edge sees it.
pub fn answer<T>(answer: std::result::Result<Response<T>, Status>) -> Result<T> {
    answer.map(Response::into_inner).map_err(Error::from)
}
