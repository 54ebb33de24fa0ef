//! A list that is read as a whole, for a file.

use armada_proto::Paging;
use sea_orm::{EntityTrait, QuerySelect, Select};

use super::order::{ListOrder, Place};
use crate::{auth::Scope, db::Database, error::Result};

/// Entries in one piece of an export.
const PIECE: u64 = 500;

/// What is left of a list that is read as a whole, see [`List::export`](super::List::export).
pub struct Export<E: EntityTrait> {
    db: Database,
    scope: Scope,
    /// In their order.
    rows: Select<E>,
    order: ListOrder<E::Column>,
    /// Behind what was read.
    place: Option<Place>,
    is_over: bool,
    counted: Paging,
}

impl<E: EntityTrait> Export<E> {
    pub(super) fn new(
        db: Database,
        scope: Scope,
        rows: Select<E>,
        order: ListOrder<E::Column>,
        counted: Paging,
    ) -> Self {
        let rows = order.of(db.backend(), rows, &counted);
        Self { db, scope, rows, order, place: None, is_over: false, counted }
    }

    /// How many entries matched when it began, as far as they were counted.
    pub fn counted(&self) -> &Paging {
        &self.counted
    }

    /// The next entries, in order; none when all were read.
    pub async fn next(&mut self) -> Result<Option<Vec<E::Model>>> {
        if self.is_over {
            return Ok(None);
        }
        let tx = self.db.read(&self.scope).await?;
        let rows = self.rows.clone().limit(PIECE);
        let rows = match &self.place {
            Some(place) => self.order.behind(rows, place),
            None => rows,
        };
        let found = rows.all(&tx).await?;
        self.is_over = (found.len() as u64) < PIECE;
        self.place = found.last().map(|row| self.order.place(row));
        Ok(Some(found).filter(|found| !found.is_empty()))
    }
}
