//! Signing in, staying signed in, signing out.

use armada_proto::v1::{Empty, LoginRequest, LoginResponse, RefreshRequest, Session, SessionUser, SignInOptions};
use armada_runtime::{Code, Error, auth::Client};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use axum_extra::extract::CookieJar;
use http::StatusCode;

use crate::{
    caller::By,
    cookie,
    edge::Edge,
    failure::{Answer, Failure, Refused},
    input::Input,
    origin::FromOwnPage,
};

/// What the page of the sign-in offers.
#[utoipa::path(
    get,
    path = "/auth/options",
    operation_id = "sign_in_options",
    tag = "auth",
    responses((status = 200, description = "What there is.", body = SignInOptions), Refused),
    security(()),
)]
pub(crate) async fn options(State(edge): State<Edge>, client: Client) -> Answer<Json<SignInOptions>> {
    Ok(Json(edge.sessions().options(client.request(Empty {})).await?.into_inner()))
}

/// Signs in. Where a second factor is needed and `code` is absent, the error is `totp_required`. The answer also sets the
/// cookie that `/auth/refresh` needs.
#[utoipa::path(
    post,
    path = "/auth/login",
    operation_id = "login",
    tag = "auth",
    request_body = LoginRequest,
    responses((status = 200, description = "Signed in.", body = LoginResponse), Refused),
    security(()),
)]
pub(crate) async fn login(
    State(edge): State<Edge>,
    client: Client,
    _: FromOwnPage,
    Input(request): Input<LoginRequest>,
) -> Answer<Response> {
    let session = edge.sessions().login(client.request(request)).await?.into_inner();
    Ok(signed_in(session, edge.origin.is_https()))
}

/// Exchanges the cookie for a new access token and a new cookie.
#[utoipa::path(
    post,
    path = "/auth/refresh",
    operation_id = "refresh",
    tag = "auth",
    responses((status = 200, description = "Still signed in.", body = LoginResponse), Refused),
    security(()),
)]
pub(crate) async fn refresh(
    State(edge): State<Edge>,
    client: Client,
    _: FromOwnPage,
    jar: CookieJar,
) -> Answer<Response> {
    let secure = edge.origin.is_https();
    let refresh_token = cookie::token(&jar, secure).ok_or_else(Error::unauthenticated)?;
    match edge.sessions().refresh(client.request(RefreshRequest { refresh_token })).await {
        Ok(session) => Ok(signed_in(session.into_inner(), secure)),
        Err(status) => {
            let failure = Failure::from(status);
            // A cookie that is worth nothing any more is not to be sent again.
            match failure.error().class {
                Code::Unauthenticated => Ok((cookie::none(secure), failure).into_response()),
                _ => Err(failure),
            }
        }
    }
}

/// Ends the session of the cookie and takes the cookie away.
#[utoipa::path(
    post,
    path = "/auth/logout",
    operation_id = "logout",
    tag = "auth",
    responses((status = 204, description = "Signed out."), Refused),
    security(()),
)]
pub(crate) async fn logout(
    State(edge): State<Edge>,
    client: Client,
    _: FromOwnPage,
    jar: CookieJar,
) -> Answer<Response> {
    if let Some(refresh_token) = cookie::token(&jar, edge.origin.is_https()) {
        edge.sessions().logout(client.request(RefreshRequest { refresh_token })).await?;
    }
    Ok((StatusCode::NO_CONTENT, cookie::none(edge.origin.is_https())).into_response())
}

/// Who is signed in.
#[utoipa::path(
    get,
    path = "/api/v1/auth/me",
    operation_id = "me",
    tag = "auth",
    responses((status = 200, description = "The caller.", body = SessionUser), Refused),
)]
pub(crate) async fn me(State(edge): State<Edge>, By(caller): By) -> Answer<Json<SessionUser>> {
    Ok(Json(edge.sessions().me(caller.sign(Empty {})).await?.into_inner()))
}

/// The refresh token goes into the cookie and nowhere else; so does what the browser is known by.
pub(crate) fn signed_in(session: Session, secure: bool) -> Response {
    let (of_session, of_device) = cookie::of_sign_in(&session, secure);
    (of_session, of_device, Json(LoginResponse { token: session.token, user: session.user })).into_response()
}
