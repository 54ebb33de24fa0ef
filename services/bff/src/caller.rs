//! Who calls: the bearer of an access token.

use std::convert::Infallible;

use armada_runtime::{Caller, Error, auth::Client};
use axum::extract::FromRequestParts;
use http::{header::AUTHORIZATION, request::Parts};

use crate::{edge::Edge, failure::Failure};

/// The verified caller; a request without one ends with 401.
pub(crate) struct By(pub(crate) Caller);

impl FromRequestParts<Edge> for By {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, Failure> {
        let token = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(bearer);
        let token = token.ok_or_else(Error::unauthenticated)?;
        let mut caller = edge.verifier.caller(token).await?;
        // Tokens between services are not for the outside.
        let ended = || caller.grant.as_ref().is_some_and(|grant| edge.ended.has(grant.sid));
        if caller.service.is_some() || ended() {
            return Err(Error::unauthenticated().into());
        }
        let Ok::<_, Infallible>(client) = Client::from_request_parts(parts, edge).await;
        // What the browser is known by matters to signing in alone.
        caller.client = Client { device: String::new(), ..client };
        Ok(Self(caller))
    }
}

/// The token of `Bearer <token>`; the word is case-insensitive (RFC 9110).
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}
