//! What all lists have in common: a page, an order by columns that are known, a search, and how many there are in all.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    str::FromStr,
};

use armada_proto::{Choice, ListRequest, Violations};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait, ModelTrait, Order,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select, Value,
    sea_query::{self, Expr, ExprTrait, Func, LikeExpr, Query},
};
use uuid::Uuid;

use crate::{
    auth::Scope,
    db::{Database, search},
    error::{Error, Result},
    text::fold,
};

const PAGE_SIZE: u32 = 25;
const PAGE_SIZE_MAX: u32 = 500;
/// Characters of a search.
const SEARCH_MAX: usize = 200;
/// Entries in one piece of an export.
const PIECE: usize = 500;

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
    pub fn sorted_by<T>(&self, sortable: &'static [(&'static str, T)]) -> Result<(&'static T, Order)> {
        let usual = self.offered.first().or(sortable.first().map(|(name, _)| name)).copied().unwrap_or_default();
        let (name, order) = match self.sort {
            "" => direction(usual),
            "-" => (direction(usual).0, Order::Desc),
            sort => direction(sort),
        };
        let is_offered = self.offered.is_empty() || self.offered.iter().any(|offered| direction(offered).0 == name);
        let found = sortable.iter().find(|(known, _)| is_offered && *known == name);
        found.map(|(_, by)| (by, order)).ok_or_else(|| Error::field("sort", "unknown"))
    }
}

fn direction(sort: &str) -> (&str, Order) {
    sort.strip_prefix('-').map_or((sort, Order::Asc), |name| (name, Order::Desc))
}

/// How a list is read.
pub struct List<C: 'static> {
    /// The names that may be sorted by, with what each stands for. The contract says which of them are offered.
    pub sortable: &'static [(&'static str, Sort<C>)],
    /// The column that is searched. It holds what people look for as [`fold`] makes it, since databases differ in
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

/// How a list is sorted by a column.
#[derive(Debug, Clone, Copy)]
pub enum Sort<C> {
    /// By its values as they are. For texts whose case shall not matter that is a column with what [`fold`] made
    /// of them.
    Plain(C),
    /// By its numbers, those that are absent as 0: databases disagree on where the absent come.
    OrZero(C),
}

impl<C: ColumnTrait> Sort<C> {
    fn expr(self) -> Expr {
        match self {
            Self::Plain(column) => Expr::col(column),
            Self::OrZero(column) => Func::coalesce([Expr::col(column), Expr::val(0)]).into(),
        }
    }
}

impl<C: ColumnTrait + 'static> List<C> {
    /// One page of `rows`, and how many of them match in all.
    pub async fn fetch<E>(
        self,
        tx: &DatabaseTransaction,
        mut rows: Select<E>,
        query: ListQuery<'_>,
    ) -> Result<(Vec<E::Model>, u32)>
    where
        E: EntityTrait<Column = C>,
        E::Model: Sync,
    {
        let (sort, order) = self.check(&query)?;
        rows = self.search(tx.get_database_backend(), rows, &query);
        let total = rows.clone().count(tx).await?;
        let (offset, size) = query.window();
        let rows = rows.order_by(sort, order.clone()).order_by(self.id, order);
        Ok((rows.offset(offset).limit(size).all(tx).await?, u32::try_from(total).unwrap_or(u32::MAX)))
    }

    /// Everything that matches, in order, in pieces for a file. Which entries and in which order is settled at once, and
    /// each is read when its turn comes: none is there twice or left out because others were made, renamed or removed
    /// meanwhile, and no transaction stays open for as long as the reader takes. An entry that is gone by then, or that
    /// the caller may no longer see, is passed over.
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
        let (sort, order) = self.check(&query)?;
        let rows = self.search(db.backend(), rows, &query);
        let tx = db.read(&scope).await?;
        let ids = rows.clone().select_only().column(self.id).order_by(sort, order.clone()).order_by(self.id, order);
        let ids: Vec<Uuid> = ids.into_tuple().all(&tx).await?;
        Ok(Export { db: db.clone(), scope, rows, id: self.id, ids: ids.into() })
    }

    /// All rows that match, in no order: to count them.
    pub fn matching<E: EntityTrait<Column = C>>(
        self,
        backend: DbBackend,
        rows: Select<E>,
        query: ListQuery<'_>,
    ) -> Result<Select<E>> {
        self.check(&query)?;
        Ok(self.search(backend, rows, &query))
    }

    /// By the index; a term that is too short for it is compared with every row of the scope.
    fn search<E>(&self, backend: DbBackend, rows: Select<E>, query: &ListQuery<'_>) -> Select<E>
    where
        E: EntityTrait<Column = C>,
    {
        let term = fold(query.q.trim());
        if term.is_empty() {
            return rows;
        }
        let column = match self.searched {
            Searched::Indexed(_) if term.chars().count() >= search::INDEXED_CHARS => None,
            Searched::Indexed(column) | Searched::Scanned(column) => Some(column),
        };
        if let Some(column) = column {
            return rows.filter(column.like(LikeExpr::new(pattern(&term)).escape('\\')));
        }
        let value = match backend {
            DbBackend::Postgres => pattern(&term),
            _ => search::phrase(&term),
        };
        rows.filter(Expr::cust_with_values(search::condition(backend, E::default().table_name()), [value]))
    }

    fn check(&self, query: &ListQuery<'_>) -> Result<(Expr, Order)> {
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
        sorted.map(|(sort, order)| (sort.expr(), order))
    }
}

/// What is left of a list that is read as a whole, see [`List::export`].
pub struct Export<E: EntityTrait> {
    db: Database,
    scope: Scope,
    rows: Select<E>,
    id: E::Column,
    ids: VecDeque<Uuid>,
}

impl<E: EntityTrait> Export<E> {
    /// Entries that matched.
    pub fn remaining(&self) -> u32 {
        u32::try_from(self.ids.len()).unwrap_or(u32::MAX)
    }

    /// The next entries, in order; none when all were read.
    pub async fn next(&mut self) -> Result<Option<Vec<E::Model>>> {
        if self.ids.is_empty() {
            return Ok(None);
        }
        let ids: Vec<Uuid> = self.ids.drain(..self.ids.len().min(PIECE)).collect();
        let tx = self.db.read(&self.scope).await?;
        let mut found = HashMap::with_capacity(ids.len());
        for row in self.rows.clone().filter(self.id.is_in(ids.iter().copied())).all(&tx).await? {
            let id = <Uuid as sea_query::ValueType>::try_from(row.get(self.id)).map_err(Error::internal)?;
            found.insert(id, row);
        }
        Ok(Some(ids.iter().filter_map(|id| found.remove(id)).collect()))
    }
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

/// Of these rows those that have exactly one of these names in one of these columns, whether those are folded, in capitals, or
/// as somebody typed them; all, if no name is asked for.
pub fn called<E: EntityTrait>(rows: Select<E>, columns: &[E::Column], names: &[String]) -> Select<E> {
    if names.is_empty() {
        return rows;
    }
    let asked: BTreeSet<_> = names.iter().flat_map(|name| [fold(name), name.clone(), name.to_uppercase()]).collect();
    let is_one = columns.iter().map(|column| column.is_in(asked.iter().map(String::as_str)));
    rows.filter(is_one.fold(Condition::any(), Condition::add))
}

/// Whether a column is one of these ids, of which there may be any number: they are one parameter, where a statement of
/// SQLite takes 32,766.
pub fn is_one_of(backend: DbBackend, column: impl ColumnTrait, ids: impl IntoIterator<Item = Uuid>) -> Expr {
    let ids: Vec<_> = ids.into_iter().map(|id| id.simple().to_string()).collect();
    let ids = Expr::val(serde_json::Value::from(ids).to_string());
    let value = Expr::col(("ids", "value"));
    let (id, list) = match backend {
        DbBackend::Postgres => (value.cast_as("uuid"), Func::cust("json_array_elements_text").arg(ids.cast_as("json"))),
        _ => (Func::cust("unhex").arg(value).into(), Func::cust("json_each").arg(ids)),
    };
    column.in_subquery(Query::select().expr(id).from_function(list, "ids").take())
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
