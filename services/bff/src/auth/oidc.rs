//! Signing in by a provider of identities (OpenID Connect 1.0). The browser itself opens both addresses, so that whatever
//! goes wrong ends on the page of the sign-in, which says it.

use armada_proto::v1::{OidcCodeRequest, OidcFinish, OidcFinishRequest, OidcStartRequest};
use armada_runtime::{Code, Error, auth::Client};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use axum_extra::extract::CookieJar;
use http::{StatusCode, header::LOCATION, request::Parts};

use super::sessions;
use crate::{
    clients::Clients,
    http::{
        body::Input,
        client::RequestClient,
        cookie::{self, Oidc},
        failure::Answer,
        origin::{OwnOrigin, SameOrigin},
        query::Query,
    },
};

/// Where the provider sends the browser back to.
const CALLBACK: &str = "/auth/oidc/callback";
/// The page of the sign-in.
const SIGN_IN: &str = "/auth/login";
/// The longest path of ours that is gone back to.
const NEXT_MAX: usize = 1000;

/// Sends the browser to the provider.
pub(crate) async fn start(
    State(clients): State<Clients>,
    State(origin): State<OwnOrigin>,
    RequestClient(client): RequestClient,
    query: Query,
    parts: Parts,
) -> Response {
    let next = query.text("next").filter(|path| is_own(path)).unwrap_or_else(|| "/".to_owned());
    let started = async {
        let redirect_uri = origin.url(&parts, CALLBACK).ok_or_else(failed)?;
        Answer::Ok(clients.sessions().start_oidc(client.request(OidcStartRequest { redirect_uri })).await?.into_inner())
    };
    match started.await {
        Ok(started) => {
            let oidc = Oidc { state_token: started.state_token, next };
            (oidc.set(origin.is_https()), to(&started.authorization_url)).into_response()
        }
        Err(failure) => refused(failure.error(), &next),
    }
}

/// Takes the provider's word for who the browser's user is, and signs them in.
pub(crate) async fn callback(
    State(clients): State<Clients>,
    State(origin): State<OwnOrigin>,
    RequestClient(client): RequestClient,
    jar: CookieJar,
    query: Query,
    parts: Parts,
) -> Response {
    let secure = origin.is_https();
    let oidc = Oidc::of(&jar, secure).filter(|oidc| is_own(&oidc.next));
    let next = oidc.as_ref().map_or("/", |oidc| &oidc.next).to_owned();
    match finish((&clients, &origin), &client, oidc, &query, &parts).await {
        Ok(OidcFinish { session: Some(session), .. }) => {
            let (of_session, of_device) = cookie::of_sign_in(&session, secure);
            (Oidc::none(secure), of_session, of_device, to(&next)).into_response()
        }
        // The page of the sign-in asks for the code; the cookie says whom the provider has vouched for.
        Ok(OidcFinish { code_token: Some(state_token), .. }) => {
            let waiting = Oidc { state_token, next };
            (waiting.set(secure), refused(&needs_code(), &waiting.next)).into_response()
        }
        Ok(_) => (Oidc::none(secure), refused(&failed(), &next)).into_response(),
        Err(failure) => (Oidc::none(secure), refused(failure.error(), &next)).into_response(),
    }
}

/// Signs in whom the provider has vouched for, with a code of the second factor that it did not ask for.
pub(crate) async fn code(
    State(clients): State<Clients>,
    State(origin): State<OwnOrigin>,
    RequestClient(client): RequestClient,
    _: SameOrigin,
    jar: CookieJar,
    Input(mut request): Input<OidcCodeRequest>,
) -> Answer<Response> {
    let secure = origin.is_https();
    request.code_token = Oidc::of(&jar, secure).ok_or_else(failed)?.state_token;
    let session = clients.sessions().finish_oidc_with_code(client.request(request)).await?.into_inner();
    Ok((Oidc::none(secure), sessions::signed_in(session, secure)).into_response())
}

async fn finish(
    (clients, origin): (&Clients, &OwnOrigin),
    client: &Client,
    oidc: Option<Oidc>,
    query: &Query,
    parts: &Parts,
) -> Answer<OidcFinish> {
    let state_token = oidc.ok_or_else(failed)?.state_token;
    let (state, code) = query.text("state").zip(query.text("code")).ok_or_else(failed)?;
    let redirect_uri = origin.url(parts, CALLBACK).ok_or_else(failed)?;
    let request = OidcFinishRequest { redirect_uri, state_token, state, code };
    Ok(clients.sessions().finish_oidc(client.request(request)).await?.into_inner())
}

fn needs_code() -> Error {
    Error::new(Code::Unauthenticated, "totp_required", "a code of the authenticator is needed")
}

/// The provider refused, or the browser brings something else than what it was sent away with.
fn failed() -> Error {
    Error::new(Code::Unauthenticated, "oidc_failed", "the provider's answer is no sign-in")
}

/// A path of the console. Whatever a browser could read as another origin is none, so that a prepared link cannot send
/// somebody elsewhere who has just signed in.
pub fn is_own(path: &str) -> bool {
    let plain = path.len() <= NEXT_MAX && path.bytes().all(|byte| matches!(byte, b'!'..=b'~') && byte != b'\\');
    plain && path.starts_with('/') && !["//", "/auth/", "/api/"].iter().any(|prefix| path.starts_with(prefix))
}

fn to(address: &str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, address)]).into_response()
}

/// To the page of the sign-in, which has the words for the code.
fn refused(error: &Error, next: &str) -> Response {
    if matches!(error.class, Code::Internal | Code::Unavailable) {
        tracing::warn!(%error, "a sign-in by the provider failed");
    }
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("error", &error.code)
        .append_pair("next", next)
        .finish();
    to(&format!("{SIGN_IN}?{query}"))
}
