//! The HTTP client for what lies outside: a provider of sign-ins, a store of files, sources of maps, a geocoder.

use hyper::body::Body;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};

use crate::trust::Trust;

/// Sends requests with such bodies. Cheap to clone. It follows no redirects: nothing but what it is told is asked.
pub type HttpsClient<B> = Client<HttpsConnector<HttpConnector>, B>;

/// One that trusts whom this process trusts ([`Trust::of_process`]), and takes plain HTTP where an address says so.
pub fn client<B>() -> Result<HttpsClient<B>, rustls::Error>
where
    B: Body + Send,
    B::Data: Send,
{
    client_trusting(Trust::of_process())
}

/// The same with somebody else's trust.
pub fn client_trusting<B>(trust: &Trust) -> Result<HttpsClient<B>, rustls::Error>
where
    B: Body + Send,
    B::Data: Send,
{
    let connector =
        HttpsConnectorBuilder::new().with_tls_config(trust.client_config()?).https_or_http().enable_http1().build();
    Ok(Client::builder(TokioExecutor::new()).build(connector))
}
