//! One client type for both forms of deployment: a call goes either straight into the routes of a service in this
//! process or over the network, and no caller can tell.

mod addresses;
mod remote;

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex},
    time::Duration,
};

use tonic::{Status, body::Body, service::Routes};
use tower::{ServiceExt, util::BoxCloneSyncService};

pub use self::{
    addresses::{PeerAddressError, PeerAddresses},
    remote::QUESTION_MAX,
};

use self::remote::Remote;
use crate::{
    auth::{Inside, ServiceKey},
    error::{Error, Result},
    telemetry::propagation,
};

/// What generated clients are built over.
pub type Transport = BoxCloneSyncService<http::Request<Body>, http::Response<Body>, Status>;

/// How long a service outside this process may take until the head of its answer. Shorter than what the edge gives a
/// request, so that the answer says what was missing.
const DEADLINE: Duration = Duration::from_secs(25);

fn local(routes: Routes) -> Transport {
    let service = routes.prepare();
    let service = ServiceExt::<http::Request<Body>>::map_err(service, |never: Infallible| match never {});
    BoxCloneSyncService::new(service.map_request(|mut request: http::Request<Body>| {
        request.extensions_mut().insert(Inside);
        traced(request)
    }))
}

/// Whoever answers continues the caller's trace.
fn traced(mut request: http::Request<Body>) -> http::Request<Body> {
    propagation::inject(request.headers_mut());
    request
}

/// How to reach the other services: those in this process first, then those with a configured address.
#[derive(Clone)]
pub struct Peers {
    local: Arc<Mutex<HashMap<String, Transport>>>,
    addresses: Arc<HashMap<String, PeerAddresses>>,
    deadline: Duration,
    service_key: Option<ServiceKey>,
}

impl Peers {
    /// `addresses` are those of services outside this process, by their names.
    pub fn new(addresses: HashMap<String, PeerAddresses>) -> Self {
        Self { local: Arc::default(), addresses: Arc::new(addresses), deadline: DEADLINE, service_key: None }
    }

    /// With another time than 25 s for the head of an answer.
    pub fn with_deadline(self, deadline: Duration) -> Self {
        Self { deadline, ..self }
    }

    /// With the key that vouches for what a call tells of the client in whose name it is made.
    pub(crate) fn vouched_for_by(self, service_key: ServiceKey) -> Self {
        Self { service_key: Some(service_key), ..self }
    }

    /// Makes a service of this process known to those built after it. The order of building is the order of the
    /// dependency graph, which has no cycles.
    pub fn register(&self, name: &str, routes: Routes) {
        self.local.lock().expect("no panic while held").insert(name.to_owned(), local(routes));
    }

    /// Forgets the services of this process, which has ended.
    pub(crate) fn forget(&self) {
        let forgotten = std::mem::take(&mut *self.local.lock().expect("no panic while held"));
        // Dropped when the lock is no longer held: services hold peers themselves.
        drop(forgotten);
    }

    /// The way to a service.
    pub fn transport(&self, name: &str) -> Result<Transport> {
        if let Some(transport) = self.local.lock().expect("no panic while held").get(name) {
            return Ok(transport.clone());
        }
        let addresses = self.addresses.get(name).ok_or_else(|| {
            Error::unavailable(format!("service {name} is neither in this process nor configured: set peers.{name}"))
        })?;
        let remote = Arc::new(Remote::new(name, addresses, self.deadline, self.service_key.clone())?);
        let service = tower::service_fn(move |request: http::Request<Body>| {
            let remote = remote.clone();
            async move { remote.call(request).await }
        });
        Ok(BoxCloneSyncService::new(service.map_request(traced)))
    }
}
