//! IMEIs that are promised to tenants, for platform owners.

use armada_proto::v1::{
    DeleteRequest, ImeiAssignmentInput, ImeiAssignmentLines, ImeiAssignmentList, ListImeiAssignmentsRequest,
};
use axum::{
    Json,
    extract::{Path, State},
};
use http::StatusCode;

use crate::{
    caller::By,
    edge::Edge,
    failure::{Answer, Refused},
    input::Input,
    query::{Listing, Query},
};

/// Lists the IMEIs that are promised to tenants, for platform owners. Sorted by `created_at` or `imei`; `q` finds a part
/// of the IMEI.
#[utoipa::path(
    get,
    path = "/api/v1/imei-assignments",
    operation_id = "list_imei_assignments",
    tag = "imeis",
    params(Listing, ("tenant_id" = Option<String>, Query, description = "Only of this tenant.")),
    responses((status = 200, description = "A page.", body = ImeiAssignmentList), Refused),
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    By(caller): By,
    mut query: Query,
) -> Answer<Json<ImeiAssignmentList>> {
    let Listing { page, page_size, sort, q } = query.listing();
    let request = ListImeiAssignmentsRequest { page, page_size, sort, q, tenant_id: query.text("tenant_id") };
    query.check()?;
    Ok(Json(edge.imei_assignments().list(caller.sign(request)).await?.into_inner()))
}

/// Promises IMEIs to a tenant, for platform owners: the tenant binds them at once, and nobody else does. Tells what became
/// of each line; one that is wrong holds no other up.
#[utoipa::path(
    post,
    path = "/api/v1/imei-assignments",
    operation_id = "assign_imeis",
    tag = "imeis",
    request_body = ImeiAssignmentInput,
    responses((status = 200, description = "What became of each line.", body = ImeiAssignmentLines), Refused),
)]
pub(crate) async fn assign(
    State(edge): State<Edge>,
    By(caller): By,
    Input(imeis): Input<ImeiAssignmentInput>,
) -> Answer<Json<ImeiAssignmentLines>> {
    Ok(Json(edge.imei_assignments().assign(caller.sign(imeis)).await?.into_inner()))
}

/// Promises an IMEI to nobody any more, for platform owners. A device that is bound to it stays so.
#[utoipa::path(
    delete,
    path = "/api/v1/imei-assignments/{imei}",
    operation_id = "unassign_imei",
    tag = "imeis",
    params(("imei" = String, Path)),
    responses((status = 204, description = "It is promised to nobody."), Refused),
)]
pub(crate) async fn remove(State(edge): State<Edge>, By(caller): By, Path(imei): Path<String>) -> Answer<StatusCode> {
    edge.imei_assignments().remove(caller.sign(DeleteRequest { id: imei, row_version: None })).await?;
    Ok(StatusCode::NO_CONTENT)
}
