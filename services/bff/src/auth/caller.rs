//! Who calls: the bearer of an access token.

use std::convert::Infallible;

use armada_runtime::{
    Caller, Error, Verifier,
    auth::{Client, IdempotencyKey},
};
use axum::extract::{FromRef, FromRequestParts};
use http::{Method, header::AUTHORIZATION, request::Parts};

use super::ended::EndedSessions;
use crate::http::{client::RequestClient, failure::Failure};

/// The verified caller; a request without one ends with 401. Who asks for it again within a request gets the same.
pub(crate) struct Authenticated(pub(crate) Caller);

impl<S: Send + Sync> FromRequestParts<S> for Authenticated
where
    Verifier: FromRef<S>,
    EndedSessions: FromRef<S>,
    RequestClient: FromRequestParts<S, Rejection = Infallible>,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        if let Some(caller) = parts.extensions.get::<Caller>() {
            return Ok(Self(caller.clone()));
        }
        let token = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(bearer);
        let token = token.ok_or_else(Error::unauthenticated)?;
        let mut caller = Verifier::from_ref(state).caller(token).await?;
        // Tokens between services are not for the outside.
        let ended = || caller.grant.as_ref().is_some_and(|grant| EndedSessions::from_ref(state).has(grant.sid));
        if caller.service.is_some() || ended() {
            return Err(Error::unauthenticated().into());
        }
        let Ok(RequestClient(client)) = RequestClient::from_request_parts(parts, state).await;
        // What the browser is known by matters to signing in alone.
        caller.client = Client { device: String::new(), ..client };
        caller.once = idempotency_key(parts)?;
        parts.extensions.insert(caller.clone());
        Ok(Self(caller))
    }
}

/// Under what name an act is done once, however often it is asked for; other methods than POST are so by themselves.
fn idempotency_key(parts: &Parts) -> Result<Option<IdempotencyKey>, Failure> {
    let Some(key) = parts.headers.get("idempotency-key").filter(|_| parts.method == Method::POST) else {
        return Ok(None);
    };
    let target = parts.uri.path_and_query().map_or("", |target| target.as_str());
    Ok(Some(IdempotencyKey::new(key.to_str().unwrap_or_default(), target)?))
}

/// The token of `Bearer <token>`; the word is case-insensitive (RFC 9110).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}
