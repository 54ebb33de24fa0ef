//! Devices by what they do now, which position-ingest knows and the edge has asked.

use armada_proto::v1::{DeviceStatus, DevicesInStates};
use sea_orm::{
    ColumnTrait, Condition, DbBackend,
    prelude::Uuid,
    sea_query::{Alias, Expr, ExprTrait, Func, Query, extension::postgres::PgFunc},
};

use crate::entity::device::{Column, Entity};

/// The devices that were found, and of those that are not in use all or none: they count as without data, whatever they
/// reported before.
pub fn in_states(backend: DbBackend, found: &DevicesInStates) -> Condition {
    let ids = found.device_ids.chunks_exact(16).filter_map(|id| Uuid::from_slice(id).ok()).collect();
    let listed = is_among(backend, ids);
    match found.others {
        true => Condition::any().add(listed.not()).add(Column::Status.eq(DeviceStatus::Inactive)),
        false => Condition::all().add(listed).add(Column::Status.eq(DeviceStatus::Active)),
    }
}

/// Whether the id is one of these, which are one parameter however many they are: a statement has 32,766 of them on
/// SQLite and 65,535 on PostgreSQL.
fn is_among(backend: DbBackend, ids: Vec<Uuid>) -> Expr {
    let id = Expr::col((Entity, Column::Id));
    if backend == DbBackend::Postgres {
        return id.eq(PgFunc::any(ids));
    }
    let list: Vec<String> = ids.iter().map(|id| id.simple().to_string()).collect();
    let list = serde_json::to_string(&list).expect("texts are JSON");
    let values = Query::select()
        .expr(Expr::cust("unhex(value)"))
        .from_function(Func::cust(Alias::new("json_each")).arg(list), Alias::new("wanted"))
        .take();
    id.in_subquery(values)
}
