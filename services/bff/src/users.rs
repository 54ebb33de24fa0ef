//! Users.

use armada_proto::v1::{GetRequest, ListUsersRequest, User, UserInput, UserList};
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

/// Lists the users of the caller's tenant. Sorted by `name`, `email`, `last_login` or `created_at`; `q` finds a part of
/// name or email.
#[utoipa::path(
    get,
    path = "/api/v1/users",
    operation_id = "list_users",
    tag = "users",
    params(
        Listing,
        ("tenant_id" = Option<String>, Query, description = "Only of this tenant, for platform owners."),
        ("ids" = Option<Vec<String>>, Query, description = "Only these, at most 500."),
    ),
    responses((status = 200, description = "A page.", body = UserList), Refused),
)]
pub(crate) async fn list(State(edge): State<Edge>, By(caller): By, mut query: Query) -> Answer<Json<UserList>> {
    let Listing { page, page_size, sort, q } = query.listing();
    let (tenant_id, ids) = (query.text("tenant_id"), query.all("ids"));
    let request = ListUsersRequest { page, page_size, sort, q, tenant_id, ids };
    query.check()?;
    Ok(Json(edge.users().list(caller.sign(request)).await?.into_inner()))
}

/// Makes a user.
#[utoipa::path(
    post,
    path = "/api/v1/users",
    operation_id = "create_user",
    tag = "users",
    request_body = UserInput,
    responses(
        (status = 201, description = "The new user.", body = User, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn create(
    State(edge): State<Edge>,
    By(caller): By,
    Input(user): Input<UserInput>,
) -> Answer<Versioned<User>> {
    let user = edge.users().create(caller.sign(user)).await?.into_inner();
    Ok(Versioned::created(user.row_version, user))
}

/// Reads a user.
#[utoipa::path(
    get,
    path = "/api/v1/users/{id}",
    operation_id = "get_user",
    tag = "users",
    params(("id" = String, Path)),
    responses(
        (status = 200, description = "The user.", body = User, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn get(State(edge): State<Edge>, By(caller): By, Path(id): Path<String>) -> Answer<Versioned<User>> {
    let user = edge.users().get(caller.sign(GetRequest { id })).await?.into_inner();
    Ok(Versioned::new(user.row_version, user))
}

/// Changes the fields of a user that are present.
#[utoipa::path(
    put,
    path = "/api/v1/users/{id}",
    operation_id = "update_user",
    tag = "users",
    params(
        ("id" = String, Path),
        IfMatch,
    ),
    request_body = UserInput,
    responses(
        (status = 200, description = "The user now.", body = User, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn update(
    State(edge): State<Edge>,
    By(caller): By,
    Path(id): Path<String>,
    IfMatch { row_version }: IfMatch,
    Input(user): Input<UserInput>,
) -> Answer<Versioned<User>> {
    let user = UserInput { id, row_version, ..user };
    let user = edge.users().update(caller.sign(user)).await?.into_inner();
    Ok(Versioned::new(user.row_version, user))
}
