//! Sessions that ended while access tokens of theirs may still be good: nobody comes in with these any more, and the
//! sockets that were opened in them are closed.

use std::{sync::Arc, time::Duration};

use armada_proto::session::{ENDED, ENDED_KEPT};
use armada_runtime::{Bus, Result};
use async_nats::jetstream::kv::{self, Operation};
use futures::StreamExt;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// When to open the bucket again after it was lost.
const RETRY: Duration = Duration::from_millis(200);
/// Ends that a socket may be behind with; one that is further behind looks at all of them.
const BACKLOG: usize = 256;

/// What is known of them here. Cheap to clone.
#[derive(Clone)]
pub(crate) struct EndedSessions {
    store: kv::Store,
    known: moka::sync::Cache<Uuid, ()>,
    news: Arc<broadcast::Sender<Uuid>>,
}

impl EndedSessions {
    pub(crate) async fn open(bus: &Bus) -> Result<Self> {
        let known = moka::sync::Cache::builder().time_to_live(ENDED_KEPT).build();
        Ok(Self { store: bus.bucket(ENDED).await?, known, news: Arc::new(broadcast::Sender::new(BACKLOG)) })
    }

    /// Whether a session has ended. A token that goes back to none ends by itself.
    pub(crate) fn has(&self, session: Option<Uuid>) -> bool {
        session.is_some_and(|session| self.known.contains_key(&session))
    }

    /// Returns when a session has ended.
    pub(crate) async fn end_of(&self, session: Option<Uuid>) {
        let mut news = self.news.subscribe();
        while !self.has(session) {
            // The sender lives as long as this.
            let _ = news.recv().await;
        }
    }

    /// Follows the bucket until shutdown.
    pub(crate) async fn follow(self, bus: Bus, shutdown: CancellationToken) -> Result<()> {
        shutdown.run_until_cancelled(self.follow_for_ever(&bus)).await.unwrap_or(Ok(()))
    }

    async fn follow_for_ever(&self, bus: &Bus) -> Result<()> {
        loop {
            let mut connections = bus.connections();
            match self.store.watch_with_history(">").await {
                Ok(mut changes) => loop {
                    tokio::select! {
                        _ = connections.changed() => break,
                        change = changes.next() => match change {
                            Some(Ok(entry)) => self.note(&entry),
                            _ => break,
                        },
                    }
                },
                Err(error) => tracing::warn!(%error, "cannot follow the ended sessions; will try again"),
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    fn note(&self, entry: &kv::Entry) {
        if let (Operation::Put, Ok(session)) = (entry.operation, entry.key.parse()) {
            self.known.insert(session, ());
            let _ = self.news.send(session);
        }
    }
}
