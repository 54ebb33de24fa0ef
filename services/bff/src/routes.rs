//! All routes and what stands around them. A route and its part of the OpenAPI document are one declaration.

use std::time::Duration;

use armada_runtime::{Error, Result};
use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, State},
    middleware,
    response::{Html, IntoResponse},
    routing::get,
};
use http::{
    StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};
use serde_json::json;
use tower_http::{catch_panic::CatchPanicLayer, compression::CompressionLayer, timeout::TimeoutLayer};
use utoipa::{
    PartialSchema,
    openapi::{
        InfoBuilder, OpenApi, OpenApiBuilder, RefOr, Schema,
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
        tag::TagBuilder,
    },
};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    account, audit, console, devices, docs_page,
    edge::Edge,
    failure::{self, ApiError},
    headers, imei_assignments, imei_claims,
    input::BODY_MAX,
    limits, observe, oidc, permissions, positions, registration, roles, sessions, socket, socket_document,
    tenant_gateways, tenants, tickets, track, users,
};

/// How long a request may take until the head of its answer.
const TIME_LIMIT: Duration = Duration::from_secs(30);

const TAGS: [(&str, &str); 11] = [
    ("auth", "Signing in and staying signed in, registering, and the links of mails."),
    ("account", "One's own profile, password, sessions and second factor."),
    ("tenants", "The customers of the platform."),
    ("users", "The people who sign in."),
    ("roles", "Sets of permissions under a name, within a tenant."),
    ("permissions", "What there is to be allowed or denied, the same for all tenants."),
    ("audit", "Who did what, in a chain that shows when it was tampered with."),
    ("devices", "Vehicles with their trackers."),
    ("imeis", "Whose trackers they are: claims, promises, and gateways of one tenant. For platform owners."),
    ("positions", "Where the vehicles are and were."),
    ("live", "What moves, as it moves: a WebSocket and the ticket for it."),
];

/// Routes that answer with secrets are not compressed: the length of an answer would tell of them.
fn secret() -> OpenApiRouter<Edge> {
    OpenApiRouter::new()
        .routes(routes!(sessions::login))
        .routes(routes!(sessions::refresh))
        .routes(routes!(sessions::logout))
        .routes(routes!(oidc::start))
        .routes(routes!(oidc::callback))
        .routes(routes!(oidc::code))
        .routes(routes!(account::set_up_totp))
        .routes(routes!(account::confirm_totp))
        .routes(routes!(account::renew_recovery_codes))
        .routes(routes!(users::send_link))
        .routes(routes!(tickets::give))
}

fn api() -> OpenApiRouter<Edge> {
    OpenApiRouter::new()
        .routes(routes!(sessions::options))
        .routes(routes!(sessions::me))
        .merge(registration())
        .merge(account())
        .routes(routes!(tenants::list, tenants::create))
        .routes(routes!(tenants::export))
        .routes(routes!(tenants::summary))
        .routes(routes!(tenants::get, tenants::update, tenants::delete))
        .routes(routes!(tenants::restore))
        .routes(routes!(tenants::erase))
        .merge(people())
        .routes(routes!(permissions::list, permissions::create))
        .routes(routes!(permissions::update, permissions::delete))
        .routes(routes!(audit::list))
        .routes(routes!(audit::export))
        .routes(routes!(audit::verify))
        .routes(routes!(devices::list, devices::create))
        .routes(routes!(devices::export))
        .routes(routes!(devices::get, devices::update, devices::delete))
        .merge(imeis())
        .routes(routes!(track::get))
        .routes(routes!(positions::last))
        .routes(routes!(positions::rejections))
}

fn registration() -> OpenApiRouter<Edge> {
    OpenApiRouter::new()
        .routes(routes!(registration::register))
        .routes(routes!(registration::forgot_password))
        .routes(routes!(registration::get_link))
        .routes(routes!(registration::use_link))
}

fn account() -> OpenApiRouter<Edge> {
    OpenApiRouter::new()
        .routes(routes!(account::get, account::update))
        .routes(routes!(account::change_password))
        .routes(routes!(account::reauthenticate))
        .routes(routes!(account::sessions, account::end_other_sessions))
        .routes(routes!(account::end_session))
        .routes(routes!(account::remove_totp))
}

fn imeis() -> OpenApiRouter<Edge> {
    OpenApiRouter::new()
        .routes(routes!(imei_claims::list))
        .routes(routes!(imei_claims::approve))
        .routes(routes!(imei_claims::reject))
        .routes(routes!(imei_assignments::list, imei_assignments::assign))
        .routes(routes!(imei_assignments::remove))
        .routes(routes!(tenant_gateways::list))
        .routes(routes!(tenant_gateways::assign, tenant_gateways::remove))
}

fn people() -> OpenApiRouter<Edge> {
    OpenApiRouter::new()
        .routes(routes!(users::list, users::create))
        .routes(routes!(users::export))
        .routes(routes!(users::summary))
        .routes(routes!(users::get, users::update, users::delete))
        .routes(routes!(users::set_roles))
        .routes(routes!(users::decisions))
        .routes(routes!(roles::list, roles::create))
        .routes(routes!(roles::templates))
        .routes(routes!(roles::get, roles::update, roles::delete))
        .routes(routes!(roles::get_permissions, roles::set_permissions))
}

/// The OpenAPI document of the REST API.
pub fn openapi() -> OpenApi {
    describe(secret().merge(api()).split_for_parts().1)
}

/// Adds what no single route says.
fn describe(mut document: OpenApi) -> OpenApi {
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
    let tags = TAGS.map(|(name, text)| TagBuilder::new().name(name).description(Some(text)).build());
    if let Some(components) = document.components.as_mut() {
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
        components.schemas.insert("ApiError".to_owned(), ApiError::schema());
    }
    socket_document::describe(&mut document);
    limits::describe(&mut document);
    if let Some(components) = document.components.as_mut() {
        components.schemas.values_mut().for_each(without_defaults);
    }
    let info = InfoBuilder::new().title("Armada").version(env!("CARGO_PKG_VERSION")).description(Some(
        "Multi-tenant GPS fleet tracking. docs/API.md tells more, and of the doors on NATS by which positions come in.",
    ));
    OpenApiBuilder::from(document)
        .info(info.build())
        .tags(Some(tags))
        .security(Some([SecurityRequirement::new("bearer", Vec::<String>::new())]))
        .build()
}

/// That an absent field counts as zero or empty is a matter of protobuf; readers of the document would take it for a
/// promise.
fn without_defaults(schema: &mut RefOr<Schema>) {
    let RefOr::T(Schema::Object(object)) = schema else { return };
    for property in object.properties.values_mut() {
        match property {
            RefOr::Ref(property) => property.default = None,
            RefOr::T(Schema::Object(property)) => property.default = None,
            RefOr::T(Schema::Array(property)) => property.default = None,
            RefOr::T(Schema::OneOf(property)) => property.default = None,
            RefOr::T(Schema::AllOf(property)) => property.default = None,
            _ => {}
        }
    }
}

/// Everything on the edge's port.
pub(crate) fn router(edge: &Edge) -> Result<Router> {
    let (secret, document_of_secret) = secret().split_for_parts();
    let (api, mut document) = api().split_for_parts();
    document.merge(document_of_secret);
    let described = serde_json::to_value(describe(document)).map_err(Error::internal)?;
    let compressed =
        api.merge(documents(&described)).fallback(console::serve).layer(CompressionLayer::new().gzip(true));
    let router = compressed
        .merge(secret)
        .route("/ws", get(socket::open))
        .method_not_allowed_fallback(console::wrong_method)
        .with_state(edge.clone())
        .layer(DefaultBodyLimit::max(BODY_MAX))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, TIME_LIMIT))
        .layer(CatchPanicLayer::custom(failure::panicked))
        .layer(middleware::from_fn_with_state(edge.clone(), limits::limit))
        .layer(middleware::from_fn(failure::render))
        .layer(middleware::from_fn_with_state(edge.headers.clone(), headers::set));
    Ok(router.layer(middleware::from_fn_with_state(edge.requests.clone(), observe::observe)))
}

/// The OpenAPI document, a page of it for people, and the public keys that sign access tokens.
fn documents(document: &serde_json::Value) -> Router<Edge> {
    let page = docs_page::render(document);
    let document = document.to_string();
    let style = ([(CONTENT_TYPE, "text/css; charset=utf-8")], docs_page::STYLE);
    let keys = async |State(edge): State<Edge>| {
        ([(CACHE_CONTROL, "public, max-age=300")], Json(json!({ "keys": edge.verifier.keys.user_keys() })))
            .into_response()
    };
    Router::new()
        .route("/api/openapi.json", get(async move || ([(CONTENT_TYPE, "application/json")], document)))
        .route("/api/docs", get(async move || Html(page)))
        .route("/api/docs.css", get(async move || style))
        .route("/.well-known/jwks.json", get(keys))
}
