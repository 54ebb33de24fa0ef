//! The rows of the partitions: how they begin, and begin anew with another stream.

use armada_runtime::{Bus, Database, Result, Scope};
use sea_orm::{
    ActiveValue::Set,
    EntityTrait,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use crate::{config::Config, entity::partition, streams};

/// Makes the rows of the partitions, in `armada migrate`.
pub async fn create_rows(db: &Database, partitions: u32) -> Result<()> {
    let tx = db.write(&Scope::Platform).await?;
    let rows = (0..partitions as i32).map(|number| partition::ActiveModel {
        partition: Set(number),
        owner: Set(String::new()),
        lease_until: Set(0),
        epoch: Set(0),
        stream_created: Set(0),
        next_seq: Set(1),
        frame_seq: Set(0),
        published_seq: Set(0),
        checkpoint_seq: Set(0),
    });
    let keep = OnConflict::column(partition::Column::Partition).do_nothing().to_owned();
    partition::Entity::insert_many(rows).on_conflict(keep).exec_without_returning(&tx).await?;
    Ok(tx.commit().await?)
}

/// Lets every partition start anew with the present stream RAW, from its first message on. For when the stream was lost
/// for good; no instance may be running.
pub async fn adopt_stream(bus: &Bus, db: &Database, config: &Config) -> Result<u64> {
    let stream = streams::raw(bus, config).await?;
    let first = stream.cached_info().state.first_sequence;
    let tx = db.write(&Scope::Platform).await?;
    let adopted = partition::Entity::update_many()
        .col_expr(partition::Column::StreamCreated, Expr::value(streams::created(&stream)))
        .col_expr(partition::Column::NextSeq, Expr::value(Ord::max(first, 1) as i64))
        .col_expr(partition::Column::Epoch, Expr::col(partition::Column::Epoch).add(1))
        .col_expr(partition::Column::Owner, Expr::value(""))
        .col_expr(partition::Column::LeaseUntil, Expr::value(0_i64))
        .exec(&tx)
        .await?;
    tx.commit().await?;
    Ok(adopted.rows_affected)
}
