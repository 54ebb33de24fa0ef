//! Kinds of events as a request names them: one, or with a star all of a module.

use sea_orm::{
    ColumnTrait, Condition,
    sea_query::{Expr, LikeExpr},
};

/// Whether a column holds one of these kinds.
pub fn of_kinds(column: impl ColumnTrait, kinds: &[String]) -> Condition {
    let (modules, exact): (Vec<_>, Vec<_>) = kinds.iter().partition(|kind| kind.ends_with('*'));
    let of_modules = modules.into_iter().fold(Condition::any(), |any, kind| any.add(of_kind(column, kind)));
    if exact.is_empty() { of_modules } else { of_modules.add(column.is_in(exact)) }
}

/// Whether it holds this one.
pub fn of_kind(column: impl ColumnTrait, kind: &str) -> Expr {
    match kind.strip_suffix('*') {
        Some(module) => {
            let literally = module.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_");
            column.like(LikeExpr::new(format!("{literally}%")).escape('\\'))
        }
        None => column.eq(kind),
    }
}
