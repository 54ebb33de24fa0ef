//! One client type for both forms of deployment: a call goes either straight into the routes of a service in this
//! process or over a network channel, and no caller can tell.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex},
};

use tonic::{
    Status,
    body::Body,
    service::Routes,
    transport::{Channel, Endpoint},
};
use tower::{ServiceExt, util::BoxCloneSyncService};

use crate::{
    error::{Error, Result},
    telemetry::propagation,
};

/// What generated clients are built over.
pub type Transport = BoxCloneSyncService<http::Request<Body>, http::Response<Body>, Status>;

fn local(routes: Routes) -> Transport {
    let service = routes.prepare();
    let service = ServiceExt::<http::Request<Body>>::map_err(service, |never: Infallible| match never {});
    BoxCloneSyncService::new(service.map_request(traced))
}

fn remote(channel: Channel) -> Transport {
    let service = channel.map_err(|error| Status::unavailable(error.to_string()));
    BoxCloneSyncService::new(service.map_request(traced))
}

/// Whoever answers continues the caller's trace.
fn traced(mut request: http::Request<Body>) -> http::Request<Body> {
    propagation::inject(request.headers_mut());
    request
}

/// How to reach the other services: those in this process first, then those with a configured address.
#[derive(Clone, Default)]
pub struct Peers {
    local: Arc<Mutex<HashMap<String, Transport>>>,
    urls: Arc<HashMap<String, String>>,
}

impl Peers {
    /// `urls` maps a service's name to its gRPC address, for services outside this process.
    pub fn new(urls: HashMap<String, String>) -> Self {
        Self { local: Arc::default(), urls: Arc::new(urls) }
    }

    /// Makes a service of this process known to those built after it. The order of building is the order of the
    /// dependency graph, which has no cycles.
    pub fn register(&self, name: &str, routes: Routes) {
        self.local.lock().expect("no panic while held").insert(name.to_owned(), local(routes));
    }

    /// The way to a service.
    pub fn transport(&self, name: &str) -> Result<Transport> {
        if let Some(transport) = self.local.lock().expect("no panic while held").get(name) {
            return Ok(transport.clone());
        }
        let url = self.urls.get(name).ok_or_else(|| {
            Error::unavailable(format!("service {name} is neither in this process nor configured: set peers.{name}"))
        })?;
        let endpoint = Endpoint::from_shared(url.clone())
            .map_err(|error| Error::unavailable(format!("peers.{name} = {url}: {error}")))?;
        Ok(remote(endpoint.connect_lazy()))
    }
}
