//! The console: files that the program hands over, since the edge is built without them.

use std::borrow::Cow;

use armada_runtime::Error;
use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
    header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH},
};

use crate::http::failure::{Answer, Failure};

/// A file of the console.
pub struct ConsoleFile {
    /// What is in it.
    pub content: Cow<'static, [u8]>,
    /// The hash of that.
    pub sha256: [u8; 32],
}

/// The file of a path, e.g. `index.html` or `assets/app-1f3a.js`. None of any when the console was not built.
pub type ConsoleFiles = fn(&str) -> Option<ConsoleFile>;

const INDEX: &str = "index.html";
/// The page of share links, which is none of the console's: who opens it has no account.
const SHARE: &str = "share.html";
/// Its path. What tells one link from another stands behind the `#`, which no browser sends.
const SHARE_PATH: &str = "share";
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
/// The names of what is in here contain a hash of the content.
const HASHED: &str = "assets/";

/// Answers what is no route: a file, or the console's page for its own paths.
pub(crate) async fn serve(State(files): State<ConsoleFiles>, request: Request) -> Answer<Response> {
    let path = request.uri().path().trim_start_matches('/');
    if !matches!(*request.method(), Method::GET | Method::HEAD) || is_of_the_api(path) {
        return Err(Error::not_found().into());
    }
    if let Some(file) = files(path) {
        return Ok(answer(path, file, request.headers()));
    }
    page(files, if path == SHARE_PATH { SHARE } else { INDEX }, request.headers())
}

/// Answers a wrong method. Some pages of the console have the path of a call.
pub(crate) async fn wrong_method(State(files): State<ConsoleFiles>, request: Request) -> Answer<Response> {
    let page_wanted = matches!(*request.method(), Method::GET | Method::HEAD) && accepts_html(request.headers());
    if page_wanted && request.uri().path().starts_with("/auth/") {
        return page(files, INDEX, request.headers());
    }
    Err(Failure::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"))
}

fn page(files: ConsoleFiles, name: &str, headers: &HeaderMap) -> Answer<Response> {
    if !accepts_html(headers) {
        return Err(Error::not_found().into());
    }
    let file = files(name).ok_or_else(|| Failure::new(StatusCode::NOT_FOUND, "console_missing"))?;
    Ok(answer(name, file, headers))
}

fn is_of_the_api(path: &str) -> bool {
    ["api", "ws", ".well-known"].contains(&path.split('/').next().unwrap_or_default())
}

fn accepts_html(headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accept.split(',').any(|kind| kind.trim().starts_with("text/html"))
}

fn answer(path: &str, file: ConsoleFile, headers: &HeaderMap) -> Response {
    let hash: String = file.sha256.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    // Weak, because the same file is sent with and without compression.
    let tag = format!("W/\"{hash}\"");
    let cache = if path.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let known = headers.get(IF_NONE_MATCH).is_some_and(|seen| seen.as_bytes() == tag.as_bytes());
    let head = [(CACHE_CONTROL, cache.to_owned()), (ETAG, tag)];
    if known {
        return (StatusCode::NOT_MODIFIED, head).into_response();
    }
    let mut response = (head, [(CONTENT_TYPE, kind_of(path))], file.content).into_response();
    if path == SHARE {
        // A search engine has nothing to look for there.
        response.headers_mut().insert(ROBOTS, HeaderValue::from_static("noindex, nofollow"));
    }
    response
}

fn kind_of(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
