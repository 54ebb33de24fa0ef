//! Versions of rows: `ETag` in answers, `If-Match` in changes, so that the second editor hears of the first.

use armada_runtime::Error;
use axum::{
    Json,
    extract::FromRequestParts,
    response::{IntoResponse, Response},
};
use http::{
    HeaderValue, StatusCode,
    header::{ETAG, IF_MATCH},
    request::Parts,
};
use serde::Serialize;

use super::failure::Failure;

/// The version that a change was made from, if the client says so.
pub(crate) struct IfMatch(pub(crate) Option<i32>);

impl<S: Send + Sync> FromRequestParts<S> for IfMatch {
    type Rejection = Failure;

    /// What is no version of ours matches no row.
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let Some(header) = parts.headers.get(IF_MATCH) else { return Ok(Self(None)) };
        Ok(Self(header.to_str().ok().and_then(parse).ok_or_else(Error::version_mismatch)?))
    }
}

/// `"3"`, `W/"3"` or `3`; `*` is any version.
pub fn parse(text: &str) -> Option<Option<i32>> {
    let text = text.trim();
    if text == "*" {
        return Some(None);
    }
    let text = text.strip_prefix("W/").unwrap_or(text);
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    text.parse().ok().map(Some)
}

/// A row with its version as `ETag`.
pub(crate) struct Versioned<T> {
    status: StatusCode,
    version: i32,
    row: T,
}

impl<T> Versioned<T> {
    /// A row that was read or changed.
    pub(crate) fn new(version: i32, row: T) -> Self {
        Self { status: StatusCode::OK, version, row }
    }

    /// A row that was made.
    pub(crate) fn created(version: i32, row: T) -> Self {
        Self { status: StatusCode::CREATED, version, row }
    }
}

impl<T: Serialize> IntoResponse for Versioned<T> {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.row)).into_response();
        if let Ok(tag) = HeaderValue::from_str(&format!("\"{}\"", self.version)) {
            response.headers_mut().insert(ETAG, tag);
        }
        response
    }
}
