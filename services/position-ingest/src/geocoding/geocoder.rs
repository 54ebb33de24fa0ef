//! Calls of the geocoder: short, small, and never anywhere else than configured. What is said of one in logs and errors
//! names neither its address, in which there are the key and the place, nor what it answered; its host alone, where its
//! certificate is for others.

use std::time::Duration;

use armada_runtime::{
    Error, Result,
    https::{self, HttpsClient},
    trust::CertificateRefused,
};
use bytes::Bytes;
use http::{
    Request, StatusCode,
    header::{ACCEPT, USER_AGENT},
};
use http_body_util::{BodyExt, Empty, Limited};
use tokio::time::timeout;

use super::{formats, place::Place};
use crate::config::GeocoderConfig;

/// How long an answer may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// The largest answer that is read, in bytes.
const ANSWER_MAX: usize = 256 * 1024;
/// Who asks: operators of geocoders want to know.
const AGENT: &str = concat!("Armada/", env!("CARGO_PKG_VERSION"));

/// Why a geocoder did not say what is at a place.
#[derive(Debug, thiserror::Error)]
pub enum GeocoderError {
    /// Its address is none.
    #[error("its address cannot be asked")]
    Address,
    /// There is no connection, or it broke before an answer began.
    #[error("it cannot be reached")]
    Unreachable,
    /// Its certificate is not accepted.
    #[error("{0}")]
    Certificate(CertificateRefused),
    /// Nothing came, or not all of it.
    #[error("it takes too long")]
    Late,
    /// Its answer is an error.
    #[error("it answers with {0}")]
    Refused(StatusCode),
    /// Its answer ended in the middle, or did not end.
    #[error("its answer breaks off or is too large")]
    BrokenOff,
    /// Its answer is something else than an address.
    #[error("its answer is not what a geocoder of its kind says")]
    Unreadable,
}

/// A geocoder. It follows no redirects.
pub struct Geocoder {
    config: GeocoderConfig,
    client: HttpsClient<Empty<Bytes>>,
}

impl Geocoder {
    /// It trusts whom this process trusts.
    pub fn new(config: GeocoderConfig) -> Result<Self> {
        Ok(Self { config, client: https::client().map_err(Error::internal)? })
    }

    /// The address of a place; none where there is nothing.
    pub async fn reverse(&self, place: Place) -> Result<Option<String>, GeocoderError> {
        timeout(REQUEST_TIMEOUT, self.fetch(place)).await.map_err(|_| GeocoderError::Late)?
    }

    async fn fetch(&self, place: Place) -> Result<Option<String>, GeocoderError> {
        let request = Request::get(formats::request_address(&self.config, place))
            .header(ACCEPT, "application/json")
            .header(USER_AGENT, self.config.user_agent.as_deref().unwrap_or(AGENT))
            .body(Empty::new())
            .map_err(|_| GeocoderError::Address)?;
        let response = self.client.request(request).await.map_err(|error| {
            CertificateRefused::in_error(&error).map_or(GeocoderError::Unreachable, GeocoderError::Certificate)
        })?;
        let status = response.status();
        // Some say so of a place where there is nothing, which is then to be read in the answer.
        if !status.is_success() && status != StatusCode::NOT_FOUND {
            return Err(GeocoderError::Refused(status));
        }
        let body = Limited::new(response.into_body(), ANSWER_MAX).collect().await;
        let body = body.map_err(|_| GeocoderError::BrokenOff)?.to_bytes();
        match self.config.kind.read(&body) {
            Ok(text) => Ok(text),
            Err(formats::Unreadable) if status.is_success() => Err(GeocoderError::Unreadable),
            Err(formats::Unreadable) => Err(GeocoderError::Refused(status)),
        }
    }
}
