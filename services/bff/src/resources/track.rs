//! The track of a device, streamed: of however many positions it is, a few hundred are in memory as JSON at a time.

use std::{io, time::Duration};

use armada_proto::{
    DeviceId, Timestamp,
    v1::{TrackChunk, TrackRequest},
};
use armada_runtime::{Error, Result};
use armada_track::{Position, decode_block};
use axum::{
    body::{Body, Bytes},
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use futures::{Stream, StreamExt, stream};
use http::header::CONTENT_TYPE;
use tonic::Streaming;

use crate::{
    auth::caller::Authenticated,
    clients::Clients,
    http::{failure::Answer, query::Query},
};

/// What is shown when the query names no time.
const DEFAULT_SPAN: Duration = Duration::from_secs(24 * 3600);
/// Positions in one piece of the body.
const PIECE: usize = 500;

/// The positions of a device with `from` <= `recorded_at` < `to`, in the order of their times. Without `to` until now,
/// without `from` the day before `to`.
pub(crate) async fn get(
    State(clients): State<Clients>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    mut query: Query,
) -> Answer<Response> {
    let (from, to) = span(&mut query, Timestamp::now());
    query.check()?;
    id.parse::<DeviceId>().map_err(Error::from)?;
    let request = TrackRequest { id, from: Some(from), to: Some(to) };
    let chunks = clients.positions().track(caller.sign(request)).await?.into_inner();
    let body = Body::from_stream(json(chunks));
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}

fn span(query: &mut Query, now: Timestamp) -> (Timestamp, Timestamp) {
    let TrackRequest { from, to, .. } = query.message();
    let to = to.unwrap_or(now);
    let from = from.unwrap_or(Timestamp::from_millis(to.millis() - DEFAULT_SPAN.as_millis() as i64));
    if from > to {
        query.wrong("from", "after_to");
    }
    (from, to)
}

/// `{"items":[…]}` in pieces. An error in the middle ends the body without its end, so that nobody takes it for whole.
fn json(chunks: Streaming<TrackChunk>) -> impl Stream<Item = io::Result<Bytes>> {
    let pieces = chunks.flat_map(|chunk| {
        let positions =
            chunk.map_err(Error::from).and_then(|chunk| decode_block(&chunk.block).map_err(Error::internal));
        let pieces = match positions {
            Ok(positions) => positions.chunks(PIECE).map(items).collect(),
            Err(error) => vec![Err(error)],
        };
        stream::iter(pieces)
    });
    let mut first = true;
    let separated = pieces.map(move |piece| {
        let piece =
            piece.inspect_err(|error| tracing::warn!(%error, "a track ended early")).map_err(io::Error::other)?;
        let comma = if std::mem::take(&mut first) { "" } else { "," };
        Ok(Bytes::from([comma.as_bytes(), &piece].concat()))
    });
    let ends = |text: &'static str| stream::once(async move { Ok(Bytes::from_static(text.as_bytes())) });
    ends("{\"items\":[").chain(separated).chain(ends("]}"))
}

/// Positions as the inside of a JSON array.
fn items(positions: &[Position]) -> Result<Vec<u8>> {
    let mut text = Vec::with_capacity(positions.len() * 256);
    for (index, position) in positions.iter().enumerate() {
        if index > 0 {
            text.push(b',');
        }
        serde_json::to_writer(&mut text, &position.to_track_point()).map_err(Error::internal)?;
    }
    Ok(text)
}
