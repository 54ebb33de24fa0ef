//! What all lists have in common: a page, an order by columns that are known, a search, and how many there are in all.

mod export;
mod order;

use std::{collections::BTreeSet, str::FromStr};

use armada_proto::{Choice, ListRequest, Paging, Violations};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, Order, QueryFilter,
    QuerySelect, QueryTrait, Select, Value,
    sea_query::{Expr, ExprTrait, Func, LikeExpr, Query, SelectStatement},
};
use uuid::Uuid;

use self::order::{ListOrder, Place};
pub use self::{export::Export, order::Sort};
use crate::{
    auth::Scope,
    db::{Database, search},
    error::{Error, Result},
    text::{fold, search_key, sort_key},
};

const PAGE_SIZE: u32 = 25;
const PAGE_SIZE_MAX: u32 = 500;
/// Characters of a search.
const SEARCH_MAX: usize = 200;
/// How far is counted, and how deep pages are read by their number: both read all rows before. What is deeper is read
/// behind a row.
const COUNTED_MAX: u64 = 10_000;

/// The fields of the same name in every request for a list.
#[derive(Debug, Clone, Copy, Default)]
pub struct ListQuery<'a> {
    /// From 1; 0 is the first one too.
    pub page: u32,
    /// 1 to 500; 25 when 0.
    pub page_size: u32,
    /// A name, `-` before it for descending; empty for the usual order, `-` alone for that in descending order.
    pub sort: &'a str,
    /// The names that the contract offers, the usual order first. Where it offers none, all that the list knows are good.
    pub offered: &'static [&'static str],
    /// Where the page before ended, as its answer says; then `page` means nothing. Empty for a page by its number.
    pub after: &'a str,
    /// What must be a part of the searched text; empty for everything.
    pub q: &'a str,
}

impl<'a> ListQuery<'a> {
    /// What a request says of page, order and search.
    pub fn of<R: ListRequest>(request: &'a R) -> Self {
        Self {
            page: request.page(),
            page_size: request.page_size(),
            sort: request.sort(),
            offered: R::SORTABLE,
            after: request.after(),
            q: request.q(),
        }
    }

    /// How many entries come before the page, and how many it has at most.
    pub fn window(&self) -> (u64, u64) {
        let size = u64::from(if self.page_size == 0 { PAGE_SIZE } else { self.page_size });
        (u64::from(self.page.saturating_sub(1)) * size, size)
    }

    /// What is sorted by, of what may be by these names; an error when it is none of them, or when the contract does not
    /// offer it.
    pub fn sorted_by<T>(&self, sortable: &'static [(&'static str, T)]) -> Result<(&'static (&'static str, T), Order)> {
        let usual = self.offered.first().or(sortable.first().map(|(name, _)| name)).copied().unwrap_or_default();
        let (name, order) = match self.sort {
            "" => direction(usual),
            "-" => (direction(usual).0, Order::Desc),
            sort => direction(sort),
        };
        let is_offered = self.offered.is_empty() || self.offered.iter().any(|offered| direction(offered).0 == name);
        let found = sortable.iter().find(|(known, _)| is_offered && *known == name);
        found.map(|by| (by, order)).ok_or_else(|| Error::field("sort", "unknown"))
    }
}

fn direction(sort: &str) -> (&str, Order) {
    sort.strip_prefix('-').map_or((sort, Order::Asc), |name| (name, Order::Desc))
}

/// How a list is read.
pub struct List<C: 'static> {
    /// The names that may be sorted by, with what each stands for. The contract says which of them are offered.
    pub sortable: &'static [(&'static str, Sort<C>)],
    /// The column that is searched. It holds what people look for as [`search_key`] makes it, since databases differ in
    /// what they take for the same letter.
    pub searched: Searched<C>,
    /// What decides between equals, so that no row is on two pages.
    pub id: C,
}

/// How a search finds its rows.
#[derive(Debug, Clone, Copy)]
pub enum Searched<C> {
    /// By an index that [`search::create_index`] made of the column `search`.
    Indexed(C),
    /// By reading the rows of the scope, in a table that has few.
    Scanned(C),
}

impl<C: ColumnTrait + 'static> List<C> {
    /// One page of `rows`, and what there is besides.
    pub async fn fetch<E>(
        self,
        tx: &DatabaseTransaction,
        rows: Select<E>,
        query: ListQuery<'_>,
    ) -> Result<(Vec<E::Model>, Paging)>
    where
        E: EntityTrait<Column = C>,
        E::Model: Sync,
    {
        let (order, place) = self.place(&query)?;
        let backend = tx.get_database_backend();
        let rows = self.search(tx, rows, &query).await?;
        let counted = counted(tx, rows.clone()).await?;
        if counted.total == 0 {
            return Ok((Vec::new(), counted));
        }
        let (offset, size) = query.window();
        let rows = match place {
            Some(place) => order.behind(rows, &place),
            None => rows.offset(offset),
        };
        // One more tells whether there is a next page.
        let mut found = order.of(backend, rows, &counted).limit(size + 1).all(tx).await?;
        let goes_on = found.len() as u64 > size;
        found.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        let next = found.last().filter(|_| goes_on).map(|last| order.cursor(&order.place(last)));
        Ok((found, Paging { next, ..counted }))
    }

    /// Everything that matches, in order, in pieces for a file. Each piece is read behind the last entry of the one before
    /// it when its turn comes: few are in memory, and no transaction stays open for as long as the reader takes. An entry
    /// that is made, changed or removed meanwhile may be there or not, as it was or as it is; one that moves in the order
    /// may be there twice, or not at all.
    pub async fn export<E>(
        self,
        db: &Database,
        scope: Scope,
        rows: Select<E>,
        query: ListQuery<'_>,
    ) -> Result<Export<E>>
    where
        E: EntityTrait<Column = C>,
    {
        let order = self.check(&query)?;
        let tx = db.read(&scope).await?;
        let rows = self.search(&tx, rows, &query).await?;
        let counted = counted(&tx, rows.clone()).await?;
        Ok(Export::new(db.clone(), scope, rows, order, counted))
    }

    /// All rows that match, in no order: to count them.
    pub async fn matching<E: EntityTrait<Column = C>>(
        self,
        tx: &DatabaseTransaction,
        rows: Select<E>,
        query: ListQuery<'_>,
    ) -> Result<Select<E>> {
        self.check(&query)?;
        self.search(tx, rows, &query).await
    }

    /// A few rows are compared with the term, one after the other, and so is a term that is too short for the index. The
    /// index is asked for the rest: it holds the words of all tenants, and how long it takes would tell whether others
    /// have a word.
    async fn search<E>(&self, tx: &DatabaseTransaction, rows: Select<E>, query: &ListQuery<'_>) -> Result<Select<E>>
    where
        E: EntityTrait<Column = C>,
    {
        let term = search_key(query.q.trim());
        if term.is_empty() {
            return Ok(rows);
        }
        let (column, is_indexed) = match self.searched {
            Searched::Indexed(column) => (column, term.chars().count() >= search::INDEXED_CHARS),
            Searched::Scanned(column) => (column, false),
        };
        if !is_indexed || !counted(tx, rows.clone()).await?.more_than_total {
            return Ok(rows.filter(column.like(LikeExpr::new(pattern(&term)).escape('\\'))));
        }
        let backend = tx.get_database_backend();
        let value = match backend {
            DbBackend::Postgres => pattern(&term),
            _ => search::phrase(&term),
        };
        Ok(rows.filter(Expr::cust_with_values(search::condition(backend, E::default().table_name()), [value])))
    }

    /// The order that is asked for, and behind which row it begins, when that is said.
    fn place(&self, query: &ListQuery<'_>) -> Result<(ListOrder<C>, Option<Place>)> {
        let order = self.check(query)?;
        if query.after.is_empty() {
            let is_too_deep = query.window().0 >= COUNTED_MAX;
            return if is_too_deep { Err(Error::field("page", "too_large")) } else { Ok((order, None)) };
        }
        let place = order.read(query.after).ok_or_else(|| Error::field("after", "unknown"))?;
        Ok((order, Some(place)))
    }

    fn check(&self, query: &ListQuery<'_>) -> Result<ListOrder<C>> {
        let mut violations = Violations::default();
        if query.page_size > PAGE_SIZE_MAX {
            violations.add("page_size", "too_large");
        }
        violations.line("q", &mut query.q.to_owned(), SEARCH_MAX);
        let sorted = query.sorted_by(self.sortable);
        if sorted.is_err() {
            violations.add("sort", "unknown");
        }
        violations.check()?;
        sorted.map(|((name, by), order)| ListOrder { name, by: *by, id: self.id, order })
    }
}

/// How many rows there are, and whether there are more than are counted: of ten million that would take seconds.
async fn counted<E: EntityTrait>(tx: &DatabaseTransaction, rows: Select<E>) -> Result<Paging> {
    let rows = rows.select_only().expr(Expr::cust("1")).limit(COUNTED_MAX + 1).into_query();
    let count = Query::select().expr_as(Expr::cust("COUNT(*)"), "n").from_subquery(rows, "counted").take();
    let row = tx.query_one(&count).await?.ok_or_else(|| Error::internal("a count without a row"))?;
    let found = u64::try_from(row.try_get::<i64>("", "n")?).unwrap_or_default();
    let total = u32::try_from(Ord::min(found, COUNTED_MAX)).unwrap_or(u32::MAX);
    Ok(Paging { total, more_than_total: found > COUNTED_MAX, next: None })
}

/// Of these rows those of which a column is one of the choices that a request names by their numbers; all when it names
/// none, or `unspecified`.
pub fn among<E, C>(rows: Select<E>, column: E::Column, numbers: impl IntoIterator<Item = i32>) -> Select<E>
where
    E: EntityTrait,
    C: Choice + Into<Value>,
{
    let choices: Vec<C> = numbers.into_iter().filter_map(C::specified).collect();
    if choices.is_empty() { rows } else { rows.filter(column.is_in(choices)) }
}

/// Of these rows those of which a column is one of the ids that a request names; all when it names none. What is no id
/// names nothing; a list of such narrows to nothing.
pub fn among_ids<E, I>(rows: Select<E>, column: E::Column, ids: &[String]) -> Select<E>
where
    E: EntityTrait,
    I: FromStr + Into<Value>,
{
    let named = || ids.iter().filter_map(|id| I::from_str(id).ok());
    if ids.is_empty() { rows } else { rows.filter(column.is_in(named())) }
}

/// Of these rows those that have exactly one of these names in one of these columns, whether those are what is sorted by,
/// folded, in capitals, or as somebody typed them; all, if no name is asked for.
pub fn called<E: EntityTrait>(
    backend: DbBackend,
    rows: Select<E>,
    columns: &[E::Column],
    names: &[String],
) -> Select<E> {
    if names.is_empty() {
        return rows;
    }
    let forms = |name: &String| [sort_key(name), fold(name), name.clone(), name.to_uppercase()];
    let asked: BTreeSet<_> = names.iter().flat_map(forms).collect();
    let asked = serde_json::Value::from_iter(asked);
    let is_one = columns.iter().map(|column| column.in_subquery(values(backend, &asked, |value| value)));
    rows.filter(is_one.fold(Condition::any(), Condition::add))
}

/// Whether a column is one of these ids, of which there may be any number.
pub fn is_one_of(backend: DbBackend, column: impl ColumnTrait, ids: impl IntoIterator<Item = Uuid>) -> Expr {
    let ids = ids.into_iter().map(|id| id.simple().to_string()).collect();
    column.in_subquery(values(backend, &ids, |value| match backend {
        DbBackend::Postgres => value.cast_as("uuid"),
        _ => Func::cust("unhex").arg(value).into(),
    }))
}

/// What a column is looked for in. All of it is one parameter: a statement of SQLite takes 32,766, and PostgreSQL compares
/// each row with each parameter in turn.
fn values(backend: DbBackend, listed: &serde_json::Value, read: impl FnOnce(Expr) -> Expr) -> SelectStatement {
    let parameter = Expr::val(listed.to_string());
    let list = match backend {
        DbBackend::Postgres => Func::cust("json_array_elements_text").arg(parameter.cast_as("json")),
        _ => Func::cust("json_each").arg(parameter),
    };
    Query::select().expr(read(Expr::col(("listed", "value")))).from_function(list, "listed").take()
}

/// A pattern for `LIKE … ESCAPE '\'` that matches a term literally anywhere in a text.
fn pattern(term: &str) -> String {
    let mut pattern = String::from("%");
    for c in term.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn wildcards_are_taken_literally() {
        assert_eq!(pattern(r"50%_a\"), r"%50\%\_a\\%");
    }
}
