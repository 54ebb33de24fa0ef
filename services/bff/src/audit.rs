//! Files of what was done.

use armada_proto::v1::{AuditEntry, ListAuditRequest};
use axum::{extract::State, response::Response};
use futures::TryStreamExt;

use crate::{
    caller::By,
    edge::Edge,
    export::{Column, Export},
    failure::Answer,
    language::Language,
    query::Query,
};

/// The columns of a file of entries.
const COLUMNS: &[Column<AuditEntry>] = &[
    Column::time("at", |entry| entry.at),
    Column::text("actor_name", 28.0, |entry| &entry.actor_name),
    Column::text("act", 24.0, |entry| &entry.act),
    Column::text("object_kind", 16.0, |entry| &entry.object_kind),
    Column::text("object_name", 28.0, |entry| &entry.object_name),
    Column::text("before", 40.0, |entry| entry.before.as_deref().unwrap_or_default()),
    Column::text("after", 40.0, |entry| entry.after.as_deref().unwrap_or_default()),
    Column::text("address", 20.0, |entry| &entry.address),
    Column::number("seq", 12.0, |entry| entry.seq as f64),
    Column::text("hash", 66.0, |entry| &entry.hash),
    Column::unusual(Column::text("id", 38.0, |entry| &entry.id)),
    Column::unusual(Column::text("tenant_id", 38.0, |entry| entry.tenant_id.as_deref().unwrap_or_default())),
    Column::unusual(Column::text("actor_id", 38.0, |entry| entry.actor_id.as_deref().unwrap_or_default())),
    Column::unusual(Column::text("object_id", 38.0, |entry| &entry.object_id)),
];

/// All entries of a list as a file, whatever the page.
pub(crate) async fn export(
    State(edge): State<Edge>,
    By(caller): By,
    language: Language,
    mut query: Query,
) -> Answer<Response> {
    let request: ListAuditRequest = query.message();
    let export = Export::asked(&mut query, "audit", COLUMNS, language);
    query.check()?;
    let pieces = edge.audit().export(caller.sign(request)).await?.into_inner();
    Ok(export.respond(pieces.map_ok(|piece| piece.items)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_words_in_every_language() {
        crate::export::assert_words("audit", COLUMNS, &[AuditEntry::default()]);
    }
}
