//! Identity alone in a World, and the people of two tenants.
#![allow(dead_code, reason = "no test uses all of it")]

use armada_identity::{Config, FirstSignIn, first_sign_in};
use armada_proto::{
    TenantId,
    v1::{
        LoginRequest, Session, Tenant, TenantInput, User, UserInput, sessions_client::SessionsClient,
        tenants_client::TenantsClient, users_client::UsersClient,
    },
};
use armada_runtime::{Context, Error, Result, Transport, auth::Grant};
use armada_testkit::{Kind, RunningProcess, Signed, World};
use tonic::{Response, Status};

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
        Self::start_with(kind, Config::default()).await
    }

    pub async fn start_with(kind: Kind, config: Config) -> Self {
        let world = World::start(kind).await;
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

    pub fn sessions(&self) -> SessionsClient<Transport> {
        SessionsClient::new(self.transport())
    }

    pub fn tenants(&self) -> TenantsClient<Transport> {
        TenantsClient::new(self.transport())
    }

    pub fn users(&self) -> UsersClient<Transport> {
        UsersClient::new(self.transport())
    }

    pub async fn login(&self, email: &str, password: &str) -> Result<Session> {
        answer(self.sessions().login(LoginRequest { email: email.to_owned(), password: password.to_owned() }).await)
    }

    pub async fn first_owner(&self) -> FirstSignIn {
        first_sign_in(&self.running.context.database("identity").unwrap(), None, Some(PASSWORD)).await.unwrap()
    }

    /// Makes a tenant.
    pub async fn tenant(&self, name: &str) -> Tenant {
        let input = TenantInput { name: Some(name.to_owned()), ..TenantInput::default() };
        answer(self.tenants().create(self.owner.sign(input)).await).unwrap()
    }

    /// Makes a user with [`PASSWORD`].
    pub async fn user(&self, tenant: &Tenant, email: &str) -> User {
        let input = UserInput { tenant_id: Some(tenant.id.clone()), ..new_user(email) };
        answer(self.users().create(self.owner.sign(input)).await).unwrap()
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
            policy_version: 1,
            sid: None,
        };
        self.world.signed(grant).await
    }
}

/// A context on the migrated database of a World.
pub async fn context(world: &World, config: &Config) -> Context {
    let context = world.context(&["identity"]).await;
    armada_identity::migrate(&context.bus, &context.database("identity").unwrap(), config).await.unwrap();
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

pub fn id_of(tenant: &Tenant) -> TenantId {
    tenant.id.parse().unwrap()
}

/// What a call answered, with the error as the edge sees it.
pub fn answer<T>(answer: std::result::Result<Response<T>, Status>) -> Result<T> {
    answer.map(Response::into_inner).map_err(Error::from)
}
