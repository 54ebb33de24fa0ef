//! Signing in, staying signed in, signing out.

use armada_proto::v1::{LoginRequest, LoginResponse, RefreshRequest, Session};
use armada_runtime::{Code, Error};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use axum_extra::extract::CookieJar;
use http::StatusCode;

use crate::{
    clients::Clients,
    http::{
        body::Input,
        client::RequestClient,
        cookie,
        failure::{Answer, Failure},
        origin::{OwnOrigin, SameOrigin},
    },
};

/// Signs in. Where a second factor is needed and `code` is absent, the error is `totp_required`. The answer also sets the
/// cookie that `/auth/refresh` needs.
pub(crate) async fn login(
    State(clients): State<Clients>,
    State(origin): State<OwnOrigin>,
    RequestClient(client): RequestClient,
    _: SameOrigin,
    Input(request): Input<LoginRequest>,
) -> Answer<Response> {
    let session = clients.sessions().login(client.request(request)).await?.into_inner();
    Ok(signed_in(session, origin.is_https()))
}

/// Exchanges the cookie for a new access token and a new cookie.
pub(crate) async fn refresh(
    State(clients): State<Clients>,
    State(origin): State<OwnOrigin>,
    RequestClient(client): RequestClient,
    _: SameOrigin,
    jar: CookieJar,
) -> Answer<Response> {
    let secure = origin.is_https();
    let refresh_token = cookie::token(&jar, secure).ok_or_else(Error::unauthenticated)?;
    match clients.sessions().refresh(client.request(RefreshRequest { refresh_token })).await {
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
pub(crate) async fn logout(
    State(clients): State<Clients>,
    State(origin): State<OwnOrigin>,
    RequestClient(client): RequestClient,
    _: SameOrigin,
    jar: CookieJar,
) -> Answer<Response> {
    if let Some(refresh_token) = cookie::token(&jar, origin.is_https()) {
        clients.sessions().logout(client.request(RefreshRequest { refresh_token })).await?;
    }
    Ok((StatusCode::NO_CONTENT, cookie::none(origin.is_https())).into_response())
}

/// The refresh token goes into the cookie and nowhere else; so does what the browser is known by.
pub(crate) fn signed_in(session: Session, secure: bool) -> Response {
    let (of_session, of_device) = cookie::of_sign_in(&session, secure);
    (of_session, of_device, Json(LoginResponse { token: session.token, user: session.user })).into_response()
}
