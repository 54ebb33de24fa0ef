//! The order of a list, and where in it one goes on: behind a row, which is known by its value of what is sorted by and by
//! its id.

use armada_proto::Paging;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sea_orm::{
    ColumnTrait, ColumnType, DbBackend, EntityTrait, ModelTrait, Order, QueryFilter, QueryOrder, Select, Value,
    sea_query::{Expr, ExprTrait, Func},
};
use serde_json::{Value as Json, json};
use uuid::Uuid;

/// So many rows are sorted at once.
const FEW: u32 = 500;

/// How a list is sorted by a column.
#[derive(Debug, Clone, Copy)]
pub enum Sort<C> {
    /// By its values as they are, none of which is absent. For texts whose case shall not matter that is a column with what
    /// [`sort_key`](crate::text::sort_key) made of them.
    Plain(C),
    /// By its numbers, those that are absent as 0: databases disagree on where the absent come.
    OrZero(C),
}

impl<C: ColumnTrait> Sort<C> {
    fn column(self) -> C {
        match self {
            Self::Plain(column) | Self::OrZero(column) => column,
        }
    }

    fn expr(self) -> Expr {
        match self {
            Self::Plain(column) => Expr::col(column),
            // No parameter: an index is made of the same expression.
            Self::OrZero(column) => Func::coalesce([Expr::col(column), Expr::cust("0")]).into(),
        }
    }
}

/// The order of a list, in which no two rows are equal.
#[derive(Debug, Clone)]
pub(super) struct ListOrder<C> {
    /// What it is called in requests.
    pub(super) name: &'static str,
    pub(super) by: Sort<C>,
    /// What decides between equals.
    pub(super) id: C,
    pub(super) order: Order,
}

/// A place in a list: behind the row with this value of what is sorted by, and this id.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place {
    value: Value,
    id: Value,
}

impl<C: ColumnTrait> ListOrder<C> {
    /// Rows in this order, of which so many were counted. SQLite does not know how many there are, and would walk through a
    /// whole table in its order to meet a few: these it finds by what they are narrowed by, and sorts.
    pub(super) fn of<E: EntityTrait<Column = C>>(
        &self,
        backend: DbBackend,
        rows: Select<E>,
        counted: &Paging,
    ) -> Select<E> {
        let is_sorted = backend == DbBackend::Sqlite && counted.total <= FEW;
        // No index is in the order of an expression.
        let by = if is_sorted { Expr::cust_with_expr("+?", self.by.expr()) } else { self.by.expr() };
        rows.order_by(by, self.order.clone()).order_by(self.id, self.order.clone())
    }

    /// Of these rows those behind a place. An index with both columns leads there at once.
    pub(super) fn behind<E: EntityTrait<Column = C>>(&self, rows: Select<E>, place: &Place) -> Select<E> {
        let row = Expr::tuple([self.by.expr(), Expr::col(self.id)]);
        let last = Expr::tuple([Expr::val(place.value.clone()), Expr::val(place.id.clone())]);
        rows.filter(if self.order == Order::Desc { row.lt(last) } else { row.gt(last) })
    }

    /// Where a row is.
    pub(super) fn place<M>(&self, row: &M) -> Place
    where
        M: ModelTrait,
        M::Entity: EntityTrait<Column = C>,
    {
        let value = match (self.by, row.get(self.by.column())) {
            (Sort::OrZero(_), Value::Int(None) | Value::BigInt(None)) => 0_i64.into(),
            (_, value) => value,
        };
        Place { value, id: row.get(self.id) }
    }

    /// A place as requests name it.
    pub(super) fn cursor(&self, place: &Place) -> String {
        URL_SAFE_NO_PAD.encode(json!([self.name, plain(&place.value), plain(&place.id)]).to_string())
    }

    /// The place that a request names; none when it is no place of a list in this order.
    pub(super) fn read(&self, cursor: &str) -> Option<Place> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (name, value, id): (String, Json, Json) = serde_json::from_slice(&bytes).ok()?;
        let is_ours = name == self.name;
        Some(Place { value: typed(self.by.column(), value)?, id: typed(self.id, id)? }).filter(|_| is_ours)
    }
}

/// A value in a cursor: of the kinds that are sorted by.
fn plain(value: &Value) -> Json {
    match value {
        Value::String(Some(text)) => json!(text),
        Value::Int(Some(number)) => json!(number),
        Value::BigInt(Some(number)) => json!(number),
        Value::Bool(Some(flag)) => json!(flag),
        Value::Uuid(Some(id)) => json!(id.simple().to_string()),
        _ => Json::Null,
    }
}

/// The same as a value of its column, if it can be one: of another type the database would not take it.
fn typed(column: impl ColumnTrait, value: Json) -> Option<Value> {
    match (column.def().get_column_type(), value) {
        (ColumnType::Uuid, Json::String(id)) => Uuid::try_parse(&id).ok().map(Into::into),
        (ColumnType::String(_) | ColumnType::Text, Json::String(text)) if !text.contains('\0') => Some(text.into()),
        (ColumnType::Boolean, Json::Bool(flag)) => Some(flag.into()),
        (ColumnType::Integer | ColumnType::BigInteger, Json::Number(number)) => number.as_i64().map(Into::into),
        _ => None,
    }
}
