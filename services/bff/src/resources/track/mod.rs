//! The track of a device, streamed: of however many positions it is, those of one piece are in memory at a time. Programs
//! have it as JSON, the console as columns, and people as a file for maps and spreadsheets.

mod columns;
mod csv;
mod geojson;
mod gpx;
mod json;
mod kml;
mod writer;

use std::{io, time::Duration};

use armada_proto::{
    DeviceId, Timestamp,
    v1::{Device, GetRequest, TrackChunk, TrackFormat, TrackRequest},
};
use armada_runtime::Error;
use armada_track::{Position, decode_block};
use axum::{
    body::{Body, Bytes},
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use chrono::DateTime;
use chrono_tz::Tz;
use futures::{Stream, StreamExt, stream};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use tonic::Streaming;

pub use self::{columns::ColumnWriter, writer::TrackWriter};
use self::{csv::CsvWriter, geojson::GeoJsonWriter, gpx::GpxWriter, json::JsonWriter, kml::KmlWriter};

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
    let TrackRequest { format, from, to, .. } = query.message();
    let (from, to) = span(from, to, Timestamp::now());
    if from > to {
        query.wrong("from", "after_to");
    }
    let zone = query.time_zone();
    query.check()?;
    id.parse::<DeviceId>().map_err(Error::from)?;
    let format = TrackFormat::try_from(format).unwrap_or_default();
    let request = TrackRequest { id: id.clone(), from: Some(from), to: Some(to), ..TrackRequest::default() };
    let chunks = clients.positions().track(caller.sign(request)).await?.into_inner();
    let Some((kind, extension)) = file_kind(format) else {
        return Ok(match format {
            TrackFormat::Columns => body("application/x-protobuf", chunks, ColumnWriter::default()),
            _ => body("application/json", chunks, JsonWriter::default()),
        });
    };
    let device = clients.devices().get(caller.sign(GetRequest { id })).await?.into_inner();
    let disposition = disposition(&device, zone, (from, to), extension);
    let file = match format {
        TrackFormat::Csv => body(kind, chunks, CsvWriter),
        TrackFormat::Gpx => body(kind, chunks, GpxWriter::new(device.name)),
        TrackFormat::Kml => body(kind, chunks, KmlWriter::new(device.name)),
        _ => body(kind, chunks, GeoJsonWriter::default()),
    };
    Ok(([(CONTENT_DISPOSITION, disposition)], file).into_response())
}

fn span(from: Option<Timestamp>, to: Option<Timestamp>, now: Timestamp) -> (Timestamp, Timestamp) {
    let to = to.unwrap_or(now);
    (from.unwrap_or(Timestamp::from_millis(to.millis() - DEFAULT_SPAN.as_millis() as i64)), to)
}

/// The media type of a file, and how its name ends.
const fn file_kind(format: TrackFormat) -> Option<(&'static str, &'static str)> {
    match format {
        TrackFormat::Unspecified | TrackFormat::Json | TrackFormat::Columns => None,
        TrackFormat::Csv => Some(("text/csv; charset=utf-8", "csv")),
        TrackFormat::Gpx => Some(("application/gpx+xml", "gpx")),
        TrackFormat::Kml => Some(("application/vnd.google-earth.kml+xml", "kml")),
        TrackFormat::Geojson => Some(("application/geo+json", "geojson")),
    }
}

/// A name that every client reads, and the one of the vehicle (RFC 6266), with the days of the track by the reader's clocks.
fn disposition(device: &Device, zone: Tz, (from, to): (Timestamp, Timestamp), extension: &str) -> String {
    let day =
        |ms| DateTime::from_timestamp_millis(ms).unwrap_or_default().with_timezone(&zone).date_naive().to_string();
    let (first, last) = (day(from.millis()), day(to.millis().saturating_sub(1).max(from.millis())));
    let day = if first == last { first } else { format!("{first}_{last}") };
    let name: String = form_urlencoded::byte_serialize(device.name.as_bytes()).collect();
    let name = name.replace('+', "%20");
    format!("attachment; filename=\"track-{day}.{extension}\"; filename*=UTF-8''{name}-{day}.{extension}")
}

fn body(kind: &'static str, chunks: Streaming<TrackChunk>, writer: impl TrackWriter) -> Response {
    ([(CONTENT_TYPE, kind)], Body::from_stream(written(chunks, writer))).into_response()
}

/// The parts of a body.
enum Part {
    Head,
    Positions(Vec<Position>),
    End,
}

/// The body in pieces. An error in the middle ends it without its end, so that nobody takes it for whole.
fn written(
    chunks: Streaming<TrackChunk>,
    mut writer: impl TrackWriter,
) -> impl Stream<Item = io::Result<Bytes>> + Send {
    let positions = chunks.flat_map(|chunk| {
        let positions =
            chunk.map_err(Error::from).and_then(|chunk| decode_block(&chunk.block).map_err(Error::internal));
        stream::iter(match positions {
            Ok(positions) => positions.chunks(PIECE).map(|piece| Ok(Part::Positions(piece.to_vec()))).collect(),
            Err(error) => vec![Err(error)],
        })
    });
    let once = |part| stream::once(async { Ok(part) });
    once(Part::Head).chain(positions).chain(once(Part::End)).map(move |part| {
        let mut out = Vec::new();
        let written = part.and_then(|part| match part {
            Part::Head => writer.head(&mut out),
            Part::Positions(positions) => writer.positions(&positions, &mut out),
            Part::End => writer.end(&mut out),
        });
        written.inspect_err(|error| tracing::warn!(%error, "a track ended early")).map_err(io::Error::other)?;
        Ok(Bytes::from(out))
    })
}
