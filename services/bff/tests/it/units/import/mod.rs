//! Files that are taken in.

mod cells;
mod columns;
mod lookup;
