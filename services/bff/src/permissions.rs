//! The catalogue of permissions, the same for all tenants.

use armada_proto::v1::{DeletePermissionRequest, Empty, Permission, PermissionInput, PermissionList};
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
    version::{IfMatch, Versioned},
};

/// All permissions, in the order of their keys.
#[utoipa::path(
    get,
    path = "/api/v1/permissions",
    operation_id = "list_permissions",
    tag = "permissions",
    responses((status = 200, description = "The catalogue.", body = PermissionList), Refused),
)]
pub(crate) async fn list(State(edge): State<Edge>, By(caller): By) -> Answer<Json<PermissionList>> {
    Ok(Json(edge.permissions().list(caller.sign(Empty {})).await?.into_inner()))
}

/// Adds a permission, for platform owners: for systems that read from `/api/v1/auth/me` what somebody may do.
#[utoipa::path(
    post,
    path = "/api/v1/permissions",
    operation_id = "create_permission",
    tag = "permissions",
    request_body = PermissionInput,
    responses(
        (status = 201, description = "The new permission.", body = Permission,
            headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn create(
    State(edge): State<Edge>,
    By(caller): By,
    Input(permission): Input<PermissionInput>,
) -> Answer<Versioned<Permission>> {
    let permission = edge.permissions().create(caller.sign(permission)).await?.into_inner();
    Ok(Versioned::created(permission.row_version, permission))
}

/// Describes a permission anew, for platform owners. Built-in ones cannot be changed.
#[utoipa::path(
    put,
    path = "/api/v1/permissions/{key}",
    operation_id = "update_permission",
    tag = "permissions",
    params(
        ("key" = String, Path),
        IfMatch,
    ),
    request_body = PermissionInput,
    responses(
        (status = 200, description = "The permission now.", body = Permission,
            headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn update(
    State(edge): State<Edge>,
    By(caller): By,
    Path(key): Path<String>,
    IfMatch { row_version }: IfMatch,
    Input(permission): Input<PermissionInput>,
) -> Answer<Versioned<Permission>> {
    let permission = PermissionInput { key, row_version, ..permission };
    let permission = edge.permissions().update(caller.sign(permission)).await?.into_inner();
    Ok(Versioned::new(permission.row_version, permission))
}

/// Removes a permission from the catalogue and from all roles, for platform owners. Built-in ones stay.
#[utoipa::path(
    delete,
    path = "/api/v1/permissions/{key}",
    operation_id = "delete_permission",
    tag = "permissions",
    params(
        ("key" = String, Path),
        IfMatch,
    ),
    responses((status = 204, description = "It is gone."), Refused),
)]
pub(crate) async fn delete(
    State(edge): State<Edge>,
    By(caller): By,
    Path(key): Path<String>,
    IfMatch { row_version }: IfMatch,
) -> Answer<StatusCode> {
    edge.permissions().delete(caller.sign(DeletePermissionRequest { key, row_version })).await?;
    Ok(StatusCode::NO_CONTENT)
}
