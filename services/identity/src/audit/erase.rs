//! What entries of an erased tenant say of people goes; who acted remains as an id that leads to nobody, and the hashes
//! still follow each other. The database lets this be done to a tenant that is gone, and to no other entry.

use armada_proto::TenantId;
use armada_runtime::Result;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, QueryFilter, Statement, sea_query::Expr,
};

use super::append::chain_of;
use crate::entity::{
    audit_entry::{Column, Entity},
    audit_head,
};

/// Entries of one statement, which may take a limited time.
const PIECE: i64 = 10_000;

/// Erases the entries of a tenant whose row is gone; returns how many.
pub async fn erase(tx: &DatabaseTransaction, tenant: TenantId) -> Result<u64> {
    let head = audit_head::Entity::find_by_id(chain_of(Some(tenant))).one(tx).await?;
    let last = head.map_or(0, |head| head.seq);
    let (mut erased, mut after) = (0, 0);
    while after < last {
        erased += match tx.get_database_backend() {
            DbBackend::Postgres => by_owner(tx, tenant, after).await?,
            _ => by_trigger(tx, tenant, after).await?,
        };
        after += PIECE;
    }
    Ok(erased)
}

/// Services may not change entries; this function of the table's owner may.
async fn by_owner(tx: &DatabaseTransaction, tenant: TenantId, after: i64) -> Result<u64> {
    let sql = "SELECT erase_audit($1, $2, $3) AS erased";
    let values = [tenant.into(), after.into(), (after + PIECE).into()];
    let row = tx.query_one_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await?;
    let erased: i64 = row.map(|row| row.try_get("", "erased")).transpose()?.unwrap_or_default();
    Ok(erased.unsigned_abs())
}

/// SQLite knows no rights; a trigger lets this through and nothing else.
async fn by_trigger(tx: &DatabaseTransaction, tenant: TenantId, after: i64) -> Result<u64> {
    let nothing = Expr::val("");
    let erased = Entity::update_many()
        .col_expr(Column::Erased, Expr::val(true))
        .col_expr(Column::ActorName, nothing.clone())
        .col_expr(Column::Address, nothing.clone())
        .col_expr(Column::ObjectName, nothing)
        .col_expr(Column::Before, Expr::val(None::<String>))
        .col_expr(Column::After, Expr::val(None::<String>))
        .col_expr(Column::Search, Expr::cust("char(10, 10, 10) || lower(act)"))
        .filter(Column::Chain.eq(chain_of(Some(tenant))))
        .filter(Column::Seq.gt(after))
        .filter(Column::Seq.lte(after + PIECE))
        .filter(Column::Erased.eq(false))
        .exec(tx)
        .await?;
    Ok(erased.rows_affected)
}
