//! A track in the pieces in which it goes to whoever asked for it.

use armada_proto::v1::TrackChunk;
use armada_track::{Position, TrackColumnWriter, encode_block};
use futures::{Stream, StreamExt, TryStreamExt, stream};
use tonic::Status;

use crate::history::Track;

/// Positions in one piece of columns: some 100 kB.
const PIECE: usize = 10_000;

/// A block for each day.
pub fn blocks(track: Track) -> impl Stream<Item = Result<TrackChunk, Status>> + Send {
    days(track).map_ok(|positions| TrackChunk { block: encode_block(&positions).into(), ..TrackChunk::default() })
}

/// The columns of each day, and behind the last one that they are whole.
pub fn columns(track: Track) -> impl Stream<Item = Result<TrackChunk, Status>> + Send {
    let chunk = |columns: Vec<u8>| TrackChunk { columns: columns.into(), ..TrackChunk::default() };
    let mut writer = TrackColumnWriter::default();
    let pieces = days(track).map_ok(move |positions| {
        let pieces: Vec<Result<_, Status>> =
            positions.chunks(PIECE).map(|piece| Ok(chunk(writer.positions(piece)))).collect();
        stream::iter(pieces)
    });
    pieces.try_flatten().chain(stream::once(async move { Ok(chunk(TrackColumnWriter::end())) }))
}

/// The positions of each day.
fn days(track: Track) -> impl Stream<Item = Result<Vec<Position>, Status>> + Send {
    stream::unfold(track, async |mut track| {
        let day = track.next_day().await.transpose()?;
        Some((day.map_err(Status::from), track))
    })
}
