//! Sessions that ended while access tokens of theirs may still be good: nobody comes in with these any more, and the
//! sockets that were opened in them are closed.

use std::sync::Arc;

use armada_proto::session::{ENDED, ENDED_KEPT};
use armada_runtime::{
    Context, Result,
    auth::IDENTITY,
    bus::{Bucket, BucketUpdate},
};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Ends that a socket may be behind with; one that is further behind looks at all of them.
const BACKLOG: usize = 256;

/// What is known of them here. Cheap to clone.
#[derive(Clone)]
pub(crate) struct EndedSessions {
    bucket: Bucket,
    known: moka::sync::Cache<Uuid, ()>,
    endings: Arc<broadcast::Sender<Uuid>>,
}

impl EndedSessions {
    pub(crate) async fn open(context: &Context) -> Result<Self> {
        let known = moka::sync::Cache::builder().time_to_live(ENDED_KEPT).build();
        Ok(Self {
            bucket: context.bucket(ENDED, IDENTITY).await?,
            known,
            endings: Arc::new(broadcast::Sender::new(BACKLOG)),
        })
    }

    /// Whether a session has ended. A token that goes back to none ends by itself.
    pub(crate) fn has(&self, session: Option<Uuid>) -> bool {
        session.is_some_and(|session| self.known.contains_key(&session))
    }

    /// Returns when a session has ended.
    pub(crate) async fn end_of(&self, session: Option<Uuid>) {
        let mut endings = self.endings.subscribe();
        while !self.has(session) {
            // The sender lives as long as this.
            let _ = endings.recv().await;
        }
    }

    /// Follows the bucket until shutdown. What is known stays known when the bucket is another one: a session that ended
    /// does not begin again.
    pub(crate) async fn follow(self, shutdown: CancellationToken) -> Result<()> {
        let mut follower = self.bucket.follow(|_, _| Some(()));
        let for_ever = async {
            loop {
                match follower.next().await {
                    BucketUpdate::All(all) => all.entries.keys().for_each(|session| self.record(session)),
                    BucketUpdate::Changed(session, Some(())) => self.record(&session),
                    BucketUpdate::Changed(_, None) | BucketUpdate::Refused(_) => {}
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    fn record(&self, session: &str) {
        if let Ok(session) = session.parse() {
            self.known.insert(session, ());
            let _ = self.endings.send(session);
        }
    }
}
