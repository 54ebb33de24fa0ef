//! How often something may fail. Whoever guesses waits longer and longer, and nobody is locked out for good: neither by
//! their own mistakes nor by somebody else's.
//!
//! An attempt counts as failed before its work is done, and is taken back when it succeeds: of a thousand guesses at
//! once, no more get through than of a thousand one after the other.

use std::time::Duration;

use armada_proto::Timestamp;
use ring::digest::{SHA256, digest};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, ExprTrait, OnConflict},
};
use sea_orm_migration::{
    SchemaManager,
    prelude::{Index, Table},
    schema::{big_integer, binary, integer},
};

use self::entity::{ActiveModel, Column, Entity, Model};
use crate::{
    auth::Scope,
    db::Database,
    error::{Error, Result},
};

mod entity {
    use sea_orm::entity::prelude::*;

    /// Attempts that failed, or have not succeeded yet, of one kind and from one place.
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "attempt")]
    pub struct Model {
        /// Hash of what is counted, so that addresses and accounts do not stand here.
        #[sea_orm(primary_key, auto_increment = false)]
        pub key: Vec<u8>,
        pub failures: i32,
        pub last_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// After so long without an attempt, everything is forgotten.
const EXPIRY: Duration = Duration::from_secs(24 * 3600);

/// How failures slow down what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// So many are free; each one after them doubles the wait, from a second up to this.
    Doubling {
        /// Failures without a wait.
        free: i32,
        /// The longest wait.
        longest: Duration,
    },
    /// So many at once, and then one in each of these times.
    Steady {
        /// Failures without a wait.
        burst: i32,
        /// The time after which one is forgotten.
        each: Duration,
    },
}

/// Something that is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    key: Vec<u8>,
    pace: Pace,
}

/// Makes the table `attempt`, in a migration of a service.
pub async fn create_table(manager: &SchemaManager<'_>) -> std::result::Result<(), DbErr> {
    let table = Table::create()
        .table("attempt")
        .col(binary("key").primary_key())
        .col(integer("failures"))
        .col(big_integer("last_at"))
        .to_owned();
    manager.create_table(table).await?;
    manager.create_index(Index::create().name("attempt_last").table("attempt").col("last_at").to_owned()).await
}

/// Removes it again.
pub async fn drop_table(manager: &SchemaManager<'_>) -> std::result::Result<(), DbErr> {
    manager.drop_table(Table::drop().table("attempt").to_owned()).await
}

impl Limit {
    /// Attempts of a kind, by a text that says whose.
    pub fn new(kind: &str, text: &str, pace: Pace) -> Self {
        let key = digest(&SHA256, &[kind.as_bytes(), &[0], text.as_bytes()].concat()).as_ref().to_vec();
        Self { key, pace }
    }
}

impl Pace {
    /// What still counts of `failures`, the last of them a while ago.
    fn left(self, failures: i32, since: Duration) -> i32 {
        match self {
            _ if since >= EXPIRY => 0,
            Self::Doubling { .. } => failures,
            Self::Steady { each, .. } => {
                let gone = since.as_millis() / each.as_millis();
                Ord::max(failures.saturating_sub(i32::try_from(gone).unwrap_or(i32::MAX)), 0)
            }
        }
    }

    /// How long to wait after `failures`, the last of them a while ago.
    fn remaining(self, failures: i32, since: Duration) -> Duration {
        let wait = match self {
            Self::Doubling { free, longest } if failures >= free => {
                let doublings = Ord::min(failures - free, 30);
                Duration::from_secs(1 << doublings).min(longest)
            }
            Self::Steady { burst, each } if failures >= burst => {
                each.saturating_mul(u32::try_from(failures - burst + 1).unwrap_or(1))
            }
            _ => Duration::ZERO,
        };
        wait.saturating_sub(since)
    }
}

/// Counts attempts in the database, so that all processes and restarts know of them.
#[derive(Debug, Clone)]
pub struct Throttle {
    /// Where they are counted: it has the table of [`create_table`].
    pub db: Database,
}

/// An attempt that was admitted, and counts as failed until it is told otherwise.
#[derive(Debug)]
#[must_use = "an attempt that succeeded must be taken back"]
pub struct Attempt {
    db: Database,
    limits: Vec<Limit>,
}

impl Throttle {
    /// Admits an attempt, or says how long to wait.
    pub async fn admit(&self, limits: Vec<Limit>) -> Result<Attempt> {
        // Most of what is refused is refused without a lock.
        let tx = self.db.read(&Scope::Platform).await?;
        let rows = Entity::find().filter(Column::Key.is_in(limits.iter().map(|limit| limit.key.clone())));
        must_not_wait(&limits, &rows.all(&tx).await?)?;
        tx.commit().await?;
        let tx = self.db.write(&Scope::Platform).await?;
        let mut rows = Vec::new();
        for limit in &limits {
            rows.push(locked(&tx, limit).await?);
        }
        must_not_wait(&limits, &rows)?;
        let now = Timestamp::now();
        for (limit, row) in limits.iter().zip(rows) {
            let counted = limit.pace.left(row.failures, since(&row, now)).saturating_add(1);
            let update = Entity::update_many().col_expr(Column::Failures, Expr::val(counted));
            update.col_expr(Column::LastAt, Expr::val(now.millis())).filter(Column::Key.eq(row.key)).exec(&tx).await?;
        }
        tx.commit().await?;
        Ok(Attempt { db: self.db.clone(), limits })
    }

    /// Forgets what is long ago.
    pub async fn tidy(&self, now: Timestamp) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        let before = now.millis() - EXPIRY.as_millis() as i64;
        Entity::delete_many().filter(Column::LastAt.lt(before)).exec(&tx).await?;
        Ok(tx.commit().await?)
    }
}

impl Attempt {
    /// It succeeded: what failed before is forgotten, but for what is counted over many.
    pub async fn succeeded(self) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        for limit in &self.limits {
            match limit.pace {
                Pace::Doubling { .. } => {
                    Entity::delete_by_id(limit.key.clone()).exec(&tx).await?;
                }
                Pace::Steady { .. } => take_back(&tx, limit).await?,
            }
        }
        Ok(tx.commit().await?)
    }

    /// It neither failed nor succeeded: it is as if it had not been.
    pub async fn undone(self) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        for limit in &self.limits {
            take_back(&tx, limit).await?;
        }
        Ok(tx.commit().await?)
    }
}

/// The row of a limit, which nobody else changes until the transaction ends.
async fn locked(tx: &DatabaseTransaction, limit: &Limit) -> Result<Model> {
    let row = ActiveModel { key: Set(limit.key.clone()), failures: Set(0), last_at: Set(Timestamp::now().millis()) };
    let unless_there = OnConflict::column(Column::Key).do_nothing().to_owned();
    Entity::insert(row).on_conflict(unless_there).exec_without_returning(tx).await?;
    let row = Entity::find_by_id(limit.key.clone()).lock_exclusive().one(tx).await?;
    row.ok_or_else(|| Error::unavailable("an attempt was forgotten while it was counted"))
}

async fn take_back(tx: &DatabaseTransaction, limit: &Limit) -> Result<()> {
    Entity::update_many()
        .col_expr(Column::Failures, Expr::col(Column::Failures).sub(1))
        .filter(Column::Key.eq(limit.key.clone()))
        .filter(Column::Failures.gt(0))
        .exec(tx)
        .await?;
    Ok(())
}

fn must_not_wait(limits: &[Limit], rows: &[Model]) -> Result<()> {
    let now = Timestamp::now();
    let remaining = limits.iter().filter_map(|limit| {
        let row = rows.iter().find(|row| row.key == limit.key)?;
        Some(limit.pace.remaining(row.failures, since(row, now)))
    });
    match remaining.max().unwrap_or_default() {
        Duration::ZERO => Ok(()),
        wait => Err(Error::too_many_attempts(u32::try_from(wait.as_millis().div_ceil(1000)).unwrap_or(1))),
    }
}

fn since(row: &Model, now: Timestamp) -> Duration {
    Duration::from_millis(u64::try_from(now.millis() - row.last_at).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUESSES: Pace = Pace::Doubling { free: 5, longest: Duration::from_secs(15 * 60) };
    const PER_ADDRESS: Pace = Pace::Steady { burst: 100, each: Duration::from_secs(10) };

    fn seconds(pace: Pace, failures: i32, since: u64) -> u64 {
        pace.remaining(failures, Duration::from_secs(since)).as_secs()
    }

    #[test]
    fn waits_double_up_to_a_quarter_of_an_hour() {
        let waits: Vec<_> = (0..=16).map(|failures| seconds(GUESSES, failures, 0)).collect();
        assert_eq!(waits, [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
        assert_eq!(seconds(GUESSES, i32::MAX, 899), 1);
        assert_eq!(seconds(GUESSES, i32::MAX, 900), 0);
        assert_eq!(GUESSES.left(40, EXPIRY), 0);
    }

    #[test]
    fn throttle_recovers_gradually() {
        assert_eq!(seconds(PER_ADDRESS, 99, 0), 0);
        assert_eq!(seconds(PER_ADDRESS, 100, 0), 10);
        assert_eq!(seconds(PER_ADDRESS, 100, 4), 6);
        assert_eq!(PER_ADDRESS.left(100, Duration::from_secs(25)), 98);
        assert_eq!(PER_ADDRESS.left(1, Duration::from_secs(25)), 0);
    }
}
