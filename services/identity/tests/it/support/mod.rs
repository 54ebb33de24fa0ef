//! Identity alone in a World, and the people of two tenants.
pub mod smtp;

use armada_identity::{Config, FirstSignIn, first_sign_in};
use armada_proto::{
    TenantId, coded, policy, tenant,
    v1::{
        ChangePasswordRequest, Effect, Empty, GetRequest, LinkPurpose, LoginRequest, Policy, Role, RoleInput,
        RolePermission, RolePermissionsInput, SendLinkRequest, SentLink, Session, Tenant, TenantEntry, TenantInput,
        UseLinkRequest, User, UserInput, UserRolesInput, account_client::AccountClient,
        gateways_client::GatewaysClient, permissions_client::PermissionsClient,
        registration_client::RegistrationClient, roles_client::RolesClient, sessions_client::SessionsClient,
        tenants_client::TenantsClient, users_client::UsersClient,
    },
};
use armada_runtime::{Caller, Context, Error, Result, Scope, Secret, Transport, auth::Grant};
use armada_testkit::{Kind, RunningProcess, Signed, Tables, World, eventually, eventually_equal};
use sea_orm::{ConnectionTrait, Statement};
use tonic::{Response, Status};

/// How long the relay may take on a busy machine.
pub const SOON: std::time::Duration = std::time::Duration::from_secs(20);

pub const PASSWORD: &str = "correct horse battery";

/// A running identity service.
pub struct Identity {
    pub world: World,
    pub running: RunningProcess,
    /// A platform owner.
    pub owner: Signed,
}

impl Identity {
    pub async fn start(kind: Kind) -> Self {
        Self::start_with(kind, config()).await
    }

    pub async fn start_with(kind: Kind, config: Config) -> Self {
        Self::start_in(world(kind).await, config).await
    }

    /// With a NATS server that asks which gateways may connect.
    pub async fn start_asked(kind: Kind) -> Self {
        Self::start_signing(kind, None).await
    }

    /// The same, where identity signs its answers with the key of this seed.
    pub async fn start_signing_as(kind: Kind, seed: &str) -> Self {
        Self::start_signing(kind, Some(seed)).await
    }

    async fn start_signing(kind: Kind, seed: Option<&str>) -> Self {
        let world = World::start_asking_identity(kind, &TABLES).await;
        let seed = seed.map_or_else(|| world.nats.gateway_issuer(), str::to_owned);
        let gateway_issuer_seed = Some(Secret::new(seed));
        Self::start_in(world, Config { gateway_issuer_seed, anonymous_gateway: true, ..config() }).await
    }

    pub async fn start_in(world: World, config: Config) -> Self {
        let context = context(&world, &config).await;
        let mut process = world.process(&context);
        process.add(armada_identity::build(&context, config).await.unwrap());
        let running = world.run(process).await;
        let owner = world.platform_owner().await;
        Self { world, running, owner }
    }

    fn transport(&self) -> Transport {
        self.running.context.peers.transport("identity").unwrap()
    }

    pub fn gateways(&self) -> GatewaysClient<Transport> {
        GatewaysClient::new(self.transport())
    }

    pub fn sessions(&self) -> SessionsClient<Transport> {
        SessionsClient::new(self.transport())
    }

    pub fn tenants(&self) -> TenantsClient<Transport> {
        TenantsClient::new(self.transport())
    }

    pub fn users(&self) -> UsersClient<Transport> {
        UsersClient::new(self.transport())
    }

    pub fn roles(&self) -> RolesClient<Transport> {
        RolesClient::new(self.transport())
    }

    pub fn permissions(&self) -> PermissionsClient<Transport> {
        PermissionsClient::new(self.transport())
    }

    pub async fn login(&self, email: &str, password: &str) -> Result<Session> {
        let request = LoginRequest { email: email.to_owned(), password: password.to_owned(), code: None };
        answer(self.sessions().login(request).await)
    }

    /// Who a session's token belongs to, as soon as identity has told what they may do.
    pub async fn caller(&self, session: &Session) -> Caller {
        let verifier = self.running.context.verifier();
        eventually("identity tells what the user may do", SOON, async || Ok(verifier.caller(&session.token).await?))
            .await
    }

    pub async fn first_owner(&self) -> FirstSignIn {
        first_sign_in(&self.running.context.database("identity").unwrap(), None, Some(PASSWORD)).await.unwrap()
    }

    /// Makes a tenant.
    pub async fn tenant(&self, name: &str) -> Tenant {
        let input = TenantInput { name: Some(name.to_owned()), ..TenantInput::default() };
        answer(self.tenants().create(self.owner.sign(input)).await).unwrap()
    }

    /// Makes a user who has chosen [`PASSWORD`] behind a link that a platform owner handed them.
    pub async fn user(&self, tenant: &Tenant, email: &str) -> User {
        self.create_confirmed_user(UserInput { tenant_id: Some(tenant.id.clone()), ..new_user(email) }).await
    }

    /// The same for a user with further properties.
    pub async fn create_confirmed_user(&self, input: UserInput) -> User {
        let input = UserInput { password: None, invite: true, ..input };
        let user = answer(self.users().create(self.owner.sign(input)).await).unwrap();
        let sent = self.send(&self.owner, &user, LinkPurpose::Invitation).await.unwrap();
        self.use_link_token(&token_of(&sent), Some(PASSWORD)).await.unwrap();
        answer(self.users().get(self.owner.sign(GetRequest { id: user.id })).await).unwrap()
    }

    pub fn registration(&self) -> RegistrationClient<Transport> {
        RegistrationClient::new(self.transport())
    }

    pub fn account_client(&self) -> AccountClient<Transport> {
        AccountClient::new(self.transport())
    }

    /// Asks for a link to a user, as the caller.
    pub async fn send(&self, caller: &Caller, user: &User, purpose: LinkPurpose) -> Result<SentLink> {
        let request = SendLinkRequest { id: user.id.clone(), purpose: purpose.into() };
        answer(self.users().send_link(caller.sign(request)).await)
    }

    /// Chooses the password behind a link.
    pub async fn use_link_token(&self, token: &str, password: Option<&str>) -> Result<Empty> {
        let request = UseLinkRequest { token: token.to_owned(), new_password: password.map(str::to_owned) };
        answer(self.registration().use_link(request).await)
    }

    /// Changes a password in a session.
    pub async fn change_password(&self, caller: &Caller, current: &str, new: &str) -> Result<Empty> {
        let request = ChangePasswordRequest { current_password: current.to_owned(), new_password: new.to_owned() };
        answer(self.account_client().change_password(caller.sign(request)).await)
    }

    /// Replaces what a role says of these permissions.
    pub async fn set_permissions(&self, caller: &Caller, role: &Role, says: &[(&str, Effect)]) -> Result<()> {
        let item = |(key, effect): &(&str, Effect)| RolePermission { key: (*key).to_owned(), effect: (*effect).into() };
        let items = says.iter().map(item).collect();
        let input = RolePermissionsInput { id: role.id.clone(), items, row_version: None };
        answer(self.roles().set_permissions(caller.sign(input)).await).map(drop)
    }

    /// Makes a role that says this of permissions.
    pub async fn role(&self, tenant: &Tenant, name: &str, says: &[(&str, Effect)]) -> Role {
        let mut roles = self.roles();
        let input =
            RoleInput { tenant_id: Some(tenant.id.clone()), name: Some(name.to_owned()), ..RoleInput::default() };
        let role = answer(roles.create(self.owner.sign(input)).await).unwrap();
        let items =
            says.iter().map(|(key, effect)| RolePermission { key: (*key).to_owned(), effect: (*effect).into() });
        let input = RolePermissionsInput { id: role.id.clone(), items: items.collect(), row_version: None };
        answer(roles.set_permissions(self.owner.sign(input)).await).unwrap();
        role
    }

    /// Makes a user with roles, and signs them in.
    pub async fn person(&self, tenant: &Tenant, email: &str, roles: &[&Role]) -> (User, Signed) {
        let user = self.user(tenant, email).await;
        let user = answer(self.set_roles(&self.owner, &user, roles).await).unwrap();
        eventually("the service knows of the roles", SOON, async || {
            let rights = self.running.context.policies.of(user.id.parse()?).await?;
            anyhow::ensure!(rights.version > 1, "{rights:?}");
            Ok(())
        })
        .await;
        let signed = self.signed(&user).await;
        (user, signed)
    }

    pub async fn set_roles(
        &self,
        caller: &Signed,
        user: &User,
        roles: &[&Role],
    ) -> std::result::Result<Response<User>, Status> {
        let role_ids = roles.iter().map(|role| role.id.clone()).collect();
        self.users().set_roles(caller.sign(UserRolesInput { id: user.id.clone(), role_ids, row_version: None })).await
    }

    /// How many registrations nobody has looked at yet.
    pub async fn registrations_waiting(&self) -> anyhow::Result<u32> {
        let tx = self.world.database("identity").await.read(&Scope::Platform).await?;
        let count = "SELECT COUNT(*) FROM registration_request";
        let row = tx.query_one_raw(Statement::from_string(tx.get_database_backend(), count)).await?;
        Ok(u32::try_from(row.map(|row| row.try_get_by_index::<i64>(0)).transpose()?.unwrap_or_default())?)
    }

    /// Waits until what was asked for by registrations is done.
    pub async fn registrations_are_done(&self) {
        eventually_equal("registrations are looked at", SOON, 0, async || self.registrations_waiting().await).await;
    }

    /// What the bucket says that a user may do.
    pub async fn policy(&self, user: &User) -> anyhow::Result<Option<Policy>> {
        let value = self.world.bus.bucket(policy::BUCKET).await?.get(user.id.clone()).await?;
        Ok(value.map(|value| coded::decode::<Policy>(&value).expect("a policy")))
    }

    /// What the bucket says of a tenant.
    pub async fn entry_of(&self, id: &str) -> anyhow::Result<Option<TenantEntry>> {
        let value = self.world.bus.bucket(tenant::BUCKET).await?.get(id.to_owned()).await?;
        Ok(value.map(|value| coded::decode::<TenantEntry>(&value).expect("an entry")))
    }

    /// A token for the admin of a tenant, who need not exist.
    pub async fn admin_of(&self, tenant: &Tenant) -> Signed {
        self.world.tenant_admin(id_of(tenant)).await
    }

    /// A token as the user would get one.
    pub async fn signed(&self, user: &User) -> Signed {
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
}

/// A configuration with a secret key.
pub fn config() -> Config {
    Config { secret_key: Some(Secret::new("a secret key of the tests, long enough".to_owned())), ..Config::default() }
}

static TABLES: Tables =
    Tables::new(&["identity"], |context| Box::pin(async move { migrate(&context, &Config::default()).await }));

/// A World with the tables of identity.
pub async fn world(kind: Kind) -> World {
    World::start_with_tables(kind, &TABLES).await
}

async fn migrate(context: &Context, config: &Config) {
    armada_identity::migrate(&context.bus, &context.database("identity").unwrap(), config).await.unwrap();
}

/// A context on the migrated database of a World.
pub async fn context(world: &World, config: &Config) -> Context {
    let context = world.context(&["identity"]).await;
    migrate(&context, config).await;
    context
}

pub fn new_user(email: &str) -> UserInput {
    UserInput {
        name: Some(format!("User {email}")),
        email: Some(email.to_owned()),
        password: Some(PASSWORD.to_owned()),
        ..UserInput::default()
    }
}

/// The token of a link that is handed over.
pub fn token_of(sent: &SentLink) -> String {
    sent.link.as_deref().and_then(|link| link.split_once('#')).unwrap().1.to_owned()
}

pub fn id_of(tenant: &Tenant) -> TenantId {
    tenant.id.parse().unwrap()
}

/// What a call answered, with the error as the edge sees it.
pub fn answer<T>(answer: std::result::Result<Response<T>, Status>) -> Result<T> {
    answer.map(Response::into_inner).map_err(Error::from)
}
