//! All routes and what stands around them: those that the contract says, and those whose handlers are written by hand.

use std::time::Duration;

use armada_runtime::{Error, Result, Verifier, health::Health};
use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, State},
    middleware,
    response::{Html, IntoResponse},
    routing::{get, post},
};
use http::{
    StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};
use serde_json::json;
use tower_http::{
    CompressionLevel, catch_panic::CatchPanicLayer, compression::CompressionLayer, timeout::TimeoutLayer,
};

use crate::{
    auth::{oidc, sessions},
    http::{body::BODY_MAX, failure, headers, names, observe},
    import::{FILE_MAX, report},
    limits,
    live::{self, tickets, visit},
    maps::{catalogue, files as map_files, tiles},
    pages::{console, docs_page},
    resources::{files, generated, imports, jobs, track},
    state::AppState,
};

/// How long a request may take until the head of its answer.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Routes that answer with secrets are not compressed: the length of an answer would tell of them.
fn secret() -> Router<AppState> {
    generated::secret_routes()
        .route("/auth/login", post(sessions::login))
        .route("/auth/refresh", post(sessions::refresh))
        .route("/auth/logout", post(sessions::logout))
        .route("/auth/oidc/start", get(oidc::start))
        .route("/auth/oidc/callback", get(oidc::callback))
        .route("/auth/oidc/code", post(oidc::code))
        .route("/api/v1/ws-ticket", post(tickets::issue))
        .route("/api/v1/shared-view", post(visit::view))
        .route("/api/v1/map-sources", get(catalogue::list))
}

fn api() -> Router<AppState> {
    // Files are larger than what people type.
    let imports = imports::import_routes().layer(DefaultBodyLimit::max(FILE_MAX));
    // A track is long and has someone waiting for it: to compress it as well as other answers takes longer than to send it.
    let quickly = CompressionLayer::new().gzip(true).quality(CompressionLevel::Fastest);
    generated::routes()
        .merge(imports)
        .route("/api/v1/devices/{id}/track", get(track::get).layer(quickly))
        .route("/api/v1/jobs", get(jobs::list))
        .route("/api/v1/jobs/{service}/{id}", get(jobs::get))
        .route("/api/v1/jobs/{service}/{id}/items", get(jobs::list_items))
        .route("/api/v1/jobs/{service}/{id}/cancel", post(jobs::cancel))
        .route("/api/v1/jobs/{service}/{id}/undo", post(jobs::undo))
        .route("/api/v1/jobs/{service}/{id}/import-report", get(report::get))
}

/// Whether requests shall be sent here, for whoever shares them among several; why not, the admin port says.
async fn readyz(health: Health) -> (StatusCode, &'static str) {
    match health.is_ready() {
        true => (StatusCode::OK, "ready\n"),
        false => (StatusCode::SERVICE_UNAVAILABLE, "not ready\n"),
    }
}

/// Everything on the edge's port.
pub(crate) fn router(state: &AppState, health: Health) -> Result<Router> {
    let compressed = api().merge(documents()?).fallback(console::serve).layer(CompressionLayer::new().gzip(true));
    let router = compressed
        .merge(secret())
        .route("/ws", get(live::open))
        .route("/ws/shared", get(visit::open))
        // What it is was compressed by whoever made it.
        .route("/api/v1/files/{id}/content", get(files::content))
        .route("/api/v1/map-sources/{id}/{z}/{x}/{y}", get(tiles::tile))
        .route("/api/v1/map-sources/{id}/file", get(map_files::file))
        .method_not_allowed_fallback(console::wrong_method)
        .with_state(state.clone())
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(middleware::from_fn(names::tell_unknown))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, TIME_LIMIT))
        // A file over a slow network takes longer; what comes no more is ended by who takes it in.
        .merge(Router::new().route("/api/v1/files", post(files::upload)).with_state(state.clone()))
        .layer(CatchPanicLayer::custom(failure::panicked))
        .layer(middleware::from_fn_with_state(state.clone(), limits::limit::<AppState>))
        .layer(middleware::from_fn(failure::render))
        // Asked every few seconds from one address, whatever comes from there else.
        .route("/readyz", get(move || readyz(health.clone())))
        .layer(middleware::from_fn_with_state(state.headers.clone(), headers::set));
    Ok(router.layer(middleware::from_fn_with_state(state.requests.clone(), observe::observe)))
}

/// The OpenAPI document, a page of it for people, and the public keys that sign access tokens.
fn documents() -> Result<Router<AppState>> {
    let page = docs_page::render(&serde_json::from_str(armada_openapi::DOCUMENT).map_err(Error::internal)?);
    let style = ([(CONTENT_TYPE, "text/css; charset=utf-8")], docs_page::STYLE);
    let keys = async |State(verifier): State<Verifier>| {
        ([(CACHE_CONTROL, "public, max-age=300")], Json(json!({ "keys": verifier.keys.user_keys() }))).into_response()
    };
    Ok(Router::new()
        .route("/api/openapi.json", get(async || ([(CONTENT_TYPE, "application/json")], armada_openapi::DOCUMENT)))
        .route("/api/docs", get(async move || Html(page)))
        .route("/api/docs.css", get(async move || style))
        .route("/.well-known/jwks.json", get(keys)))
}
