//! A bucket is brought in step with its table, whatever happened to either: every row is compared with its entry, and every
//! entry that has no row.

use std::{future, time::Duration};

use futures::TryStreamExt;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select, TryGetable, Value};
use tokio_util::sync::CancellationToken;

use super::{Relay, States};
use crate::{auth::Scope, db::Database, error::Result};

/// Rows that are held at a time.
const CHUNK: usize = 500;
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(2);

/// Rows of a table of which a bucket tells.
pub trait Rows: States {
    /// What the rows are gone through by.
    type Place: Send;

    /// The keys of the next rows, and where they end; none at the end of the table. [`next_ids`] reads them where a key is
    /// the id of its row, [`page`] helps where it is not.
    fn keys(
        &self,
        db: &Database,
        after: Option<Self::Place>,
    ) -> impl Future<Output = Result<Option<(Vec<String>, Self::Place)>>> + Send;

    /// Which of these keys of the bucket may have no row, so that they are compared as well: all of them, unless a table can
    /// tell for less than that costs.
    fn without_row(&self, _: &Database, keys: Vec<String>) -> impl Future<Output = Result<Vec<String>>> + Send {
        future::ready(Ok(keys))
    }
}

impl<T: Rows> Relay<T> {
    /// Brings the bucket in step with the table, both ways; an error when either is away.
    pub async fn reconcile(&self) -> Result<()> {
        self.put_rows().await?;
        let mut chunks = self.bucket.chunks_of_keys().await?;
        while let Some(keys) = chunks.try_next().await? {
            let orphans = self.states.without_row(&self.db, keys).await?;
            self.put(orphans).await?;
        }
        Ok(())
    }

    /// Tells the bucket all that the table knows.
    pub async fn put_rows(&self) -> Result<()> {
        let mut after = None;
        while let Some((keys, last)) = self.states.keys(&self.db, after).await? {
            self.put(keys).await?;
            after = Some(last);
        }
        Ok(())
    }
}

/// The next rows, in the order of a column that tells them apart.
pub fn page<E: EntityTrait>(rows: Select<E>, by: E::Column, after: Option<impl Into<Value>>) -> Select<E> {
    let rows = rows.order_by_asc(by).limit(CHUNK as u64);
    match after {
        Some(after) => rows.filter(by.gt(after)),
        None => rows,
    }
}

/// The ids in a column of the next rows, as [`Rows::keys`] answers.
pub async fn next_ids<E, I>(
    db: &Database,
    rows: Select<E>,
    column: E::Column,
    after: Option<I>,
) -> Result<Option<(Vec<String>, I)>>
where
    E: EntityTrait,
    I: TryGetable + Into<Value> + ToString + Copy,
{
    let rows = page(rows, column, after).select_only().column(column);
    let tx = db.read(&Scope::Platform).await?;
    let ids: Vec<I> = rows.into_tuple::<I>().all(&tx).await?;
    tx.commit().await?;
    Ok(ids.last().map(|last| (ids.iter().map(ToString::to_string).collect(), *last)))
}

/// Tries until it has succeeded once, then rests until shutdown, as a task must; `failure` is what the log says of an attempt
/// that fails.
pub async fn until_done<Attempt>(
    shutdown: CancellationToken,
    failure: &'static str,
    attempt: impl Fn() -> Attempt,
) -> Result<()>
where
    Attempt: Future<Output = Result<()>>,
{
    let done = async {
        while let Err(error) = attempt().await {
            tracing::warn!(%error, "{failure}");
            tokio::time::sleep(RETRY).await;
        }
    };
    shutdown.run_until_cancelled(done).await;
    shutdown.cancelled().await;
    Ok(())
}
