//! A track in the pieces in which it goes to whoever asked for it.

use armada_proto::v1::TrackChunk;
use armada_track::{Position, TrackColumnWriter, encode_block};
use futures::{Stream, StreamExt, TryStreamExt, stream};
use tonic::Status;

use crate::history::read::Track;

/// Positions in one piece of columns: some 100 kB.
const PIECE: usize = 10_000;
/// Bytes of texts in one piece. A message of gRPC has four megabytes at most unless both sides say otherwise.
const TEXT_BYTES: usize = 1 << 20;

/// A block for each day, or several of one that has very much text.
pub fn blocks(track: Track) -> impl Stream<Item = Result<TrackChunk, Status>> + Send {
    let chunk = |piece: &[Position]| TrackChunk { block: encode_block(piece).into(), ..TrackChunk::default() };
    let pieces = days(track).map_ok(move |positions| {
        let chunks: Vec<_> = pieces(&positions, usize::MAX).map(|piece| Ok(chunk(piece))).collect();
        stream::iter(chunks)
    });
    pieces.try_flatten()
}

/// The columns of each day, and behind the last one that they are whole.
pub fn columns(track: Track) -> impl Stream<Item = Result<TrackChunk, Status>> + Send {
    let chunk = |columns: Vec<u8>| TrackChunk { columns: columns.into(), ..TrackChunk::default() };
    let mut writer = TrackColumnWriter::default();
    let pieces = days(track).map_ok(move |positions| {
        let pieces: Vec<Result<_, Status>> =
            pieces(&positions, PIECE).map(|piece| Ok(chunk(writer.positions(piece)))).collect();
        stream::iter(pieces)
    });
    pieces.try_flatten().chain(stream::once(async move { Ok(chunk(TrackColumnWriter::end())) }))
}

/// So many positions at a time, and no more than their texts allow.
fn pieces(positions: &[Position], most: usize) -> impl Iterator<Item = &[Position]> {
    let mut left = positions;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let fitting = left.iter().take(most).take_while(|position| {
            bytes += position.report.text_bytes();
            bytes <= TEXT_BYTES
        });
        // One at least: no text is as long as a piece may be. None is left when it cannot be split off.
        let count = fitting.count().max(1);
        let (piece, rest) = left.split_at_checked(count)?;
        left = rest;
        Some(piece)
    })
}

/// The positions of each day.
fn days(track: Track) -> impl Stream<Item = Result<Vec<Position>, Status>> + Send {
    stream::unfold(track, async |mut track| {
        let day = track.next_day().await.transpose()?;
        Some((day.map_err(Status::from), track))
    })
}
