//! Files that are written while the entries come in: neither these nor the file are ever whole in memory.

use std::{
    fs::File,
    io::{self, BufWriter, Seek, Write},
};

use armada_tables::{csv, xlsx};
use axum::body::Bytes;
use futures::{Stream, StreamExt, TryStream, TryStreamExt, stream};
use tokio::sync::{Semaphore, SemaphorePermit, mpsc, oneshot};
use tokio_util::io::ReaderStream;

use super::table::{Entry, Export, Exported};

/// Excel files written at a time. Each has a thread of its own: the runtime's threads for what blocks are for passwords and
/// files.
static WRITERS: Semaphore = Semaphore::const_new(16);
/// Bytes in one piece of the body.
const PIECE: usize = 64 << 10;

/// CSV, a piece of it for each piece of the list.
pub(super) fn csv<T, S>(export: Export<T>, entries: S) -> impl Stream<Item = io::Result<Bytes>> + Send
where
    T: Exported,
    S: TryStream<Ok = Vec<Entry<T>>, Error = tonic::Status> + Send + 'static,
{
    let head = csv::Writer::with_head(Vec::new(), &export.table()).and_then(csv::Writer::finish);
    let rows = entries.into_stream().map(move |piece| {
        let mut writer = csv::Writer::new(Vec::new());
        for entry in piece.map_err(|status| interrupted(status.message()))? {
            writer.row(export.row(&entry))?;
        }
        writer.finish()
    });
    stream::once(async move { head }).chain(rows).map_ok(Bytes::from)
}

/// Excel. It is written by a thread that may block, since it waits for entries; never for the reader of the body, who gets the
/// file when it is whole, as slowly as they like.
pub fn xlsx<T, S>(export: Export<T>, entries: S) -> impl Stream<Item = io::Result<Bytes>> + Send
where
    T: Exported,
    S: TryStream<Ok = Vec<Entry<T>>, Error = tonic::Status> + Send + 'static,
{
    let (to_writer, mut from_service) = mpsc::channel(2);
    let (to_body, file) = oneshot::channel();
    tokio::spawn(async move {
        let mut entries = std::pin::pin!(entries.into_stream());
        // The receiver is gone when the file is no longer wanted.
        while let Some(piece) = entries.try_next().await.transpose() {
            if to_writer.send(piece).await.is_err() {
                break;
            }
        }
    });
    let write = move |_turn: SemaphorePermit<'static>| {
        let pieces = std::iter::from_fn(|| from_service.blocking_recv()).take_while(|_| !to_body.is_closed());
        let pieces = pieces.map(|piece| piece.map_err(|status| io::Error::other(status.message().to_owned())));
        let file = whole(&export, pieces);
        // Nobody waits for it when the reader is gone.
        let _ = to_body.send(file.map_err(interrupted));
    };
    tokio::spawn(async move {
        // A semaphore that nobody closes.
        let Ok(turn) = WRITERS.acquire().await else { return };
        if let Err(error) = std::thread::Builder::new().name("xlsx".to_owned()).spawn(move || write(turn)) {
            tracing::error!(%error, "no thread for an export");
        }
    });
    let read = |file| ReaderStream::with_capacity(tokio::fs::File::from_std(file), PIECE);
    stream::once(async move { file.await.map_err(interrupted)? }).map_ok(read).try_flatten()
}

/// The whole workbook in a file that nobody else sees, and that is gone with whoever has it.
fn whole<T: Exported>(export: &Export<T>, pieces: impl Iterator<Item = io::Result<Vec<Entry<T>>>>) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    workbook(export, pieces, &mut BufWriter::with_capacity(PIECE, &mut file))?;
    file.rewind()?;
    Ok(file)
}

/// Writes the whole workbook; nothing of it goes out before it is complete.
pub fn workbook<T: Exported>(
    export: &Export<T>,
    pieces: impl Iterator<Item = io::Result<Vec<Entry<T>>>>,
    out: &mut (impl Write + Send),
) -> io::Result<()> {
    let mut writer = xlsx::Writer::new(export.table())?;
    for piece in pieces {
        for entry in piece? {
            writer.row(export.row(&entry))?;
        }
    }
    writer.finish(&mut *out)?;
    out.flush()
}

/// Says that the file ended early; the reader of the body hears it as a broken connection.
fn interrupted(error: impl std::fmt::Display) -> io::Error {
    tracing::warn!(%error, "an export ended early");
    io::Error::other(error.to_string())
}
