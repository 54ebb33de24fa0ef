//! Sessions end in the database; here the edge is told, so that the access tokens they leave behind and the sockets they
//! opened end with them.

use std::time::Duration;

use armada_proto::{
    Timestamp,
    session::{ENDED, ENDED_KEPT},
};
use armada_runtime::{
    Bus, Context, Result,
    bus::{Bucket, BucketUpdate},
};
use async_nats::jetstream::kv;
use futures::future::join_all;
use sea_orm::{DatabaseTransaction, EntityTrait, QueryFilter, sea_query::IntoCondition};
use tokio::time::timeout;
use tokio_util::{bytes::Bytes, sync::CancellationToken};
use uuid::Uuid;

use crate::entity::session;

/// How long the end of sessions waits for the bus.
const TIMEOUT: Duration = Duration::from_secs(1);
/// The value of an entry; its key says everything.
const VALUE: &[u8] = b"ended";

/// Makes the bucket.
pub(crate) async fn migrate(bus: &Bus) -> Result<()> {
    bus.ensure_bucket(kv::Config { bucket: ENDED.to_owned(), history: 1, max_age: ENDED_KEPT, ..kv::Config::default() })
        .await
}

/// Ends sessions and returns those whose end is to be told once the transaction is committed. Of those that nobody has
/// refreshed for a while no access token is left.
pub(crate) async fn end(tx: &DatabaseTransaction, which: impl IntoCondition) -> Result<Vec<Uuid>> {
    let ended = session::Entity::delete_many().filter(which.into_condition()).exec_with_returning(tx).await?;
    let since = Timestamp::now().millis() - ENDED_KEPT.as_millis() as i64;
    Ok(ended.into_iter().filter(|session| session.rotated_at > since).map(|session| session.id).collect())
}

/// The bucket.
#[derive(Clone)]
pub(crate) struct EndedSessions(Bucket);

impl EndedSessions {
    pub(crate) async fn open(context: &Context) -> Result<Self> {
        Ok(Self(context.own_bucket(ENDED).await?))
    }

    /// Tells of ended sessions. They have ended anyhow, so that nobody waits long for a bus that is away: it is told
    /// when it is back, sockets find out when they ask next, and access tokens end by themselves.
    pub(crate) async fn announce(&self, sessions: Vec<Uuid>) {
        let announced = join_all(sessions.iter().map(|session| self.put(*session)));
        match timeout(TIMEOUT, announced).await {
            Err(_) => tracing::warn!("NATS does not answer; that sessions have ended is told when it does"),
            Ok(announced) => {
                for error in announced.into_iter().filter_map(Result::err) {
                    tracing::warn!(%error, "cannot tell that a session has ended");
                }
            }
        }
    }

    async fn put(&self, session: Uuid) -> Result<()> {
        self.0.put(&session.to_string(), Bytes::from_static(VALUE)).await
    }

    /// Follows the bucket until shutdown, and restores what others have put into it or taken away: no table knows which
    /// sessions have ended, but whoever follows remembers it.
    pub(crate) async fn guard(self, shutdown: CancellationToken) -> Result<()> {
        let known = moka::sync::Cache::builder().time_to_live(ENDED_KEPT).build();
        let mut follower = self.0.follow(|_, _| Some(()));
        let for_ever = async {
            loop {
                let refused: Vec<String> = match follower.next().await {
                    BucketUpdate::All(all) => {
                        all.entries.into_keys().for_each(|session| known.insert(session, ()));
                        all.refused.into_iter().collect()
                    }
                    BucketUpdate::Changed(session, Some(())) => {
                        known.insert(session, ());
                        continue;
                    }
                    BucketUpdate::Changed(_, None) => continue,
                    BucketUpdate::Refused(session) => vec![session],
                };
                for key in refused {
                    while let Err(error) = self.restore(&key, known.contains_key(&key)).await {
                        tracing::warn!(%error, "cannot restore which sessions have ended; will try again");
                        tokio::time::sleep(TIMEOUT).await;
                    }
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    async fn restore(&self, key: &str, has_ended: bool) -> Result<()> {
        match has_ended {
            true => self.0.put(key, Bytes::from_static(VALUE)).await,
            false => self.0.delete(key).await,
        }
    }
}
