//! The track of a device, streamed: of however many positions it is, those of one piece are in memory at a time. Programs
//! have it as JSON, the console as columns, and people as a file for maps and spreadsheets.

mod csv;
mod geojson;
mod gpx;
mod json;
mod kml;
mod ways;
mod writer;

use std::io;

use armada_proto::{
    Choice, DeviceId, Timestamp,
    v1::{DeviceBinding, GetRequest, TrackChunk, TrackFormat, TrackRequest, TrackSegmentsRequest},
};
use armada_runtime::Error;
use armada_track::{DeviceThresholds, Position, decode_block, track_span};
use axum::{
    body::{Body, Bytes},
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use chrono::DateTime;
use chrono_tz::Tz;
use futures::{Stream, StreamExt, TryStreamExt, stream};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use tonic::Streaming;

use self::{
    csv::CsvWriter,
    geojson::GeoJsonWriter,
    gpx::GpxWriter,
    json::JsonWriter,
    kml::KmlWriter,
    ways::Ways,
    writer::{Line, TrackWriter},
};

use crate::{
    auth::caller::Authenticated,
    clients::Clients,
    http::{failure::Answer, headers::attachment, language::Language, query::Query},
};

/// Positions in one piece of the body.
const PIECE: usize = 500;

/// The positions of a device with `from` <= `recorded_at` < `to`, in the order of their times. Without `to` until now,
/// without `from` the day before `to`.
pub(crate) async fn get(
    State(clients): State<Clients>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
    language: Language,
    mut query: Query,
) -> Answer<Response> {
    let TrackRequest { format, from, to, .. } = query.message();
    let (from, to) = track_span(from, to, Timestamp::now());
    if from > to {
        query.wrong("from", "after_to");
    }
    let zone = query.time_zone();
    query.check()?;
    id.parse::<DeviceId>().map_err(Error::from)?;
    let format = TrackFormat::try_from(format).unwrap_or_default();
    let request = TrackRequest {
        id: id.clone(),
        from: Some(from),
        to: Some(to),
        format: format.into(),
        ..TrackRequest::default()
    };
    let chunks = clients.positions().track(caller.sign(request)).await?.into_inner();
    match format {
        TrackFormat::Unspecified | TrackFormat::Json => return Ok(body(chunks, JsonWriter::default())),
        TrackFormat::Columns => return Ok(columns(chunks)),
        TrackFormat::Csv | TrackFormat::Gpx | TrackFormat::Kml | TrackFormat::Geojson => {}
    }
    let rules = clients.devices().rules(caller.sign(GetRequest { id: id.clone() })).await?.into_inner();
    let DeviceBinding { name, thresholds, .. } = rules;
    let disposition = disposition(&name, zone, (from, to), format.name());
    let line = Line::new(DeviceThresholds::of_binding(thresholds));
    let segments = async || {
        let request = TrackSegmentsRequest { id, from: Some(from), to: Some(to) };
        clients.positions().track_segments(caller.sign(request)).await.map(tonic::Response::into_inner)
    };
    let file = match format {
        TrackFormat::Csv => body(chunks, CsvWriter),
        TrackFormat::Gpx => body(chunks, GpxWriter::new(name, line, segments().await?.bounds)),
        TrackFormat::Kml => {
            body(chunks, KmlWriter::new(name, line, Ways::new(&segments().await?.items, language, zone)))
        }
        _ => body(chunks, GeoJsonWriter::default()),
    };
    Ok(([(CONTENT_DISPOSITION, disposition)], file).into_response())
}

/// A name with the vehicle and the days of the track by the reader's clocks.
fn disposition(vehicle: &str, zone: Tz, (from, to): (Timestamp, Timestamp), extension: &str) -> String {
    let day =
        |ms| DateTime::from_timestamp_millis(ms).unwrap_or_default().with_timezone(&zone).date_naive().to_string();
    let (first, last) = (day(from.millis()), day(to.millis().saturating_sub(1).max(from.millis())));
    let day = if first == last { first } else { format!("{first}_{last}") };
    let ending = format!("-{day}.{extension}");
    attachment(&format!("track{ending}"), &format!("{vehicle}{ending}"))
}

fn body<W: TrackWriter>(chunks: Streaming<TrackChunk>, writer: W) -> Response {
    ([(CONTENT_TYPE, W::MEDIA_TYPE)], Body::from_stream(written(chunks, writer))).into_response()
}

/// The columns as they come. Who reads history writes them, and says behind the last that they are whole: to pack positions as
/// blocks for the way, and to unpack them here, takes longer than to read them.
fn columns(chunks: Streaming<TrackChunk>) -> Response {
    let pieces = chunks.map(|chunk| chunk.map(|chunk| chunk.columns).map_err(|status| ended_early(status.into())));
    ([(CONTENT_TYPE, "application/x-protobuf")], Body::from_stream(pieces)).into_response()
}

/// An error in the middle ends a body without its end, so that nobody takes it for whole.
fn ended_early(error: Error) -> io::Error {
    tracing::warn!(%error, "a track ended early");
    io::Error::other(error)
}

/// The parts of a body.
enum Part {
    Head,
    Positions(Vec<Position>),
    End,
}

/// Positions, so many at a time.
fn pieces(positions: Vec<Position>) -> impl Iterator<Item = Part> {
    let mut rest = positions.into_iter();
    std::iter::from_fn(move || {
        let piece: Vec<_> = rest.by_ref().take(PIECE).collect();
        (!piece.is_empty()).then_some(Part::Positions(piece))
    })
}

/// The body in pieces.
fn written(
    chunks: Streaming<TrackChunk>,
    mut writer: impl TrackWriter,
) -> impl Stream<Item = io::Result<Bytes>> + Send {
    let decoded = chunks.map(|chunk| decode_block(&chunk?.block).map_err(Error::internal));
    let positions = decoded.map_ok(|positions| stream::iter(pieces(positions)).map(Ok)).try_flatten();
    let once = |part| stream::once(async { Ok(part) });
    once(Part::Head).chain(positions).chain(once(Part::End)).map(move |part| {
        let mut out = Vec::new();
        let written = part.and_then(|part| match part {
            Part::Head => writer.head(&mut out),
            Part::Positions(positions) => writer.positions(&positions, &mut out),
            Part::End => writer.end(&mut out),
        });
        written.map_err(ended_early)?;
        Ok(Bytes::from(out))
    })
}
