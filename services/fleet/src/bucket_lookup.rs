//! What a bucket of another service says of a key now, for whoever asks now and then and does not follow it.

use std::{collections::HashMap, time::Duration};

use armada_runtime::{Context, Error, Result, bus::Bucket};
use futures::{StreamExt, TryStreamExt, stream};
use tokio::time::timeout;

/// How long NATS may take; whoever asks does not wait for longer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// Keys that are asked for at a time.
const ASK_AT_ONCE: usize = 32;

/// Asks a bucket, which need not be there yet: it is opened for each question. Cheap to clone.
#[derive(Clone)]
pub struct BucketLookup {
    context: Context,
    bucket: &'static str,
    owner: &'static str,
}

impl BucketLookup {
    /// As this service, of a bucket that `owner` writes.
    pub fn new(context: Context, bucket: &'static str, owner: &'static str) -> Self {
        Self { context, bucket, owner }
    }

    /// What `ask` reads out of the bucket, which was opened a moment ago. An error when that cannot be said now.
    pub async fn ask<T, F: Future<Output = Result<T>>>(&self, ask: impl FnOnce(Bucket) -> F) -> Result<T> {
        let asked = async { ask(self.context.bucket(self.bucket, self.owner).await?).await };
        timeout(ANSWER_TIMEOUT, asked).await.map_err(|_| Error::unavailable("NATS does not answer"))?
    }

    /// The same for each of many keys, some at a time: what was read of those of which there is something. An error when
    /// that cannot be said of all of them.
    pub async fn ask_each<T, F: Future<Output = Result<Option<T>>>>(
        &self,
        keys: impl Iterator<Item = String>,
        ask: impl Fn(Bucket, String) -> F,
    ) -> Result<HashMap<String, T>> {
        self.ask(|bucket| async move {
            let answers = stream::iter(keys).map(|key| {
                let answer = ask(bucket.clone(), key.clone());
                async move { Ok::<_, Error>(answer.await?.map(|value| (key, value))) }
            });
            let found: Vec<_> = answers.buffer_unordered(ASK_AT_ONCE).try_collect().await?;
            Ok(found.into_iter().flatten().collect())
        })
        .await
    }
}
