//! What a request still has of its body when it is answered: whoever does not read it leaves it before the next request.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use axum::body::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tokio::time::timeout;

/// Bytes that are read away; of a body with more, the connection ends with its answer.
const BYTES_MAX: usize = 64 << 10;
/// How long that may take.
const TIMEOUT: Duration = Duration::from_secs(1);

/// The body of a request, which whoever answers it reads or drops.
pub(super) struct Shared(Arc<Mutex<Incoming>>);

/// What is left of it then.
pub(super) struct Leftover(Arc<Mutex<Incoming>>);

/// A body to be read, and what will be left of it.
pub(super) fn split(body: Incoming) -> (Shared, Leftover) {
    let body = Arc::new(Mutex::new(body));
    (Shared(body.clone()), Leftover(body))
}

impl Leftover {
    /// Reads it away, so that the next request on the connection can be read. Nothing, if an answer that is on its way still
    /// reads it.
    pub(super) async fn drain(self) {
        let Some(body) = Arc::into_inner(self.0) else { return };
        let mut body = body.into_inner().unwrap_or_else(PoisonError::into_inner);
        let rest = async {
            let mut bytes = 0;
            while let Some(Ok(frame)) = body.frame().await {
                bytes += frame.data_ref().map_or(0, Bytes::len);
                if bytes > BYTES_MAX {
                    return;
                }
            }
        };
        let _ = timeout(TIMEOUT, rest).await;
    }
}

impl Body for Shared {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).size_hint()
    }
}
