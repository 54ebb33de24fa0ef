//! Gateways that belong to one tenant, for platform owners.

use armada_proto::v1::{
    DeleteRequest, ListTenantGatewaysRequest, TenantGateway, TenantGatewayInput, TenantGatewayList,
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

/// Lists the gateways that belong to one tenant, for platform owners. Sorted by `name` or `created_at`; `q` finds a part of
/// the name.
#[utoipa::path(
    get,
    path = "/api/v1/gateways",
    operation_id = "list_gateways",
    tag = "imeis",
    params(Listing, ("tenant_id" = Option<String>, Query, description = "Only of this tenant.")),
    responses((status = 200, description = "A page.", body = TenantGatewayList), Refused),
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    By(caller): By,
    mut query: Query,
) -> Answer<Json<TenantGatewayList>> {
    let Listing { page, page_size, sort, q } = query.listing();
    let request = ListTenantGatewaysRequest { page, page_size, sort, q, tenant_id: query.text("tenant_id") };
    query.check()?;
    Ok(Json(edge.tenant_gateways().list(caller.sign(request)).await?.into_inner()))
}

/// Says that all trackers of a gateway are one tenant's, for platform owners. The gateway need not have spoken yet.
#[utoipa::path(
    put,
    path = "/api/v1/gateways/{name}",
    operation_id = "assign_gateway",
    tag = "imeis",
    params(("name" = String, Path, description = "As in `gps.<gateway>.…`.")),
    request_body = TenantGatewayInput,
    responses((status = 200, description = "The gateway.", body = TenantGateway), Refused),
)]
pub(crate) async fn assign(
    State(edge): State<Edge>,
    By(caller): By,
    Path(name): Path<String>,
    Input(gateway): Input<TenantGatewayInput>,
) -> Answer<Json<TenantGateway>> {
    let gateway = TenantGatewayInput { name, ..gateway };
    Ok(Json(edge.tenant_gateways().assign(caller.sign(gateway)).await?.into_inner()))
}

/// Says that a gateway's trackers are anybody's, for platform owners.
#[utoipa::path(
    delete,
    path = "/api/v1/gateways/{name}",
    operation_id = "remove_gateway",
    tag = "imeis",
    params(("name" = String, Path)),
    responses((status = 204, description = "It belongs to nobody."), Refused),
)]
pub(crate) async fn remove(State(edge): State<Edge>, By(caller): By, Path(name): Path<String>) -> Answer<StatusCode> {
    edge.tenant_gateways().remove(caller.sign(DeleteRequest { id: name, row_version: None })).await?;
    Ok(StatusCode::NO_CONTENT)
}
