//! What a connection does, and for how long it may do nothing.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Instant, sleep},
};

use super::limits::{ConnectionPermit, Limits};

/// Of the shortest limit, how often it is looked whether one is exceeded.
const CHECKS_PER_LIMIT: u32 = 4;

/// Cheap to share between a connection's stream, its service and whoever watches it.
pub(super) struct Activity(Mutex<State>);

struct State {
    /// Requests whose answer is not written yet.
    in_flight: usize,
    /// Since when the head of a request has been coming in. A connection begins with one.
    head: Option<Instant>,
    /// When the last answer ended.
    idle: Instant,
    /// Since when the client has taken nothing of what is to be written.
    blocked: Option<Instant>,
}

impl Activity {
    pub(super) fn new() -> Self {
        let now = Instant::now();
        Self(Mutex::new(State { in_flight: 0, head: Some(now), idle: now, blocked: None }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The head of a request is there.
    pub(super) fn begin(self: &Arc<Self>) -> InFlight {
        let mut state = self.state();
        state.in_flight += 1;
        state.head = None;
        InFlight(self.clone())
    }

    /// Ends when the connection is over one of its limits; tells which.
    pub(super) async fn overdue(&self, limits: &Limits) -> &'static str {
        let look = limits.header.min(limits.idle).min(limits.stalled) / CHECKS_PER_LIMIT;
        loop {
            sleep(look.max(Duration::from_millis(1))).await;
            if let Some(reason) = self.state().exceeded(limits) {
                return reason;
            }
        }
    }
}

impl State {
    fn exceeded(&self, limits: &Limits) -> Option<&'static str> {
        let over = |since: Option<Instant>, limit: Duration| since.is_some_and(|since| since.elapsed() >= limit);
        if over(self.blocked, limits.stalled) {
            return Some("stalled");
        }
        if self.in_flight > 0 {
            return None;
        }
        if over(self.head, limits.header) {
            return Some("header");
        }
        (self.head.is_none() && over(Some(self.idle), limits.idle)).then_some("idle")
    }
}

/// A request in flight, until this is dropped.
pub(super) struct InFlight(Arc<Activity>);

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.in_flight -= 1;
        state.idle = Instant::now();
    }
}

/// A stream that notes what happens on it, and holds the permit of its connection.
pub(super) struct Watched {
    stream: TcpStream,
    activity: Arc<Activity>,
    _permit: ConnectionPermit,
}

impl Watched {
    pub(super) fn new(stream: TcpStream, activity: Arc<Activity>, permit: ConnectionPermit) -> Self {
        Self { stream, activity, _permit: permit }
    }

    fn written(&self, outcome: &Poll<io::Result<usize>>) {
        let mut state = self.activity.state();
        match outcome {
            Poll::Pending => {
                state.blocked.get_or_insert_with(Instant::now);
            }
            Poll::Ready(_) => state.blocked = None,
        }
    }
}

impl AsyncRead for Watched {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let outcome = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            let mut state = self.activity.state();
            if state.in_flight == 0 {
                state.head.get_or_insert_with(Instant::now);
            }
        }
        outcome
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.written(&outcome);
        outcome
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.written(&outcome);
        outcome
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
