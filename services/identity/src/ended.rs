//! Sessions end in the database; here the edge is told, so that the access tokens they leave behind and the sockets they
//! opened end with them.

use std::time::Duration;

use armada_proto::{
    Timestamp,
    session::{ENDED, ENDED_KEPT},
};
use armada_runtime::{Bus, Result};
use async_nats::jetstream::kv;
use futures::future::join_all;
use sea_orm::{DatabaseTransaction, EntityTrait, QueryFilter, sea_query::IntoCondition};
use tokio::time::timeout;
use uuid::Uuid;

use crate::entity::session;

/// How long the end of sessions waits for the bus.
const PATIENCE: Duration = Duration::from_secs(1);

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
pub(crate) struct Ended(kv::Store);

impl Ended {
    pub(crate) async fn open(bus: &Bus) -> Result<Self> {
        Ok(Self(bus.bucket(ENDED).await?))
    }

    /// Tells of ended sessions. They have ended anyhow, so that nobody waits long for a bus that is away: it is told
    /// when it is back, sockets find out when they ask next, and access tokens end by themselves.
    pub(crate) async fn tell(&self, sessions: Vec<Uuid>) {
        let told = join_all(sessions.iter().map(|session| self.0.put(session.to_string(), Default::default())));
        match timeout(PATIENCE, told).await {
            Err(_) => tracing::warn!("NATS does not answer; that sessions have ended is told when it does"),
            Ok(told) => {
                for error in told.into_iter().filter_map(Result::err) {
                    tracing::warn!(%error, "cannot tell that a session has ended");
                }
            }
        }
    }
}
