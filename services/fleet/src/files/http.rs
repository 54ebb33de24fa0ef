//! How a bucket is asked: over the HTTP client that the rest of Armada uses, which trusts whom this process trusts.

use std::{fmt, time::Duration};

use armada_runtime::{
    https::{self, HttpsClient},
    trust::CertificateRefused,
};
use http_body_util::BodyExt;
use object_store::{
    ClientOptions,
    client::{
        HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse,
        HttpResponseBody, HttpService,
    },
};
use tokio::time::timeout;

/// Until the head of an answer.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Makes the client.
#[derive(Debug)]
pub struct HyperConnector;

impl HttpConnector for HyperConnector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = https::client();
        let client = client.map_err(|error| object_store::Error::Generic { store: "S3", source: Box::new(error) })?;
        Ok(HttpClient::new(Hyper(client)))
    }
}

struct Hyper(HttpsClient<HttpRequestBody>);

impl fmt::Debug for Hyper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hyper")
    }
}

#[async_trait::async_trait]
impl HttpService for Hyper {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let answered = timeout(TIMEOUT, self.0.request(request)).await;
        let answered = answered.map_err(|late| HttpError::new(HttpErrorKind::Timeout, late))?;
        let answer = answered.map_err(|error| {
            if let Some(refused) = CertificateRefused::in_error(&error) {
                // Not to be tried again at once: it stays as it is for a while, and the caller waits.
                return HttpError::new(HttpErrorKind::Unknown, refused);
            }
            let kind = if error.is_connect() { HttpErrorKind::Connect } else { HttpErrorKind::Request };
            HttpError::new(kind, error)
        })?;
        let broken = |error| HttpError::new(HttpErrorKind::Interrupted, error);
        Ok(answer.map(|body| HttpResponseBody::new(body.map_err(broken))))
    }
}
