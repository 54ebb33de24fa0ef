//! Tenants.

use armada_proto::v1::{GetRequest, ListTenantsRequest, Tenant, TenantInput, TenantList};
use axum::{
    Json,
    extract::{Path, State},
};

use crate::{
    caller::By,
    edge::Edge,
    failure::{Answer, Refused},
    input::Input,
    query::{Listing, Query},
    version::{IfMatch, Versioned},
};

/// Lists the tenants, for platform owners. Sorted by `name` or `created_at`; `q` finds a part of the name.
#[utoipa::path(
    get,
    path = "/api/v1/tenants",
    operation_id = "list_tenants",
    tag = "tenants",
    params(
        Listing,
        ("ids" = Option<Vec<String>>, Query, description = "Only these, at most 500."),
    ),
    responses((status = 200, description = "A page.", body = TenantList), Refused),
)]
pub(crate) async fn list(State(edge): State<Edge>, By(caller): By, mut query: Query) -> Answer<Json<TenantList>> {
    let Listing { page, page_size, sort, q } = query.listing();
    let request = ListTenantsRequest { page, page_size, sort, q, ids: query.all("ids") };
    query.check()?;
    Ok(Json(edge.tenants().list(caller.sign(request)).await?.into_inner()))
}

/// Makes a tenant.
#[utoipa::path(
    post,
    path = "/api/v1/tenants",
    operation_id = "create_tenant",
    tag = "tenants",
    request_body = TenantInput,
    responses(
        (status = 201, description = "The new tenant.", body = Tenant, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn create(
    State(edge): State<Edge>,
    By(caller): By,
    Input(tenant): Input<TenantInput>,
) -> Answer<Versioned<Tenant>> {
    let tenant = edge.tenants().create(caller.sign(tenant)).await?.into_inner();
    Ok(Versioned::created(tenant.row_version, tenant))
}

/// Reads a tenant.
#[utoipa::path(
    get,
    path = "/api/v1/tenants/{id}",
    operation_id = "get_tenant",
    tag = "tenants",
    params(("id" = String, Path)),
    responses(
        (status = 200, description = "The tenant.", body = Tenant, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn get(State(edge): State<Edge>, By(caller): By, Path(id): Path<String>) -> Answer<Versioned<Tenant>> {
    let tenant = edge.tenants().get(caller.sign(GetRequest { id })).await?.into_inner();
    Ok(Versioned::new(tenant.row_version, tenant))
}

/// Changes the fields of a tenant that are present.
#[utoipa::path(
    put,
    path = "/api/v1/tenants/{id}",
    operation_id = "update_tenant",
    tag = "tenants",
    params(
        ("id" = String, Path),
        IfMatch,
    ),
    request_body = TenantInput,
    responses(
        (status = 200, description = "The tenant now.", body = Tenant, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn update(
    State(edge): State<Edge>,
    By(caller): By,
    Path(id): Path<String>,
    IfMatch { row_version }: IfMatch,
    Input(tenant): Input<TenantInput>,
) -> Answer<Versioned<Tenant>> {
    let tenant = TenantInput { id, row_version, ..tenant };
    let tenant = edge.tenants().update(caller.sign(tenant)).await?.into_inner();
    Ok(Versioned::new(tenant.row_version, tenant))
}
