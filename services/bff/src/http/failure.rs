//! How errors leave the edge: one JSON body, in the caller's language, whatever went wrong and wherever.

use std::{
    any::Any,
    collections::{BTreeMap, HashMap},
    num::NonZeroU32,
};

use armada_proto::v1::Conflicting;
use armada_runtime::{Code, Error};
use axum::{
    Json,
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use http::{
    HeaderValue, StatusCode,
    header::{ACCEPT_LANGUAGE, CONTENT_LANGUAGE, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER, VARY, WWW_AUTHENTICATE},
};
use serde::Serialize;

use super::language::{self, Language};

/// What a handler returns.
pub(crate) type Answer<T> = Result<T, Failure>;

/// The body of every answer that is an error.
#[derive(Serialize)]
pub(crate) struct ApiError {
    /// For programs, e.g. `not_found`.
    pub(crate) error: String,
    /// For people, in the language of `Accept-Language`.
    pub(crate) message: String,
    /// What is wrong with each field, by its name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) fields: BTreeMap<String, String>,
    /// What has the value already that is wanted, if it is something of one's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) conflicting: Option<Conflicting>,
    /// The limit that was reached, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<u32>,
}

/// When to ask again for what took too long.
const RETRY_SECONDS: u32 = 5;

/// An error on its way out: the status, and what the body will be made of once the language is known.
#[derive(Debug, Clone)]
pub struct Failure {
    status: StatusCode,
    error: Box<Error>,
}

impl Failure {
    /// For what has a status that no [`Code`] stands for.
    pub(crate) fn new(status: StatusCode, code: &str) -> Self {
        Self { status, error: Box::new(Error::new(Code::Invalid, code, code)) }
    }

    /// What a bare status says, for answers that were not made here.
    fn of_status(status: StatusCode) -> Self {
        let code = match status {
            StatusCode::BAD_REQUEST => "malformed",
            StatusCode::UNAUTHORIZED => "unauthenticated",
            StatusCode::FORBIDDEN => "forbidden",
            StatusCode::NOT_FOUND => "not_found",
            StatusCode::METHOD_NOT_ALLOWED => "method_not_allowed",
            StatusCode::REQUEST_TIMEOUT => "request_timeout",
            StatusCode::PAYLOAD_TOO_LARGE => "body_too_large",
            StatusCode::UNSUPPORTED_MEDIA_TYPE => "unsupported_media_type",
            StatusCode::UPGRADE_REQUIRED => "upgrade_required",
            StatusCode::SERVICE_UNAVAILABLE => "unavailable",
            status if status.is_server_error() => "internal",
            _ => "invalid",
        };
        let mut failure = Self::new(status, code);
        failure.error.retry_after = (status == StatusCode::SERVICE_UNAVAILABLE).then_some(RETRY_SECONDS);
        failure
    }

    /// The error itself.
    pub fn error(&self) -> &Error {
        &self.error
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { status: error.class.http_status(), error: Box::new(error) }
    }
}

impl From<tonic::Status> for Failure {
    fn from(status: tonic::Status) -> Self {
        Error::from(status).into()
    }
}

impl IntoResponse for Failure {
    /// Without a body: [`render`] writes it.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// The answer to a handler's panic.
pub(crate) fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    Failure::from(Error::internal(format!("a handler panicked: {}", text.unwrap_or("no text")))).into_response()
}

/// Writes the body of every failure in the language of the request.
pub(crate) async fn render(request: Request, next: Next) -> Response {
    let language = Language::wanted(request.headers().get(ACCEPT_LANGUAGE));
    let subject = subject(request.uri().path()).to_owned();
    let mut response = next.run(request).await;
    let failure = match response.extensions_mut().remove::<Failure>() {
        Some(failure) => failure,
        None if is_bare(&response) => Failure::of_status(response.status()),
        None => return response,
    };
    response.headers_mut().remove(CONTENT_LENGTH);
    response.headers_mut().remove(CONTENT_TYPE);
    let (mut parts, _) = response.into_parts();
    parts.status = failure.status;
    parts.headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(language.tag()));
    parts.headers.append(VARY, HeaderValue::from_static("accept-language"));
    if failure.status == StatusCode::UNAUTHORIZED {
        parts.headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if let Some(seconds) = failure.error.retry_after {
        parts.headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    let body = localized(language, &subject, &failure.error);
    (parts, Json(body)).into_response()
}

/// An error that some part of the HTTP stack answered with a text of its own.
fn is_bare(response: &Response) -> bool {
    let json =
        response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    !json && (response.status().is_client_error() || response.status().is_server_error())
}

/// An error about `subject` as people read it.
pub(crate) fn localized(language: Language, subject: &str, error: &Error) -> ApiError {
    let in_the_way = error.conflicting.as_ref().map_or("", |conflicting| conflicting.name.as_str());
    let message = |name: &str, code: &str| language::field(language, name, code).replace("{name}", in_the_way);
    let fields = error.fields.iter().map(|(name, code)| (name.clone(), message(name, code)));
    ApiError {
        error: error.code.clone(),
        message: language::message(language, subject, error),
        fields: fields.collect(),
        conflicting: error.conflicting.as_deref().cloned(),
        limit: error.limit.map(NonZeroU32::get),
    }
}

/// The same of one thing among many, as a service tells it: its code, what is wrong with its fields, what is in its way.
pub(crate) fn localized_item(
    language: Language,
    subject: &str,
    code: &str,
    fields: HashMap<String, String>,
    conflicting: Option<Conflicting>,
    limit: Option<u32>,
) -> ApiError {
    let (conflicting, limit) = (conflicting.map(Box::new), limit.and_then(NonZeroU32::new));
    localized(language, subject, &Error { fields, conflicting, limit, ..Error::new(Code::Invalid, code, "") })
}

/// What a path is about: `devices` of `/api/v1/devices/{id}`, `auth` of `/auth/login`.
pub fn subject(path: &str) -> &str {
    let path = path.strip_prefix("/api/v1").unwrap_or(path);
    path.split('/').nth(1).unwrap_or_default()
}
