//! What all lists have in common: a page, an order by columns that are known, a search, and how many there are in all.

use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, Order, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Expr, LikeExpr},
};

use crate::{
    error::{Error, Result},
    fields::Fields,
};

const PAGE_SIZE: u32 = 25;
const PAGE_SIZE_MAX: u32 = 500;
/// Characters of a search.
const SEARCH_MAX: usize = 200;

/// The fields of the same name in every request for a list.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// From 1; 0 is the first one too.
    pub page: u32,
    /// 1 to 500; 25 when 0.
    pub page_size: u32,
    /// A name, `-` before it for descending; empty for the first of [`List::sortable`].
    pub sort: &'a str,
    /// What must be a part of the searched text; empty for everything.
    pub q: &'a str,
}

/// What a list offers.
pub struct List<C> {
    /// The names that may be sorted by, each with its expression.
    pub sortable: Vec<(&'static str, Expr)>,
    /// The column that is searched. It holds what people look for in lower case, since databases differ in what they
    /// take for the same letter.
    pub searched: C,
    /// What decides between equals, so that no row is on two pages.
    pub id: C,
}

impl<C: ColumnTrait> List<C> {
    /// One page of `rows`, and how many of them match in all.
    pub async fn fetch<E>(
        self,
        tx: &DatabaseTransaction,
        mut rows: Select<E>,
        wanted: Wanted<'_>,
    ) -> Result<(Vec<E::Model>, u32)>
    where
        E: EntityTrait<Column = C>,
        E::Model: Sync,
    {
        let (sort, order) = self.check(&wanted)?;
        if !wanted.q.trim().is_empty() {
            rows = rows.filter(self.searched.like(LikeExpr::new(pattern(wanted.q)).escape('\\')));
        }
        let total = rows.clone().count(tx).await?;
        let size = u64::from(if wanted.page_size == 0 { PAGE_SIZE } else { wanted.page_size });
        let offset = u64::from(wanted.page.saturating_sub(1)) * size;
        let rows = rows.order_by(sort, order.clone()).order_by(self.id, order);
        Ok((rows.offset(offset).limit(size).all(tx).await?, u32::try_from(total).unwrap_or(u32::MAX)))
    }

    fn check(&self, wanted: &Wanted<'_>) -> Result<(Expr, Order)> {
        let mut fields = Fields::default();
        if wanted.page_size > PAGE_SIZE_MAX {
            fields.wrong("page_size", "too_large");
        }
        fields.line("q", &mut Some(wanted.q.to_owned()), SEARCH_MAX);
        let (name, order) = match wanted.sort.strip_prefix('-') {
            Some(name) => (name, Order::Desc),
            None => (wanted.sort, Order::Asc),
        };
        let mut sortable = self.sortable.iter();
        let found = if name.is_empty() { sortable.next() } else { sortable.find(|(known, _)| *known == name) };
        if found.is_none() {
            fields.wrong("sort", "unknown");
        }
        fields.check()?;
        found.map(|(_, expr)| (expr.clone(), order)).ok_or_else(|| Error::field("sort", "unknown"))
    }
}

/// A pattern for `LIKE … ESCAPE '\'` that matches `q` literally anywhere in a text of lower case.
fn pattern(q: &str) -> String {
    let mut pattern = String::from("%");
    for c in q.trim().to_lowercase().chars() {
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
        assert_eq!(pattern(r" 50%_A\ "), r"%50\%\_a\\%");
        assert_eq!(pattern("ÉCOLE"), "%école%");
    }
}
