//! What becomes of commands when an older copy of the database is restored.

use armada_proto::{
    Timestamp,
    v1::{CommandReason, CommandState},
};
use armada_runtime::{Database, Result, Scope};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter,
    sea_query::{Expr, ExprTrait},
};

use crate::entity::command::{Column, Entity};

/// Leaves the commands that wait in a restored database to people, and says how many there were. One that waited when the
/// copy was made may have been sent since, and the one that undid it is forgotten: an engine must not be stopped by it now.
/// Those that had been sent end as unknown by themselves. No process of the service may run.
pub async fn leave_waiting_to_people(db: &Database) -> Result<u64> {
    let tx = db.write(&Scope::Platform).await?;
    let left = Entity::update_many()
        .col_expr(Column::State, Expr::val(CommandState::Unknown))
        .col_expr(Column::StateReason, Expr::val(CommandReason::NoAnswer))
        .col_expr(Column::RowVersion, Expr::col(Column::RowVersion).add(1))
        .col_expr(Column::UpdatedAt, Expr::val(Timestamp::now().millis()))
        .filter(Column::State.eq(CommandState::Queued))
        .exec(&tx)
        .await?;
    tx.commit().await?;
    Ok(left.rows_affected)
}
