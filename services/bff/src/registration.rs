//! What people do who are not signed in: register a company, ask for a new password, follow the link of a mail.

use armada_proto::v1::{EmailRequest, LinkToken, OpenLink, RegistrationInput, UseLinkRequest};
use armada_runtime::auth::Client;
use axum::{Json, extract::State};
use http::StatusCode;

use crate::{
    edge::Edge,
    failure::{Answer, Refused},
    input::Input,
    origin::FromOwnPage,
};

/// Registers a company with its first person, who hears by mail how it goes on. The answer is the same for an address
/// that has an account already.
#[utoipa::path(
    post,
    path = "/auth/register",
    operation_id = "register",
    tag = "auth",
    request_body = RegistrationInput,
    responses((status = 204, description = "The mail is on its way."), Refused),
    security(()),
)]
pub(crate) async fn register(
    State(edge): State<Edge>,
    client: Client,
    _: FromOwnPage,
    Input(registration): Input<RegistrationInput>,
) -> Answer<StatusCode> {
    edge.registration().register(client.request(registration)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Asks for a link by mail to a new password. The answer is the same for an address that has no account.
#[utoipa::path(
    post,
    path = "/auth/forgot-password",
    operation_id = "forgot_password",
    tag = "auth",
    request_body = EmailRequest,
    responses((status = 204, description = "The mail is on its way, if there is an account."), Refused),
    security(()),
)]
pub(crate) async fn forgot_password(
    State(edge): State<Edge>,
    client: Client,
    _: FromOwnPage,
    Input(request): Input<EmailRequest>,
) -> Answer<StatusCode> {
    edge.registration().forgot_password(client.request(request)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Looks at the link of a mail without using it up. The token stands in the body, so that no log has it.
#[utoipa::path(
    post,
    path = "/auth/links",
    operation_id = "get_link",
    tag = "auth",
    request_body = LinkToken,
    responses((status = 200, description = "What it is for, and for whom.", body = OpenLink), Refused),
    security(()),
)]
pub(crate) async fn get_link(
    State(edge): State<Edge>,
    client: Client,
    _: FromOwnPage,
    Input(token): Input<LinkToken>,
) -> Answer<Json<OpenLink>> {
    Ok(Json(edge.registration().get_link(client.request(token)).await?.into_inner()))
}

/// Uses the link of a mail up: whoever has it chooses the password, and with that confirms an invitation or a
/// registration. Signing in comes after.
#[utoipa::path(
    post,
    path = "/auth/links/use",
    operation_id = "use_link",
    tag = "auth",
    request_body = UseLinkRequest,
    responses((status = 204, description = "Done; the link works no more."), Refused),
    security(()),
)]
pub(crate) async fn use_link(
    State(edge): State<Edge>,
    client: Client,
    _: FromOwnPage,
    Input(request): Input<UseLinkRequest>,
) -> Answer<StatusCode> {
    edge.registration().use_link(client.request(request)).await?;
    Ok(StatusCode::NO_CONTENT)
}
