//! What lists of people and tenants have in common besides `armada_runtime::list`: numbers over all that matches, and
//! filters by enums.

use armada_proto::Choice;
use armada_runtime::{Error, Result};
use sea_orm::{
    DatabaseTransaction, EntityTrait, QuerySelect, Select,
    sea_query::{CaseStatement, Expr, ExprTrait, Func, IntoCondition},
};

/// How many rows meet a condition.
pub fn sum_if(condition: impl IntoCondition) -> Expr {
    sum(CaseStatement::new().case(condition, 1).finally(0))
}

/// The sum of a column.
pub fn sum(of: impl Into<Expr>) -> Expr {
    Func::coalesce([Func::sum(of).into(), Expr::val(0)]).into()
}

/// The number of rows, and what sums over them come to.
pub async fn fetch<E: EntityTrait, const N: usize>(
    tx: &DatabaseTransaction,
    rows: Select<E>,
    sums: [Expr; N],
) -> Result<(u32, [u32; N])> {
    let mut rows = rows.select_only().column_as(Expr::cust("COUNT(*)"), "total");
    for (index, sum) in sums.into_iter().enumerate() {
        rows = rows.column_as(sum.cast_as("bigint"), format!("n{index}"));
    }
    let row = rows.into_model::<Numbers<N>>().one(tx).await?;
    row.map(|row| (row.total, row.sums)).ok_or_else(|| Error::internal("a sum without a row"))
}

/// One row of numbers.
struct Numbers<const N: usize> {
    total: u32,
    sums: [u32; N],
}

impl<const N: usize> sea_orm::FromQueryResult for Numbers<N> {
    fn from_query_result(row: &sea_orm::QueryResult, prefix: &str) -> Result<Self, sea_orm::DbErr> {
        let number = |name: &str| row.try_get::<i64>(prefix, name).map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        let mut sums = [0; N];
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum = number(&format!("n{index}"))?;
        }
        Ok(Self { total: number("total")?, sums })
    }
}

/// The choices that a filter names by their numbers.
pub fn specified<C: Choice>(numbers: &[i32]) -> Vec<C> {
    numbers.iter().filter_map(|number| C::specified(*number)).collect()
}
