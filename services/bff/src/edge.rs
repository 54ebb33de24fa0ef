//! What every handler works with.

use std::{ops::Deref, sync::Arc};

use armada_proto::v1::{
    account_client::AccountClient, audit_client::AuditClient, devices_client::DevicesClient,
    imei_assignments_client::ImeiAssignmentsClient, imei_claims_client::ImeiClaimsClient,
    permissions_client::PermissionsClient, positions_client::PositionsClient, registration_client::RegistrationClient,
    roles_client::RolesClient, sessions_client::SessionsClient, tenant_gateways_client::TenantGatewaysClient,
    tenants_client::TenantsClient, users_client::UsersClient,
};
use armada_runtime::{Context, Result, Transport, Verifier, audit::Audit};

use crate::{
    Config, client::TrustedProxies, ended::EndedSessions, headers::Headers, limits::Limiter, observe::Requests,
    origin::OwnOrigin, socket::Sockets, tickets::Tickets,
};

/// The largest answer of another service, in bytes: the last positions of some 200,000 vehicles.
const ANSWER_MAX: usize = 64 << 20;

/// Cheap to clone.
#[derive(Clone)]
pub(crate) struct Edge(Arc<Parts>);

/// What an [`Edge`] holds.
pub(crate) struct Parts {
    pub(crate) verifier: Verifier,
    pub(crate) ended: EndedSessions,
    pub(crate) origin: OwnOrigin,
    pub(crate) proxies: TrustedProxies,
    pub(crate) limits: Limiter,
    pub(crate) headers: Headers,
    pub(crate) tickets: Tickets,
    pub(crate) sockets: Sockets,
    pub(crate) requests: Requests,
    pub(crate) notes: Audit,
    peers: Clients,
}

/// Clients of the other services. Cheap to clone, and cloned for each call.
#[derive(Clone)]
pub(crate) struct Clients {
    sessions: SessionsClient<Transport>,
    registration: RegistrationClient<Transport>,
    account: AccountClient<Transport>,
    tenants: TenantsClient<Transport>,
    users: UsersClient<Transport>,
    roles: RolesClient<Transport>,
    permissions: PermissionsClient<Transport>,
    audit: AuditClient<Transport>,
    devices: DevicesClient<Transport>,
    imei_claims: ImeiClaimsClient<Transport>,
    imei_assignments: ImeiAssignmentsClient<Transport>,
    tenant_gateways: TenantGatewaysClient<Transport>,
    positions: PositionsClient<Transport>,
}

impl Edge {
    pub(crate) async fn new(context: &Context, config: Config) -> Result<Self> {
        let peers = Clients::new(context)?;
        let origin = OwnOrigin::new(config.public_url.as_deref())?;
        let ended = EndedSessions::open(context).await?;
        Ok(Self(Arc::new(Parts {
            verifier: context.verifier(),
            headers: Headers::new(&origin, config.hsts_subdomains),
            origin,
            limits: Limiter::new(&config.limits, &context.health),
            proxies: TrustedProxies::new(&config.trusted_proxies)?,
            tickets: Tickets::open(context, &config).await?,
            requests: Requests::new(&context.health),
            notes: context.audit.clone(),
            sockets: Sockets::new(context, peers.clone(), ended.clone(), config).await?,
            ended,
            peers,
        })))
    }
}

impl Deref for Edge {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Deref for Parts {
    type Target = Clients;

    fn deref(&self) -> &Clients {
        &self.peers
    }
}

impl Clients {
    fn new(context: &Context) -> Result<Self> {
        let transport = |name| context.peers.transport(name);
        Ok(Self {
            sessions: SessionsClient::new(transport("identity")?),
            registration: RegistrationClient::new(transport("identity")?),
            account: AccountClient::new(transport("identity")?),
            tenants: TenantsClient::new(transport("identity")?),
            users: UsersClient::new(transport("identity")?),
            roles: RolesClient::new(transport("identity")?),
            permissions: PermissionsClient::new(transport("identity")?),
            audit: AuditClient::new(transport("identity")?),
            devices: DevicesClient::new(transport("fleet")?).max_decoding_message_size(ANSWER_MAX),
            imei_claims: ImeiClaimsClient::new(transport("fleet")?),
            imei_assignments: ImeiAssignmentsClient::new(transport("fleet")?),
            tenant_gateways: TenantGatewaysClient::new(transport("fleet")?),
            positions: PositionsClient::new(transport("position-ingest")?).max_decoding_message_size(ANSWER_MAX),
        })
    }

    pub(crate) fn sessions(&self) -> SessionsClient<Transport> {
        self.sessions.clone()
    }

    pub(crate) fn registration(&self) -> RegistrationClient<Transport> {
        self.registration.clone()
    }

    pub(crate) fn account(&self) -> AccountClient<Transport> {
        self.account.clone()
    }

    pub(crate) fn tenants(&self) -> TenantsClient<Transport> {
        self.tenants.clone()
    }

    pub(crate) fn users(&self) -> UsersClient<Transport> {
        self.users.clone()
    }

    pub(crate) fn roles(&self) -> RolesClient<Transport> {
        self.roles.clone()
    }

    pub(crate) fn permissions(&self) -> PermissionsClient<Transport> {
        self.permissions.clone()
    }

    pub(crate) fn audit(&self) -> AuditClient<Transport> {
        self.audit.clone()
    }

    pub(crate) fn devices(&self) -> DevicesClient<Transport> {
        self.devices.clone()
    }

    pub(crate) fn imei_claims(&self) -> ImeiClaimsClient<Transport> {
        self.imei_claims.clone()
    }

    pub(crate) fn imei_assignments(&self) -> ImeiAssignmentsClient<Transport> {
        self.imei_assignments.clone()
    }

    pub(crate) fn tenant_gateways(&self) -> TenantGatewaysClient<Transport> {
        self.tenant_gateways.clone()
    }

    pub(crate) fn positions(&self) -> PositionsClient<Transport> {
        self.positions.clone()
    }
}
