//! Files that are sent while they are written: the entries come in, the body goes out, and neither is ever whole in
//! memory.

use std::io::{self, BufWriter, Write};

use armada_tables::{csv, xlsx};
use axum::body::Bytes;
use futures::{Stream, StreamExt, TryStream, TryStreamExt, stream};
use tokio::sync::{Semaphore, SemaphorePermit, mpsc};
use tokio_stream::wrappers::ReceiverStream;

use super::table::{Entry, Export, Exported};

/// Excel files written at a time. Each has a thread of its own, which waits for its reader: the runtime's threads for what
/// blocks are for passwords and files, and slow readers must not use them up.
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

/// Excel. It is written by a thread that may block: it waits for entries, and for the reader of the body.
pub fn xlsx<T, S>(export: Export<T>, entries: S) -> impl Stream<Item = io::Result<Bytes>> + Send
where
    T: Exported,
    S: TryStream<Ok = Vec<Entry<T>>, Error = tonic::Status> + Send + 'static,
{
    let (to_writer, mut from_service) = mpsc::channel(2);
    let (to_body, body) = mpsc::channel(2);
    tokio::spawn(async move {
        let mut entries = std::pin::pin!(entries.into_stream());
        // The receiver is gone when the file is no longer wanted.
        while let Some(piece) = entries.try_next().await.transpose() {
            if to_writer.send(piece).await.is_err() {
                break;
            }
        }
    });
    let mut write = move |_turn: SemaphorePermit<'static>| {
        let pieces = std::iter::from_fn(|| from_service.blocking_recv()).take_while(|_| !to_body.is_closed());
        let pieces = pieces.map(|piece| piece.map_err(|status| io::Error::other(status.message().to_owned())));
        let mut out = BufWriter::with_capacity(PIECE, Pieces(to_body.clone()));
        if let Err(error) = workbook(&export, pieces, &mut out) {
            // Nobody hears it when the reader is gone.
            let _ = to_body.blocking_send(Err(interrupted(error)));
        }
    };
    tokio::spawn(async move {
        // A semaphore that nobody closes.
        let Ok(turn) = WRITERS.acquire().await else { return };
        if let Err(error) = std::thread::Builder::new().name("xlsx".to_owned()).spawn(move || write(turn)) {
            tracing::error!(%error, "no thread for an export");
        }
    });
    ReceiverStream::new(body)
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

/// What is written goes to the body as soon as somebody reads it.
struct Pieces(mpsc::Sender<io::Result<Bytes>>);

impl Write for Pieces {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.0.blocking_send(Ok(Bytes::copy_from_slice(piece))).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Says that the file ended early; the reader of the body hears it as a broken connection.
fn interrupted(error: impl std::fmt::Display) -> io::Error {
    tracing::warn!(%error, "an export ended early");
    io::Error::other(error.to_string())
}
