//! Publishing to streams. A connection has a number of permits, one for each publication that is not acknowledged yet, and a
//! permit comes back only while somebody waits for the acknowledgement. Whoever held acknowledgements without looking at them
//! and waited for another permit would wait for ever, and everybody else with them: so nothing but this file publishes.

use std::{collections::VecDeque, error::Error as _, future::IntoFuture, time::Instant};

use async_nats::{
    HeaderMap,
    jetstream::{
        self,
        context::{PublishError, PublishErrorKind},
    },
};
use bytes::Bytes;
use futures::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesOrdered};

use super::{Bus, notices::Notices};

/// Publications of one [`Bus::publish_all`] that are under way at a time: a small part of the permits.
const AT_ONCE: usize = 64;

/// A message for a stream.
#[derive(Debug, Clone, Default)]
pub struct Publication {
    /// Its subject.
    pub subject: String,
    /// What stands before it.
    pub headers: HeaderMap,
    /// What it says.
    pub body: Bytes,
}

/// The sequence that it has in its stream, once it is on disk.
pub type Published = Result<u64, PublishError>;

/// What a publication waits for once it is on its way.
type Acknowledgement = BoxFuture<'static, Published>;

/// The server does not let this user publish there.
#[derive(Debug)]
struct Denied(String);

impl std::fmt::Display for Denied {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NATS does not let this user publish on {}", self.0)
    }
}

impl std::error::Error for Denied {}

/// What becomes of a publication that failed when it is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishFailure {
    /// It may go well: the server was away, or has no room.
    Passing,
    /// No stream takes it. Between two leaders of a stream that passes; when it lasts, somebody has removed the stream.
    NoStream,
    /// It fails again: it is too large, the user has no right to it, or the stream does not take what it is.
    Permanent,
}

impl PublishFailure {
    /// Of an error.
    pub fn of(error: &PublishError) -> Self {
        let source = error.source();
        let refused = source.and_then(|source| source.downcast_ref::<jetstream::Error>());
        match error.kind() {
            PublishErrorKind::MaxPayloadExceeded => Self::Permanent,
            PublishErrorKind::StreamNotFound => Self::NoStream,
            PublishErrorKind::Other if source.is_some_and(|source| source.is::<Denied>()) => Self::Permanent,
            // Like HTTP's: the message is wrong, which the server says of one that is too large for the stream.
            PublishErrorKind::Other if refused.is_some_and(|refused| refused.code() == 400) => Self::Permanent,
            _ => Self::Passing,
        }
    }
}

impl Bus {
    /// Publishes to a stream, and waits until it is on disk.
    pub async fn publish(&self, publication: Publication) -> Published {
        send(self.sender(), publication).await?.await
    }

    fn sender(&self) -> Sender {
        Sender { jetstream: self.jetstream.clone(), notices: self.notices.clone() }
    }

    /// The same, but returns once it is on its way, so that what is published next comes behind it. The acknowledgement is
    /// waited for whether or not anybody looks at the outcome.
    pub async fn begin_publish(&self, publication: Publication) -> BoxFuture<'static, Published> {
        match send(self.sender(), publication).await {
            Ok(acknowledgement) => {
                let waiting = tokio::spawn(acknowledgement);
                let ended = |error| PublishError::with_source(PublishErrorKind::Other, error);
                waiting.map(move |outcome| outcome.unwrap_or_else(|error| Err(ended(error)))).boxed()
            }
            Err(error) => std::future::ready(Err(error)).boxed(),
        }
    }

    /// Publishes many, in their order, some of them under way at a time, and waits for all of them: what became of each.
    pub async fn publish_all(&self, publications: Vec<Publication>) -> Vec<Published> {
        let mut window = PublishWindow::new(self);
        let mut published = Vec::with_capacity(publications.len());
        for publication in publications {
            window.push(publication);
            if window.len() >= AT_ONCE {
                published.extend(window.next().await);
            }
        }
        while let Some(outcome) = window.next().await {
            published.push(outcome);
        }
        published
    }
}

/// Publications under way, in their order. Acknowledgements are looked at while the next one waits for its permit.
pub struct PublishWindow {
    sender: Sender,
    waiting: VecDeque<Publication>,
    sending: Option<BoxFuture<'static, Result<Acknowledgement, PublishError>>>,
    sent: FuturesOrdered<Acknowledgement>,
}

impl PublishWindow {
    /// An empty one.
    pub fn new(bus: &Bus) -> Self {
        Self { sender: bus.sender(), waiting: VecDeque::new(), sending: None, sent: FuturesOrdered::new() }
    }

    /// Adds one. It leaves while [`PublishWindow::next`] is waited for.
    pub fn push(&mut self, publication: Publication) {
        self.waiting.push_back(publication);
    }

    /// How many have no outcome yet.
    pub fn len(&self) -> usize {
        self.waiting.len() + usize::from(self.sending.is_some()) + self.sent.len()
    }

    /// Whether all have.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What became of the oldest one; none when there is none. Nothing is lost when it is dropped while it waits.
    pub async fn next(&mut self) -> Option<Published> {
        loop {
            if self.sending.is_none()
                && let Some(publication) = self.waiting.pop_front()
            {
                self.sending = Some(send(self.sender.clone(), publication).boxed());
            }
            let Some(sending) = &mut self.sending else { return self.sent.next().await };
            tokio::select! {
                biased;
                Some(outcome) = self.sent.next() => return Some(outcome),
                sent = sending => {
                    self.sending = None;
                    self.sent.push_back(match sent {
                        Ok(acknowledgement) => acknowledgement,
                        Err(error) => std::future::ready(Err(error)).boxed(),
                    });
                }
            }
        }
    }
}

#[derive(Clone)]
struct Sender {
    jetstream: jetstream::Context,
    notices: Notices,
}

/// Returns when it has its permit and is on its way.
#[expect(clippy::disallowed_methods, reason = "whoever calls this waits for the acknowledgement")]
async fn send(sender: Sender, publication: Publication) -> Result<Acknowledgement, PublishError> {
    let Sender { jetstream, notices } = sender;
    let Publication { subject, headers, body } = publication;
    let begun = Instant::now();
    let acknowledgement = jetstream.publish_with_headers(subject.clone(), headers, body).await?;
    let acknowledged = async move {
        tokio::select! {
            biased;
            acknowledged = acknowledgement.into_future() => Ok(acknowledged?.sequence),
            // Nothing is acknowledged then.
            () = notices.denied(&subject, begun) => Err(PublishError::with_source(PublishErrorKind::Other, Denied(subject))),
        }
    };
    Ok(acknowledged.boxed())
}
