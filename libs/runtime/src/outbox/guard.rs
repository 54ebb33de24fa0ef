//! What others put into a bucket of ours, be it by an answer of JetStream that they had sent there, is replaced by what
//! the tables say.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{Relay, States};
use crate::{bus::BucketUpdate, error::Result};

/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(1);

impl<S: States> Relay<S> {
    /// Follows the bucket and restores it until shutdown.
    pub async fn guard(self, shutdown: CancellationToken) -> Result<()> {
        let mut follower = self.bucket.follow(|_, _| Some(()));
        let for_ever = async {
            loop {
                let keys: Vec<String> = match follower.next().await {
                    BucketUpdate::All(all) => all.refused.into_iter().collect(),
                    BucketUpdate::Refused(key) => vec![key],
                    BucketUpdate::Changed(..) => continue,
                };
                while let Err(error) = self.put(keys.clone()).await {
                    let bucket = self.bucket.name();
                    tracing::warn!(bucket, ?keys, %error, "cannot restore entries; will try again");
                    tokio::time::sleep(RETRY).await;
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }
}
