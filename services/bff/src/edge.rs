//! What every handler works with.

use std::{ops::Deref, sync::Arc};

use armada_proto::v1::{
    devices_client::DevicesClient, positions_client::PositionsClient, sessions_client::SessionsClient,
    tenants_client::TenantsClient, users_client::UsersClient,
};
use armada_runtime::{Context, KeyRing, Result, Transport};
use axum::extract::FromRef;

use crate::{Config, ended::EndedSessions, observe::Requests, origin::OwnOrigin, socket::Sockets, tickets::Tickets};

/// The largest answer of another service, in bytes: the last positions of some 200,000 vehicles.
const ANSWER_MAX: usize = 64 << 20;

/// Cheap to clone.
#[derive(Clone)]
pub(crate) struct Edge(Arc<Parts>);

/// What an [`Edge`] holds.
pub(crate) struct Parts {
    pub(crate) keys: KeyRing,
    pub(crate) ended: EndedSessions,
    pub(crate) origin: OwnOrigin,
    pub(crate) tickets: Tickets,
    pub(crate) sockets: Sockets,
    pub(crate) requests: Requests,
    peers: Clients,
}

/// Clients of the other services. Cheap to clone, and cloned for each call.
#[derive(Clone)]
pub(crate) struct Clients {
    sessions: SessionsClient<Transport>,
    tenants: TenantsClient<Transport>,
    users: UsersClient<Transport>,
    devices: DevicesClient<Transport>,
    positions: PositionsClient<Transport>,
}

impl Edge {
    pub(crate) async fn new(context: &Context, config: Config) -> Result<Self> {
        let peers = Clients::new(context)?;
        let ended = EndedSessions::open(&context.bus).await?;
        Ok(Self(Arc::new(Parts {
            keys: context.keys.clone(),
            origin: OwnOrigin::new(config.public_url.as_deref())?,
            tickets: Tickets::open(context, &config).await?,
            requests: Requests::new(&context.health),
            sockets: Sockets::new(context, peers.clone(), ended.clone(), config),
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

impl FromRef<Edge> for KeyRing {
    fn from_ref(edge: &Edge) -> Self {
        edge.keys.clone()
    }
}

impl FromRef<Edge> for EndedSessions {
    fn from_ref(edge: &Edge) -> Self {
        edge.ended.clone()
    }
}

impl Clients {
    fn new(context: &Context) -> Result<Self> {
        let transport = |name| context.peers.transport(name);
        Ok(Self {
            sessions: SessionsClient::new(transport("identity")?),
            tenants: TenantsClient::new(transport("identity")?),
            users: UsersClient::new(transport("identity")?),
            devices: DevicesClient::new(transport("fleet")?).max_decoding_message_size(ANSWER_MAX),
            positions: PositionsClient::new(transport("position-ingest")?).max_decoding_message_size(ANSWER_MAX),
        })
    }

    pub(crate) fn sessions(&self) -> SessionsClient<Transport> {
        self.sessions.clone()
    }

    pub(crate) fn tenants(&self) -> TenantsClient<Transport> {
        self.tenants.clone()
    }

    pub(crate) fn users(&self) -> UsersClient<Transport> {
        self.users.clone()
    }

    pub(crate) fn devices(&self) -> DevicesClient<Transport> {
        self.devices.clone()
    }

    pub(crate) fn positions(&self) -> PositionsClient<Transport> {
        self.positions.clone()
    }
}
