//! A source of tiles: asked for a few at a time, with patience for each, and left alone for a while when it does not
//! answer. What is said of it in logs and errors is its id, and its host where its certificate is for others: its address may
//! hold a key.

use std::time::Duration;

use armada_runtime::{
    Error, Result,
    breaker::CircuitBreaker,
    https::{self, HttpsClient},
    trust::CertificateRefused,
};
use axum::body::Bytes;
use http::{
    Request, Response, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, USER_AGENT},
};
use http_body_util::{BodyExt, Empty, Limited};
use tokio::{sync::Semaphore, time::timeout};

use super::tile::{KINDS, Place, Tile, kind_of};
use crate::config::MapSourceConfig;

/// How long a tile may take, and how long one waits for its turn.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How long a source is left alone that has failed again and again.
const REST: Duration = Duration::from_secs(30);
/// Tiles that are fetched of one source at a time.
const AT_ONCE: usize = 8;
/// Bytes of the largest tile.
const TILE_MAX: usize = 2 << 20;
/// Who asks: operators of tile servers want to know.
const AGENT: &str = concat!("Armada/", env!("CARGO_PKG_VERSION"));

/// Why there is no tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TileError {
    /// The source has none there.
    Absent,
    /// The source did not answer as it should.
    Unavailable,
}

/// Asks sources. Cheap to clone. It follows no redirects: nothing but configured hosts is asked.
#[derive(Clone)]
pub(super) struct TileClient(HttpsClient<Empty<Bytes>>);

impl TileClient {
    /// It trusts whom this process trusts.
    pub(super) fn new() -> Result<Self> {
        Ok(Self(https::client().map_err(Error::internal)?))
    }
}

pub(super) struct Source {
    pub(super) config: MapSourceConfig,
    client: TileClient,
    turns: Semaphore,
    breaker: CircuitBreaker,
}

impl Source {
    pub(super) fn new(config: MapSourceConfig, client: TileClient) -> Self {
        Self { config, client, turns: Semaphore::new(AT_ONCE), breaker: CircuitBreaker::new(REST) }
    }

    /// Fetches a tile.
    pub(super) async fn fetch(&self, place: Place) -> Result<Tile, TileError> {
        // To wait in vain is no failure of the source's.
        let turn = timeout(TIMEOUT, self.turns.acquire()).await;
        let Ok(Ok(_turn)) = turn else { return Err(TileError::Unavailable) };
        if self.breaker.is_open() {
            return Err(TileError::Unavailable);
        }
        let asked = timeout(TIMEOUT, self.ask(place)).await;
        match asked.unwrap_or_else(|_| Err("it takes too long".to_owned())) {
            Ok(tile) => {
                self.breaker.succeeded();
                tile.ok_or(TileError::Absent)
            }
            Err(why) => {
                self.report_failure(&why);
                Err(TileError::Unavailable)
            }
        }
    }

    /// A tile, if there is one, or what is wrong with the answer.
    async fn ask(&self, Place { z, x, y }: Place) -> Result<Option<Tile>, String> {
        let request = Request::get(self.config.address(z, x, y))
            .header(USER_AGENT, AGENT)
            .header(ACCEPT, KINDS.join(", "))
            .body(Empty::new())
            .map_err(|_| "its address cannot be asked")?;
        // Errors of the client name hosts at most, but nobody promises that.
        let response = self.client.0.request(request).await.map_err(|error| {
            let refused = CertificateRefused::in_error(&error);
            refused.map_or_else(|| "it cannot be reached".to_owned(), |refused| refused.to_string())
        })?;
        match response.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => return Ok(None),
            status => return Err(format!("it answers with {}", status.as_u16())),
        }
        let kind = kind(&response).ok_or("it sends something else than a picture")?;
        let body = Limited::new(response.into_body(), TILE_MAX).collect().await;
        let content = body.map_err(|_| "a tile is too large or breaks off")?.to_bytes();
        Ok(Some(Tile { kind, content }))
    }

    fn report_failure(&self, why: &str) {
        let source = &*self.config.id;
        match self.breaker.failed() {
            Some(rest) => tracing::warn!(
                source,
                why,
                seconds = rest.as_secs(),
                "a map source does not answer as it should: it is left alone for a while"
            ),
            None => tracing::debug!(source, why, "a map tile was not fetched"),
        }
    }
}

fn kind<B>(response: &Response<B>) -> Option<&'static str> {
    kind_of(response.headers().get(CONTENT_TYPE)?.to_str().ok()?)
}
