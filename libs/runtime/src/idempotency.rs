//! Acts that are done once, however often they are asked for. Whoever sends an `idempotency-key` along, one for each act,
//! may ask again when no answer came: the act is not done again, and the answer is the first one.
//!
//! The transaction of the act says that it is done, with [`record`], so that neither is there without the other. What is
//! refused is not recorded, and can be put right under the same key. A key is one user's for one method, for a day. Its row
//! is found by a hash of the key, and the answer in it is sealed under the key: it may hold secrets that are shown once, and
//! the database alone does not give them away.

mod entity;
mod layer;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use armada_proto::{Timestamp, UserId};
use ring::digest::{self, SHA256};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, ExprTrait, OnConflict},
};
use sea_orm_migration::{
    SchemaManager,
    prelude::{Index, Table},
    schema::{big_integer, binary, binary_null, uuid},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use self::entity::Column;
use crate::{
    auth::Scope,
    db::Database,
    error::{Code, Error, Result},
    seal::Seal,
    secret::Secret,
};

pub(crate) use self::layer::once;

/// How long a key stands for its act, in milliseconds.
const KEPT_FOR: i64 = 24 * 3600 * 1000;
/// Bytes of an answer that is kept. Whoever asks again for a longer one is told that the act was done.
const ANSWER_MAX: usize = 64 * 1024;
/// Rows that are removed in one transaction.
const SWEPT: u64 = 500;
/// How often rows are looked for that are too old.
const SWEEP: std::time::Duration = std::time::Duration::from_secs(600);

/// One try of an act that is to be done once. Cheap to clone.
#[derive(Debug, Clone)]
struct Attempt {
    /// Of user, method and key.
    id: Uuid,
    /// What is asked for.
    digest: [u8; 32],
    /// Which try it is.
    nonce: i64,
    /// Set once a transaction was told.
    is_recorded: Arc<AtomicBool>,
}

tokio::task_local! {
    static CURRENT: Option<Attempt>;
}

impl Attempt {
    fn new(user: UserId, method: &str, key: &str, asked: &str) -> Result<Self> {
        let text = format!("{user} {method} {key}");
        let hash = digest::digest(&SHA256, text.as_bytes());
        let id = Uuid::from_slice(&hash.as_ref()[..16]).map_err(Error::internal)?;
        let mut asked_for = [0; 32];
        // What is asked for may hold a password: without the key, nobody tries others against it.
        asked_for.copy_from_slice(digest::digest(&SHA256, format!("{key} {asked}").as_bytes()).as_ref());
        let mut nonce = [0; 8];
        nonce.copy_from_slice(&Uuid::new_v4().as_bytes()[..8]);
        Ok(Self { id, digest: asked_for, nonce: i64::from_ne_bytes(nonce), is_recorded: Arc::default() })
    }

    /// What an earlier try has left; none when there was none.
    async fn earlier(&self, db: &Database) -> Result<Option<entity::Model>> {
        let tx = db.read(&Scope::Platform).await?;
        let found = entity::Entity::find_by_id(self.id).one(&tx).await?;
        let Some(found) = found.filter(|row| row.created_at > Timestamp::now().millis() - KEPT_FOR) else {
            return Ok(None);
        };
        if found.digest != self.digest {
            return Err(Error::field("Idempotency-Key", "reused"));
        }
        Ok(Some(found))
    }

    /// Keeps the answer for whoever asks again.
    async fn keep(&self, db: &Database, key: &str, answer: &[u8]) -> Result<()> {
        if answer.len() > ANSWER_MAX {
            return Ok(());
        }
        let sealed = under(key)?.seal(PURPOSE, answer)?;
        let tx = db.write(&Scope::Platform).await?;
        entity::Entity::update_many()
            .col_expr(Column::Answer, sealed.into())
            .filter(Column::Id.eq(self.id))
            .filter(Column::Attempt.eq(self.nonce))
            .exec(&tx)
            .await?;
        Ok(tx.commit().await?)
    }
}

const PURPOSE: &str = "answer";

fn under(key: &str) -> Result<Seal> {
    Seal::new("idempotency", Some(&Secret::new(key.to_owned())))
}

/// Says in the transaction of an act that it is done, if the call that does it is to be done once. An error when another
/// call with its key was first: then the act must not be done again. An act may say so in several transactions.
///
/// [`crate::audit::record`] does this, and so does the beginning of a job; what changes rows and enters nothing in the audit
/// has to do it itself.
pub async fn record(tx: &DatabaseTransaction) -> Result<()> {
    let Some(attempt) = CURRENT.try_with(Clone::clone).ok().flatten() else { return Ok(()) };
    let now = Timestamp::now().millis();
    let row = entity::ActiveModel {
        id: Set(attempt.id),
        digest: Set(attempt.digest.to_vec()),
        attempt: Set(attempt.nonce),
        created_at: Set(now),
        answer: Set(None),
    };
    // One that is too old makes room, and who says so again in another transaction finds their own.
    let ours = Expr::col((entity::Entity, Column::CreatedAt)).lte(now - KEPT_FOR);
    let ours = ours.or(Expr::col((entity::Entity, Column::Attempt)).eq(attempt.nonce));
    let first = OnConflict::column(Column::Id)
        .update_columns([Column::Digest, Column::Attempt, Column::CreatedAt, Column::Answer])
        .action_and_where(ours)
        .to_owned();
    let written = entity::Entity::insert(row).on_conflict(first).exec_without_returning(tx).await?;
    if written == 0 {
        return Err(repeated());
    }
    attempt.is_recorded.store(true, Ordering::Relaxed);
    Ok(())
}

/// Work of the call that is being answered here, for a task of its own.
pub fn carried<F: Future>(work: F) -> impl Future<Output = F::Output> {
    CURRENT.scope(CURRENT.try_with(Clone::clone).ok().flatten(), work)
}

/// A part of the call that is being answered here, of several which are asked for again when one fails: what is done stays
/// done by itself, and the call is not recorded with it.
pub fn apart<F: Future>(part: F) -> impl Future<Output = F::Output> {
    CURRENT.scope(None, part)
}

/// The same id for a part of a call, by its name, whenever it is asked for again under its key; none if it has no key.
pub fn id_of_part(name: &str) -> Option<Uuid> {
    let attempt = CURRENT.try_with(Clone::clone).ok().flatten()?;
    let hash = digest::digest(&SHA256, format!("{} {name}", attempt.id).as_bytes());
    let bytes = hash.as_ref().first_chunk::<16>()?;
    Some(uuid::Builder::from_random_bytes(*bytes).into_uuid())
}

/// Another call with the key does the act at this moment, or has done it and its answer was not kept.
fn repeated() -> Error {
    let message = "a call with this idempotency key was made before, and its answer is not known";
    Error::new(Code::Conflict, "request_repeated", message)
}

/// Makes the table `idempotent_call`, in a migration of a service.
pub async fn create_table(manager: &SchemaManager<'_>) -> std::result::Result<(), DbErr> {
    let table = Table::create()
        .table("idempotent_call")
        .col(uuid("id").primary_key())
        .col(binary("digest"))
        .col(big_integer("attempt"))
        .col(big_integer("created_at"))
        .col(binary_null("answer"))
        .to_owned();
    manager.create_table(table).await?;
    let index = Index::create().name("idempotent_call_age").table("idempotent_call").col("created_at").to_owned();
    manager.create_index(index).await
}

/// Removes it.
pub async fn drop_table(manager: &SchemaManager<'_>) -> std::result::Result<(), DbErr> {
    manager.drop_table(Table::drop().table("idempotent_call").to_owned()).await
}

/// Takes away what is too old, until shutdown.
pub(crate) async fn sweep(db: Database, shutdown: CancellationToken) -> Result<()> {
    while shutdown.run_until_cancelled(tokio::time::sleep(SWEEP)).await.is_some() {
        if let Err(error) = remove_old(&db).await {
            tracing::warn!(%error, service = db.service(), "old idempotency keys were not removed; will try again");
        }
    }
    Ok(())
}

async fn remove_old(db: &Database) -> Result<()> {
    let old = Column::CreatedAt.lte(Timestamp::now().millis() - KEPT_FOR);
    loop {
        let tx = db.write(&Scope::Platform).await?;
        let some = entity::Entity::find().select_only().column(Column::Id).filter(old.clone()).limit(SWEPT);
        let some: Vec<Uuid> = some.into_tuple().all(&tx).await?;
        let is_last = (some.len() as u64) < SWEPT;
        entity::Entity::delete_many().filter(Column::Id.is_in(some)).exec(&tx).await?;
        tx.commit().await?;
        if is_last {
            return Ok(());
        }
    }
}
