//! Roles, and what each of them says of the permissions.

use armada_proto::v1::{
    DeleteRequest, Empty, GetRequest, ListRolesRequest, Role, RoleInput, RoleList, RolePermissions,
    RolePermissionsInput, RoleTemplateList,
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
    version::{IfMatch, Versioned},
};

/// Lists the roles of the caller's tenant. Sorted by `name`, `created_at` or `updated_at`; `q` finds a part of name or
/// description.
#[utoipa::path(
    get,
    path = "/api/v1/roles",
    operation_id = "list_roles",
    tag = "roles",
    params(
        Listing,
        ("tenant_id" = Option<String>, Query, description = "Only of this tenant, for platform owners."),
    ),
    responses((status = 200, description = "A page.", body = RoleList), Refused),
)]
pub(crate) async fn list(State(edge): State<Edge>, By(caller): By, mut query: Query) -> Answer<Json<RoleList>> {
    let Listing { page, page_size, sort, q } = query.listing();
    let request = ListRolesRequest { page, page_size, sort, q, tenant_id: query.text("tenant_id") };
    query.check()?;
    Ok(Json(edge.roles().list(caller.sign(request)).await?.into_inner()))
}

/// Makes a role, from nothing, from a template or from another role.
#[utoipa::path(
    post,
    path = "/api/v1/roles",
    operation_id = "create_role",
    tag = "roles",
    request_body = RoleInput,
    responses(
        (status = 201, description = "The new role.", body = Role, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn create(
    State(edge): State<Edge>,
    By(caller): By,
    Input(role): Input<RoleInput>,
) -> Answer<Versioned<Role>> {
    let role = edge.roles().create(caller.sign(role)).await?.into_inner();
    Ok(Versioned::created(role.row_version, role))
}

/// The beginnings that there are for a role.
#[utoipa::path(
    get,
    path = "/api/v1/roles/templates",
    operation_id = "role_templates",
    tag = "roles",
    responses((status = 200, description = "All of them.", body = RoleTemplateList), Refused),
)]
pub(crate) async fn templates(State(edge): State<Edge>, By(caller): By) -> Answer<Json<RoleTemplateList>> {
    Ok(Json(edge.roles().templates(caller.sign(Empty {})).await?.into_inner()))
}

/// Reads a role.
#[utoipa::path(
    get,
    path = "/api/v1/roles/{id}",
    operation_id = "get_role",
    tag = "roles",
    params(("id" = String, Path)),
    responses(
        (status = 200, description = "The role.", body = Role, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn get(State(edge): State<Edge>, By(caller): By, Path(id): Path<String>) -> Answer<Versioned<Role>> {
    let role = edge.roles().get(caller.sign(GetRequest { id })).await?.into_inner();
    Ok(Versioned::new(role.row_version, role))
}

/// Changes the fields of a role that are present.
#[utoipa::path(
    put,
    path = "/api/v1/roles/{id}",
    operation_id = "update_role",
    tag = "roles",
    params(
        ("id" = String, Path),
        IfMatch,
    ),
    request_body = RoleInput,
    responses(
        (status = 200, description = "The role now.", body = Role, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn update(
    State(edge): State<Edge>,
    By(caller): By,
    Path(id): Path<String>,
    IfMatch { row_version }: IfMatch,
    Input(role): Input<RoleInput>,
) -> Answer<Versioned<Role>> {
    let role = RoleInput { id, row_version, ..role };
    let role = edge.roles().update(caller.sign(role)).await?.into_inner();
    Ok(Versioned::new(role.row_version, role))
}

/// Removes a role. Who had it loses what it allowed.
#[utoipa::path(
    delete,
    path = "/api/v1/roles/{id}",
    operation_id = "delete_role",
    tag = "roles",
    params(
        ("id" = String, Path),
        IfMatch,
    ),
    responses((status = 204, description = "It is gone."), Refused),
)]
pub(crate) async fn delete(
    State(edge): State<Edge>,
    By(caller): By,
    Path(id): Path<String>,
    IfMatch { row_version }: IfMatch,
) -> Answer<StatusCode> {
    edge.roles().delete(caller.sign(DeleteRequest { id, row_version })).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What a role says of the permissions; those that are not there have the effect `none`.
#[utoipa::path(
    get,
    path = "/api/v1/roles/{id}/permissions",
    operation_id = "get_role_permissions",
    tag = "roles",
    params(("id" = String, Path)),
    responses(
        (status = 200, description = "All that it says.", body = RolePermissions,
            headers(("ETag", description = "The version of the role."))),
        Refused,
    ),
)]
pub(crate) async fn get_permissions(
    State(edge): State<Edge>,
    By(caller): By,
    Path(id): Path<String>,
) -> Answer<Versioned<RolePermissions>> {
    let says = edge.roles().get_permissions(caller.sign(GetRequest { id })).await?.into_inner();
    Ok(Versioned::new(says.row_version, says))
}

/// Changes what a role says of the permissions that are named, all in one step.
#[utoipa::path(
    put,
    path = "/api/v1/roles/{id}/permissions",
    operation_id = "set_role_permissions",
    tag = "roles",
    params(
        ("id" = String, Path),
        IfMatch,
    ),
    request_body = RolePermissionsInput,
    responses(
        (status = 200, description = "All that it says now.", body = RolePermissions,
            headers(("ETag", description = "The version of the role."))),
        Refused,
    ),
)]
pub(crate) async fn set_permissions(
    State(edge): State<Edge>,
    By(caller): By,
    Path(role_id): Path<String>,
    IfMatch { row_version }: IfMatch,
    Input(says): Input<RolePermissionsInput>,
) -> Answer<Versioned<RolePermissions>> {
    let says = RolePermissionsInput { role_id, row_version, ..says };
    let says = edge.roles().set_permissions(caller.sign(says)).await?.into_inner();
    Ok(Versioned::new(says.row_version, says))
}
