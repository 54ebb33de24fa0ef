//! Positions as columns.

use crate::position::{Derived, Position};

/// Positions as columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Milliseconds since 1970.
    pub recorded_at: Vec<i64>,
    /// 1e-7 degrees.
    pub lat: Vec<i32>,
    /// 1e-7 degrees.
    pub lng: Vec<i32>,
    /// What was derived.
    pub derived: Vec<Derived>,
}

impl Columns {
    /// Rows.
    pub fn len(&self) -> usize {
        self.recorded_at.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.recorded_at.is_empty()
    }

    /// All rows.
    pub fn to_positions(&self) -> Vec<Position> {
        Vec::new()
    }
}
