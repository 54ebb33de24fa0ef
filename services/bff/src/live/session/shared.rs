//! What the sides of a socket share: what they tell, to whom, and how they end.

use std::{sync::Arc, time::Duration};

use armada_runtime::{Error, Result};
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, close_code};
use tokio::time::timeout;

use crate::{
    http::language::Language,
    live::{hub::Subscription, inbox::Inbox, sockets::Sockets},
};

/// How long a client may take to answer a close.
pub(in crate::live) const CLOSING: Duration = Duration::from_secs(2);
/// How long another service may take to answer.
pub(super) const TIMEOUT: Duration = Duration::from_secs(20);

/// What the three sides of a session share.
pub(super) struct Shared {
    pub(super) sockets: Sockets,
    pub(super) inbox: Arc<Inbox>,
    pub(super) subscription: Subscription,
    pub(super) everything: bool,
    pub(super) language: Language,
}

/// Why a socket ends.
pub(in crate::live) struct End {
    pub(in crate::live) code: u16,
    reason: &'static str,
}

/// The connection just ended.
pub(in crate::live) const DISCONNECTED: End = End { code: 0, reason: "" };
pub(in crate::live) const SHUTDOWN: End = End { code: close_code::AWAY, reason: "the server stops" };
pub(super) const SIGNED_OUT: End = End { code: close_code::POLICY, reason: "the session has ended" };
pub(super) const NOT_ALLOWED: End = End { code: close_code::POLICY, reason: "the user may not see live positions" };
/// A share link is over, or is not what it was when it was opened: whoever opens it anew learns which.
pub(in crate::live) const LINK_OVER: End = End { code: close_code::POLICY, reason: "the link has changed or is over" };
pub(in crate::live) const TOO_FAST: End = End { code: close_code::POLICY, reason: "too many messages" };
pub(in crate::live) const SILENT: End = End { code: close_code::POLICY, reason: "no sign of life" };
pub(super) const TOO_LARGE: End = End { code: close_code::SIZE, reason: "the message is too large" };
pub(in crate::live) const FAILED: End = End { code: close_code::ERROR, reason: "the server cannot go on" };

impl End {
    pub(in crate::live) fn message(&self) -> Message {
        Message::Close(Some(CloseFrame { code: self.code, reason: Utf8Bytes::from_static(self.reason) }))
    }
}

/// Nothing in this process waits for another service for ever. The work is boxed: a socket asks now and then, and would
/// hold the room for the largest question all the time.
pub(in crate::live) fn with_deadline<T>(work: impl Future<Output = Result<T>>) -> impl Future<Output = Result<T>> {
    let answer = timeout(TIMEOUT, Box::pin(work));
    async { answer.await.unwrap_or_else(|_| Err(Error::unavailable("no answer in time"))) }
}
