//! What was done, by whom, and whether the record of it is whole.

use armada_proto::{
    Timestamp,
    v1::{AuditEntry, AuditList, AuditVerification, ListAuditRequest, VerifyAuditRequest},
};
use axum::{Json, extract::State, response::Response};
use futures::TryStreamExt;

use crate::{
    caller::By,
    edge::Edge,
    export::{Column, Export, ExportParams},
    failure::{Answer, Refused},
    language::Language,
    query::{Listing, Query},
};

/// Which entries.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "it stands in the document alone")]
struct Filters {
    /// Only what these users did, at most 500.
    #[param(required = false)]
    actor_id: Vec<String>,
    /// Only these acts; with a star for all of a module.
    #[param(required = false, example = "device:*")]
    act: Vec<String>,
    /// Only what was done to things of this kind.
    #[param(required = false, example = "device")]
    object_kind: String,
    /// Only what was done to this thing.
    #[param(required = false)]
    object_id: String,
    /// From here on.
    #[param(required = false, value_type = String, format = DateTime)]
    from: Timestamp,
    /// Until before this.
    #[param(required = false, value_type = String, format = DateTime)]
    to: Timestamp,
    /// Only of this tenant, for platform owners.
    #[param(required = false)]
    tenant_id: String,
}

/// Lists what was done in the caller's tenant. Sorted by `at`, the newest first when nothing is said; `q` finds a part
/// of the actor's or the thing's name, of the address or of the act.
#[utoipa::path(
    get,
    path = "/api/v1/audit",
    operation_id = "list_audit",
    tag = "audit",
    params(Listing, Filters),
    responses((status = 200, description = "A page.", body = AuditList), Refused),
)]
pub(crate) async fn list(State(edge): State<Edge>, By(caller): By, mut query: Query) -> Answer<Json<AuditList>> {
    let request = wanted(&mut query);
    query.check()?;
    Ok(Json(edge.audit().list(caller.sign(request)).await?.into_inner()))
}

/// What a query says of which entries, and in which order.
fn wanted(query: &mut Query) -> ListAuditRequest {
    let Listing { page, page_size, sort, q } = query.listing();
    let (from, to) = (query.time("from"), query.time("to"));
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        query.wrong("from", "after_to");
    }
    ListAuditRequest {
        page,
        page_size,
        sort,
        q,
        tenant_id: query.text("tenant_id"),
        actor_ids: query.ids("actor_id"),
        acts: query.ids("act"),
        object_kind: query.text("object_kind").unwrap_or_default(),
        object_id: query.text("object_id").unwrap_or_default(),
        from: from.unwrap_or_default().millis(),
        to: to.unwrap_or_default().millis(),
    }
}

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

/// All entries of a list as a file, whatever the page. Columns are `at`, `actor_name`, `act`, `object_kind`,
/// `object_name`, `before`, `after`, `address`, `seq`, `hash`, and when asked for `id`, `tenant_id`, `actor_id`,
/// `object_id`. A file that was cut off ends with a broken connection.
#[utoipa::path(
    get,
    path = "/api/v1/audit/export",
    operation_id = "export_audit",
    tag = "audit",
    params(
        ExportParams,
        ("sort" = Option<String>, Query, description = "A field, `-` before it for descending."),
        ("q" = Option<String>, Query, description = "Text to search for."),
        Filters,
    ),
    responses(
        (status = 200, description = "The file, streamed.", content(
            (String = "text/csv"),
            (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        )),
        Refused,
    ),
)]
pub(crate) async fn export(
    State(edge): State<Edge>,
    By(caller): By,
    language: Language,
    mut query: Query,
) -> Answer<Response> {
    let request = wanted(&mut query);
    let export = Export::asked(&mut query, "audit", COLUMNS, language);
    query.check()?;
    let pieces = edge.audit().export(caller.sign(request)).await?.into_inner();
    Ok(export.respond(pieces.map_ok(|piece| piece.items)))
}

/// Reads a chain of entries from its beginning and tells whether anything in it was changed or taken away: the chain of
/// the caller's tenant, or for platform owners that of the platform unless they name a tenant. One answer is about 10,000
/// entries at most: while it has a `next_hash`, ask on with that as `after_hash` and with its `checked` as `after_seq`.
#[utoipa::path(
    get,
    path = "/api/v1/audit/verification",
    operation_id = "verify_audit",
    tag = "audit",
    params(
        ("tenant_id" = Option<String>, Query, description = "The chain of this tenant, for platform owners."),
        ("after_seq" = Option<u32>, Query, description = "Go on behind this entry: `checked` of the answer before."),
        ("after_hash" = Option<String>, Query, description = "The hash of that entry: `next_hash` of the answer before."),
        ("limit" = Option<u32>, Query, description = "Entries to read at most, up to 10,000."),
    ),
    responses((status = 200, description = "What was found.", body = AuditVerification), Refused),
)]
pub(crate) async fn verify(
    State(edge): State<Edge>,
    By(caller): By,
    mut query: Query,
) -> Answer<Json<AuditVerification>> {
    let request = VerifyAuditRequest {
        tenant_id: query.text("tenant_id"),
        after_seq: query.number("after_seq").into(),
        after_hash: query.text("after_hash").unwrap_or_default(),
        limit: query.number("limit"),
    };
    query.check()?;
    Ok(Json(edge.audit().verify(caller.sign(request)).await?.into_inner()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_words_in_every_language() {
        crate::export::assert_words("audit", COLUMNS, &[AuditEntry::default()]);
    }
}
