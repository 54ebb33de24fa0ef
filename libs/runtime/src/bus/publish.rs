//! Publishing to streams. A connection has a number of permits, one for each publication that is not acknowledged yet, and a
//! permit comes back only while somebody waits for the acknowledgement. Whoever held acknowledgements without looking at them
//! and waited for another permit would wait for ever, and everybody else with them: so nothing but this file publishes.

use std::collections::VecDeque;

use async_nats::{
    HeaderMap,
    jetstream::{
        Context,
        context::{PublishAckFuture, PublishError, PublishErrorKind},
    },
};
use bytes::Bytes;
use futures::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesOrdered};

use super::Bus;

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

impl Bus {
    /// Publishes to a stream, and waits until it is on disk.
    pub async fn publish(&self, publication: Publication) -> Published {
        Ok(send(self.jetstream.clone(), publication).await?.await?.sequence)
    }

    /// The same, but returns once it is on its way, so that what is published next comes behind it. The acknowledgement is
    /// waited for whether or not anybody looks at the outcome.
    pub async fn begin_publish(&self, publication: Publication) -> BoxFuture<'static, Published> {
        match send(self.jetstream.clone(), publication).await {
            Ok(acknowledgement) => {
                let waiting = tokio::spawn(async move { Ok(acknowledgement.await?.sequence) });
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
    jetstream: Context,
    waiting: VecDeque<Publication>,
    sending: Option<BoxFuture<'static, Result<PublishAckFuture, PublishError>>>,
    sent: FuturesOrdered<BoxFuture<'static, Published>>,
}

impl PublishWindow {
    /// An empty one.
    pub fn new(bus: &Bus) -> Self {
        Self { jetstream: bus.jetstream.clone(), waiting: VecDeque::new(), sending: None, sent: FuturesOrdered::new() }
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
                self.sending = Some(send(self.jetstream.clone(), publication).boxed());
            }
            let Some(sending) = &mut self.sending else { return self.sent.next().await };
            tokio::select! {
                biased;
                Some(outcome) = self.sent.next() => return Some(outcome),
                sent = sending => {
                    self.sending = None;
                    self.sent.push_back(match sent {
                        Ok(acknowledgement) => async move { Ok(acknowledgement.await?.sequence) }.boxed(),
                        Err(error) => std::future::ready(Err(error)).boxed(),
                    });
                }
            }
        }
    }
}

/// Returns when it has its permit and is on its way.
#[expect(clippy::disallowed_methods, reason = "whoever calls this waits for the acknowledgement")]
async fn send(jetstream: Context, publication: Publication) -> Result<PublishAckFuture, PublishError> {
    let Publication { subject, headers, body } = publication;
    jetstream.publish_with_headers(subject, headers, body).await
}
