//! Columns that hold what [`text`] made of others, for the rows that were there before the columns were, or before their
//! present form.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExprTrait, entity::prelude::Uuid};
use sea_orm_migration::{
    SchemaManager,
    prelude::{Condition, Expr, Order, Query},
};

use crate::text;

/// Rows read at a time.
const PIECE: u64 = 500;

/// Fills columns of `table`, which has a column `id`: pairs of a text and of the column for its folded form, which may
/// be the same. What is ASCII the database folds by itself.
pub async fn fill(manager: &SchemaManager<'_>, table: &'static str, columns: &[(&str, &str)]) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let backend = manager.get_database_backend();
    see_all_rows(manager).await?;
    for (from, to) in columns.iter().filter(|(from, to)| from != to) {
        let lower = match backend {
            DbBackend::Postgres => format!("lower(\"{from}\" COLLATE \"C\")"),
            _ => format!("lower(\"{from}\")"),
        };
        connection.execute_unprepared(&format!("UPDATE \"{table}\" SET \"{to}\" = {lower}")).await?;
    }
    let mut after = Uuid::nil();
    loop {
        let mut rows = Query::select();
        rows.column("id").from(table).and_where(Expr::col("id").gt(after)).and_where(not_ascii(backend, columns));
        for (index, (from, _)) in columns.iter().enumerate() {
            rows.expr_as(Expr::col((*from).to_owned()), format!("text_{index}"));
        }
        rows.order_by("id", Order::Asc).limit(PIECE);
        let found = connection.query_all(&rows).await?;
        for row in &found {
            after = row.try_get("", "id")?;
            let mut update = Query::update();
            update.table(table).and_where(Expr::col("id").eq(after));
            for (index, (_, to)) in columns.iter().enumerate() {
                let from: String = row.try_get("", &format!("text_{index}"))?;
                update.value((*to).to_owned(), text::fold(&from));
            }
            connection.execute(&update).await?;
        }
        if found.is_empty() {
            return Ok(());
        }
    }
}

/// Rows of which a text has more bytes than characters.
fn not_ascii(backend: DbBackend, columns: &[(&str, &str)]) -> Expr {
    let longer = columns.iter().map(|(from, _)| match backend {
        DbBackend::Postgres => format!("octet_length(\"{from}\") <> char_length(\"{from}\")"),
        _ => format!("length(CAST(\"{from}\" AS BLOB)) <> length(\"{from}\")"),
    });
    Expr::cust(format!("({})", longer.collect::<Vec<_>>().join(" OR ")))
}

/// Brings columns of `table`, which has a column `id`, from folded texts to what is stored now: those that are `sorted` by to
/// [`text::sort_key`], and its column `search` to [`text::search_key`]. What has that form already stays.
pub async fn renew(manager: &SchemaManager<'_>, table: &'static str, sorted: &[&'static str]) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    let backend = manager.get_database_backend();
    see_all_rows(manager).await?;
    let columns: Vec<_> = sorted.iter().copied().chain(["search"]).collect();
    let has_digits = |column: &&str| match backend {
        DbBackend::Postgres => format!("\"{column}\" ~ '[0-9]'"),
        _ => format!("\"{column}\" GLOB '*[0-9]*'"),
    };
    let differs = sorted.iter().map(has_digits).fold(Condition::any(), |any, one| any.add(Expr::cust(one)));
    let differs = differs.add(not_ascii(backend, &[("search", "search")]));
    let mut after = Uuid::nil();
    loop {
        let mut rows = Query::select();
        rows.column("id").columns(columns.clone()).from(table).and_where(Expr::col("id").gt(after));
        rows.cond_where(differs.clone()).order_by("id", Order::Asc).limit(PIECE);
        let found = connection.query_all(&rows).await?;
        for row in &found {
            after = row.try_get("", "id")?;
            let mut update = Query::update();
            update.table(table).and_where(Expr::col("id").eq(after));
            let mut is_old = false;
            for column in &columns {
                let text: String = row.try_get("", column)?;
                let key = match *column {
                    "search" => text::search_key(&text),
                    _ if text.contains(text::NUMBER) => continue,
                    _ => text::natural(&text),
                };
                if key != text {
                    update.value(*column, key);
                    is_old = true;
                }
            }
            if is_old {
                connection.execute(&update).await?;
            }
        }
        if found.is_empty() {
            return Ok(());
        }
    }
}

/// Row-level security binds the owner of the tables too.
async fn see_all_rows(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    if manager.get_database_backend() == DbBackend::Postgres {
        let all = "SELECT set_config('app.platform', 'on', false)";
        manager.get_connection().execute_unprepared(all).await?;
    }
    Ok(())
}
