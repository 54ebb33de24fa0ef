//! Users, their roles, the links by which they get in, and why they may do what they may.

use armada_proto::v1::{
    DecisionList, DeleteRequest, ExplainRequest, GetRequest, ListUsersRequest, SendLinkRequest, SentLink, User,
    UserInput, UserList, UserRolesInput, UserStatus, UserSummary,
};
use axum::{
    Json,
    extract::{Path, State},
    response::Response,
};
use futures::TryStreamExt;
use http::StatusCode;

use crate::{
    caller::By,
    edge::Edge,
    export::{self, Column, Export, ExportParams},
    failure::{Answer, Refused},
    input::Input,
    language::Language,
    query::{Listing, Query},
    version::{IfMatch, Versioned},
};

/// Which users.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "it stands in the document alone")]
struct Filters {
    /// Only these, at most 500.
    #[param(required = false)]
    ids: Vec<String>,
    /// Only these.
    #[param(required = false)]
    status: Vec<UserStatus>,
    /// Only whom the subscription covers, or does not.
    #[param(required = false)]
    is_subscription_active: bool,
    /// Only who has one of these roles.
    #[param(required = false)]
    role_id: Vec<String>,
    /// Only of this tenant, for platform owners.
    #[param(required = false)]
    tenant_id: String,
}

/// Lists the users of the caller's tenant. Sorted by `name`, `email`, `phone`, `last_login` or `created_at`; `q` finds a
/// part of name, email or phone.
#[utoipa::path(
    get,
    path = "/api/v1/users",
    operation_id = "list_users",
    tag = "users",
    params(Listing, Filters),
    responses((status = 200, description = "A page.", body = UserList), Refused),
)]
pub(crate) async fn list(State(edge): State<Edge>, By(caller): By, mut query: Query) -> Answer<Json<UserList>> {
    let request = wanted(&mut query);
    query.check()?;
    Ok(Json(edge.users().list(caller.sign(request)).await?.into_inner()))
}

/// What a query says of which users, and in which order.
fn wanted(query: &mut Query) -> ListUsersRequest {
    let Listing { page, page_size, sort, q } = query.listing();
    ListUsersRequest {
        page,
        page_size,
        sort,
        q,
        tenant_id: query.text("tenant_id"),
        ids: query.ids("ids"),
        statuses: query.choices::<UserStatus>("status").into_iter().map(Into::into).collect(),
        is_subscription_active: query.flag("is_subscription_active"),
        role_ids: query.ids("role_id"),
    }
}

/// Counts the users that a list shows, by what they are.
#[utoipa::path(
    get,
    path = "/api/v1/users/summary",
    operation_id = "user_summary",
    tag = "users",
    params(
        ("q" = Option<String>, Query, description = "Text to search for."),
        Filters,
    ),
    responses((status = 200, description = "The counts.", body = UserSummary), Refused),
)]
pub(crate) async fn summary(State(edge): State<Edge>, By(caller): By, mut query: Query) -> Answer<Json<UserSummary>> {
    let request = wanted(&mut query);
    query.check()?;
    Ok(Json(edge.users().summary(caller.sign(request)).await?.into_inner()))
}

/// The columns of a file of users.
const COLUMNS: &[Column<User>] = &[
    Column::text("name", 28.0, |user| &user.name),
    Column::text("email", 32.0, |user| &user.email),
    Column::text("phone", 18.0, |user| &user.phone),
    Column::made("roles", 32.0, |user| user.roles.iter().map(|role| role.name.as_str()).collect::<Vec<_>>().join(", ")),
    Column::choice("status", 12.0, |user| export::choice(user.status())),
    Column::choice("is_tenant_admin", 14.0, |user| export::flag(user.is_tenant_admin)),
    Column::choice("is_subscription_active", 14.0, |user| export::flag(user.is_subscription_active)),
    Column::choice("has_totp", 14.0, |user| export::flag(user.has_totp)),
    Column::time("last_login", |user| user.last_login),
    Column::time("created_at", |user| user.created_at),
    Column::unusual(Column::text("tenant_name", 28.0, |user| user.tenant_name.as_deref().unwrap_or_default())),
    Column::unusual(Column::time("updated_at", |user| user.updated_at)),
    Column::unusual(Column::text("id", 38.0, |user| &user.id)),
    Column::unusual(Column::text("tenant_id", 38.0, |user| user.tenant_id.as_deref().unwrap_or_default())),
];

/// All users of a list as a file, whatever the page. Columns are `name`, `email`, `phone`, `roles`, `status`,
/// `is_tenant_admin`, `is_subscription_active`, `has_totp`, `last_login`, `created_at`, and when asked for `tenant_name`,
/// `updated_at`, `id`, `tenant_id`. A file that was cut off ends with a broken connection.
#[utoipa::path(
    get,
    path = "/api/v1/users/export",
    operation_id = "export_users",
    tag = "users",
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
    let export = Export::asked(&mut query, "users", COLUMNS, language);
    query.check()?;
    let pieces = edge.users().export(caller.sign(request)).await?.into_inner();
    Ok(export.respond(pieces.map_ok(|piece| piece.items)))
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

/// Removes a user for good; their sessions end.
#[utoipa::path(
    delete,
    path = "/api/v1/users/{id}",
    operation_id = "delete_user",
    tag = "users",
    params(
        ("id" = String, Path),
        IfMatch,
    ),
    responses((status = 204, description = "They are gone."), Refused),
)]
pub(crate) async fn delete(
    State(edge): State<Edge>,
    By(caller): By,
    Path(id): Path<String>,
    IfMatch { row_version }: IfMatch,
) -> Answer<StatusCode> {
    edge.users().delete(caller.sign(DeleteRequest { id, row_version })).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sets the roles of a user, all of them.
#[utoipa::path(
    put,
    path = "/api/v1/users/{id}/roles",
    operation_id = "set_user_roles",
    tag = "users",
    params(
        ("id" = String, Path),
        IfMatch,
    ),
    request_body = UserRolesInput,
    responses(
        (status = 200, description = "The user now.", body = User, headers(("ETag", description = "Its version."))),
        Refused,
    ),
)]
pub(crate) async fn set_roles(
    State(edge): State<Edge>,
    By(caller): By,
    Path(user_id): Path<String>,
    IfMatch { row_version }: IfMatch,
    Input(roles): Input<UserRolesInput>,
) -> Answer<Versioned<User>> {
    let roles = UserRolesInput { user_id, row_version, ..roles };
    let user = edge.users().set_roles(caller.sign(roles)).await?.into_inner();
    Ok(Versioned::new(user.row_version, user))
}

/// Sends a user a link by which they get in: an invitation, or a new password. Where no mail server is configured the
/// answer holds the link, to be handed over.
#[utoipa::path(
    post,
    path = "/api/v1/users/{id}/links",
    operation_id = "send_user_link",
    tag = "users",
    params(("id" = String, Path)),
    request_body = SendLinkRequest,
    responses((status = 200, description = "It is on its way.", body = SentLink), Refused),
)]
pub(crate) async fn send_link(
    State(edge): State<Edge>,
    By(caller): By,
    Path(user_id): Path<String>,
    Input(link): Input<SendLinkRequest>,
) -> Answer<Json<SentLink>> {
    let link = SendLinkRequest { user_id, ..link };
    Ok(Json(edge.users().send_link(caller.sign(link)).await?.into_inner()))
}

/// Explains what a user may do: for each permission what comes out, why, and what each of their roles says.
#[utoipa::path(
    get,
    path = "/api/v1/users/{id}/decisions",
    operation_id = "user_decisions",
    tag = "users",
    params(
        ("id" = String, Path),
        ("key" = Option<String>, Query, description = "Only this permission; all of the catalogue when absent."),
    ),
    responses((status = 200, description = "In the order of the catalogue.", body = DecisionList), Refused),
)]
pub(crate) async fn decisions(
    State(edge): State<Edge>,
    By(caller): By,
    Path(user_id): Path<String>,
    query: Query,
) -> Answer<Json<DecisionList>> {
    let request = ExplainRequest { user_id, key: query.text("key").unwrap_or_default() };
    Ok(Json(edge.roles().explain(caller.sign(request)).await?.into_inner()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_words_in_every_language() {
        let statuses = [UserStatus::Active, UserStatus::Inactive, UserStatus::Invited];
        let users = statuses.map(|status| User { status: status.into(), ..User::default() });
        export::assert_words("users", COLUMNS, &users);
    }
}
