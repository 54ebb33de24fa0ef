//! What every route of the edge has in common: headers, errors and their languages, limits, versions.

use armada_testkit::{Api, Kind, Reply};
use http::{HeaderMap, Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Site, comparable, text};

const NOWHERE: &str = "01900000-0000-7000-8000-000000000000";

fn assert_headers(what: &str, headers: &HeaderMap) {
    let of = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default()).unwrap_or_default();
    let policy = of("content-security-policy");
    for wanted in ["default-src 'self'", "script-src 'self'", "frame-ancestors 'none'", "object-src 'none'"] {
        assert!(policy.contains(wanted), "{what}: {policy}");
    }
    assert!(!policy.contains("unsafe"), "{what}: {policy}");
    assert_eq!(of("x-content-type-options"), "nosniff", "{what}");
    assert_eq!(of("referrer-policy"), "no-referrer", "{what}");
    assert_eq!(of("cross-origin-opener-policy"), "same-origin", "{what}");
    assert!(!of("cache-control").is_empty(), "{what}");
    assert!(!of("x-request-id").is_empty(), "{what}");
    assert!(headers.get("access-control-allow-origin").is_none(), "{what}");
}

fn assert_error(what: &str, reply: &Reply, status: StatusCode, code: &str) -> Value {
    let body = reply.expect(status);
    assert_eq!(reply.headers["content-type"], "application/json", "{what}");
    assert_eq!(reply.headers["cache-control"], "no-store", "{what}");
    assert_eq!(body["error"], code, "{what}: {body}");
    assert!(!text(&body["message"]).is_empty(), "{what}: {body}");
    body
}

/// Every route of the document, called without a token and without a body.
#[tokio::test(flavor = "multi_thread")]
async fn every_route_requires_sign_in_and_sets_headers() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let anonymous = site.running.api();
    let document = anonymous.get("/api/openapi.json").await?.expect(StatusCode::OK);
    assert_eq!(document, serde_json::from_str::<Value>(armada_openapi::DOCUMENT)?);
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            let what = format!("{method} {path}");
            let method: Method = method.to_uppercase().parse()?;
            let asked = path.replace("{id}", NOWHERE).replace("{key}", "user:list");
            let reply = anonymous.request(method, &asked, &[], Some(&json!({}))).await?;
            assert_headers(&what, &reply.headers);
            assert_eq!(reply.headers["cache-control"], "no-store", "{what}");
            match path.as_str() {
                "/auth/login" => {
                    drop(assert_error(&what, &reply, StatusCode::UNPROCESSABLE_ENTITY, "login_fields_required"))
                }
                "/auth/options" => drop(reply.expect(StatusCode::OK)),
                "/auth/logout" => drop(reply.expect(StatusCode::NO_CONTENT)),
                "/auth/oidc/start" | "/auth/oidc/callback" => drop(reply.expect(StatusCode::SEE_OTHER)),
                "/auth/oidc/code" => drop(assert_error(&what, &reply, StatusCode::UNAUTHORIZED, "oidc_failed")),
                "/auth/register" | "/auth/forgot-password" => {
                    drop(assert_error(&what, &reply, StatusCode::UNPROCESSABLE_ENTITY, "invalid"))
                }
                "/auth/links" | "/auth/links/use" => {
                    drop(assert_error(&what, &reply, StatusCode::NOT_FOUND, "link_invalid"))
                }
                path if path.starts_with("/api/v1/map-sources/") => {
                    drop(assert_error(&what, &reply, StatusCode::FORBIDDEN, "forbidden"))
                }
                "/api/v1/shared-view" => drop(assert_error(&what, &reply, StatusCode::NOT_FOUND, "share_link_over")),
                _ => drop(assert_error(&what, &reply, StatusCode::UNAUTHORIZED, "unauthenticated")),
            }
        }
    }
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_routes_answer_in_json() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let api = &site.owner.api;
    for path in ["/api", "/api/", "/api/v1/nothing", "/api/v2/devices", "/nothing", "/assets/nothing.js", "/ws/x"] {
        let reply = api.get(path).await?;
        assert_error(path, &reply, StatusCode::NOT_FOUND, "not_found");
        assert_headers(path, &reply.headers);
    }
    for (method, path) in [
        (Method::DELETE, "/api/v1/devices"),
        (Method::PATCH, "/api/v1/devices/x"),
        (Method::POST, "/api/v1/last-positions"),
        (Method::GET, "/auth/refresh"),
        (Method::POST, "/ws"),
        (Method::OPTIONS, "/api/v1/devices"),
    ] {
        let reply = api.request(method.clone(), path, &[], None).await?;
        assert_error(path, &reply, StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed");
        assert_headers(path, &reply.headers);
        assert!(reply.headers.contains_key("allow"), "{method} {path}");
    }
    let reply = api.request(Method::from_bytes(b"BREW")?, "/nothing", &[], None).await?;
    assert_error("BREW", &reply, StatusCode::NOT_FOUND, "not_found");
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn rejects_bad_tokens() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let api = site.running.api();
    let grant = site.world.platform_owner().await.grant.clone();
    let expired = site.world.token(&grant, armada_proto::Timestamp::from_millis(1_000));
    let between_services = {
        let scope = armada_runtime::Scope::Platform;
        let signed = site.running.context.service_key.caller(scope, None)?.sign(());
        signed.metadata().get("authorization").expect("a token").to_str()?.to_owned()
    };
    let ticket = site.owner.ticket().await?;
    for value in [
        "",
        "Bearer",
        "Bearer ",
        "Bearer x.y.z",
        "Basic YTpi",
        &format!("Bearer {expired}"),
        &between_services,
        &format!("Bearer {ticket}"),
    ] {
        let reply = api.request(Method::GET, "/api/v1/devices", &[("authorization", value)], None).await?;
        assert_error(value, &reply, StatusCode::UNAUTHORIZED, "unauthenticated");
        assert_eq!(reply.headers["www-authenticate"], "Bearer");
    }
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_told_in_the_language_of_the_caller() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let api = &site.owner.api;
    let message = async |path: &str, language: &str, body: Value| {
        let reply = api.request(Method::POST, path, &[("accept-language", language)], Some(&body)).await?;
        anyhow::Ok((text(&reply.json()["message"]), reply.headers["content-language"].to_str()?.to_owned()))
    };
    let wrong = json!({ "email": "nobody@example.com", "password": "wrong password" });
    for (path, body, language, wanted) in [
        ("/auth/login", json!({}), "", "Email dan kata sandi wajib diisi."),
        ("/auth/login", json!({ "email": "a@b.example" }), "id-ID,en;q=0.5", "Email dan kata sandi wajib diisi."),
        ("/auth/login", wrong.clone(), "id", "Gagal melakukan login, coba lagi."),
        ("/auth/login", wrong, "en-GB", "Unable to login"),
        ("/api/v1/devices", json!({}), "en", "IMEI and device name are required."),
        ("/api/v1/devices", json!({ "imei": "490154203237518" }), "en", "IMEI and device name are required."),
        ("/api/v1/tenants", json!({}), "en", "Tenant name is required."),
        ("/api/v1/tenants", json!({ "name": " " }), "zh-CN", "租户名称为必填项。"),
        ("/api/v1/tenants", json!({}), "jv", "Nami tenant kedah dipunisi."),
    ] {
        let (found, spoken) = message(path, language, body).await?;
        assert_eq!(found, wanted, "{path} {language}");
        assert!(language.is_empty() || language.starts_with(&spoken), "{language} {spoken}");
    }
    let body = json!({ "imei": "12", "name": "x" });
    let reply = api.request(Method::POST, "/api/v1/devices", &[("accept-language", "en")], Some(&body)).await?;
    let body = assert_error("imei", &reply, StatusCode::UNPROCESSABLE_ENTITY, "invalid");
    assert_eq!(body["fields"]["imei"], "15 digits (an IMEI), or 4 to 32 letters, digits, - or _.");
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_input_is_refused_and_does_no_harm() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let api = &site.owner.api;
    let client = reqwest::Client::builder().no_proxy().build()?;
    let token = api.sign_in("owner@example.com", "correct horse battery").await?;
    let post = async |kind: &str, body: Vec<u8>| {
        let bearer = site.world.platform_owner().await.token.clone();
        let request = client.post(token.url("/api/v1/devices")).bearer_auth(bearer).header("content-type", kind);
        let response = request.body(body).send().await?;
        let (status, headers) = (response.status(), response.headers().clone());
        anyhow::Ok(Reply { status, headers, text: response.text().await? })
    };
    for (kind, body, status, code) in [
        ("application/json", b"{".to_vec(), StatusCode::BAD_REQUEST, "malformed"),
        ("application/json", b"{\"name\":\"\xff\"}".to_vec(), StatusCode::BAD_REQUEST, "malformed"),
        ("application/json", "[".repeat(100_000).into_bytes(), StatusCode::BAD_REQUEST, "malformed"),
        ("application/json", b"[]".to_vec(), StatusCode::UNPROCESSABLE_ENTITY, "invalid"),
        ("application/json", b"{\"max_parking_time\":1e99}".to_vec(), StatusCode::UNPROCESSABLE_ENTITY, "invalid"),
        ("text/plain", b"{}".to_vec(), StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type"),
        ("application/json", vec![b' '; (1 << 20) + 1], StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"),
    ] {
        let reply = post(kind, body).await?;
        assert_error(kind, &reply, status, code);
        assert_headers(kind, &reply.headers);
    }
    for (query, fields) in [
        ("page=-1", vec!["page"]),
        ("page_size=501", vec!["page_size"]),
        ("page=x&page_size=1.5&status=flying", vec!["page", "page_size", "status"]),
        ("sort=password", vec!["sort"]),
        ("sort=name;drop", vec!["sort"]),
    ] {
        let reply = api.get(&format!("/api/v1/devices?{query}")).await?;
        let body = assert_error(query, &reply, StatusCode::UNPROCESSABLE_ENTITY, "invalid");
        assert_eq!(body["fields"].as_object().expect("fields").keys().collect::<Vec<_>>(), fields, "{query}");
    }
    for id in ["x", "%00", "%ff", "%2e%2e%2fusers", "01900000-0000-7000-8000-00000000000g", &"9".repeat(5_000)] {
        let reply = api.get(&format!("/api/v1/devices/{id}")).await?;
        assert!(reply.status.is_client_error(), "{id}: {}", reply.status);
        assert!(reply.json()["error"].is_string(), "{id}: {}", reply.text);
    }
    api.get("/api/v1/devices?page=&page_size=&sort=&q=&status=&userIds=").await?.expect(StatusCode::OK);
    site.running.stop().await
}

/// What nobody knows is passed over, and told; what is misspelt is refused.
#[tokio::test(flavor = "multi_thread")]
async fn unknown_names_are_told() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let api = site.tenant("acme").await?.admin.api;
    let told =
        |reply: &Reply| reply.headers.get("armada-unknown-names").map(|names| names.to_str().unwrap_or("?").to_owned());
    let list = api.get("/api/v1/devices?pageSize=5&foo=1&b%C3%A4r=2&sort=name").await?;
    assert_eq!((list.status, told(&list).as_deref()), (StatusCode::OK, Some("br, foo")));
    let export = api.get("/api/v1/devices/export?format=csv&tz=Asia%2FJakarta&columns=name").await?;
    assert_eq!((export.status, told(&export)), (StatusCode::OK, None));
    let made =
        api.post("/api/v1/drivers", json!({ "name": "Siti", "licenseExpiry": "2027-01-31", "shoe_size": 39 })).await?;
    assert_eq!(told(&made).as_deref(), Some("shoe_size"));
    assert_eq!(made.expect(StatusCode::CREATED)["license_expiry"], "2027-01-31");
    let wrong = api.get("/api/v1/devices?pagesize=5&page_sise=5").await?;
    assert!(
        assert_error("list", &wrong, StatusCode::UNPROCESSABLE_ENTITY, "invalid")["fields"]["page_size"].is_string()
    );
    let wrong = api.post("/api/v1/drivers", json!({ "name": "Budi", "phnoe": "1" })).await?;
    assert!(assert_error("driver", &wrong, StatusCode::UNPROCESSABLE_ENTITY, "invalid")["fields"]["phone"].is_string());
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn second_editor_gets_a_version_conflict() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let admin = site.tenant("acme").await?.admin;
    let device = admin.device(490_154_203_237_518, "Truck", None).await?;
    let path = format!("/api/v1/devices/{}", device.id);
    let put = async |version: &str, name: &str| {
        admin.api.request(Method::PUT, &path, &[("if-match", version)], Some(&json!({ "name": name }))).await
    };
    let seen = admin.api.get(&path).await?;
    let tag = seen.headers["etag"].to_str()?.to_owned();
    assert_eq!(tag, format!("\"{}\"", seen.expect(StatusCode::OK)["row_version"]));
    let changed = put(&tag, "Lorry").await?;
    assert_eq!(changed.expect(StatusCode::OK)["name"], "Lorry");
    assert_ne!(changed.headers["etag"].to_str()?, tag);
    for stale in [&tag, "\"nonsense\"", "0"] {
        assert_error(stale, &put(stale, "Van").await?, StatusCode::PRECONDITION_FAILED, "version_mismatch");
    }
    put("*", "Van").await?.expect(StatusCode::OK);
    let reply = admin.api.request(Method::DELETE, &path, &[("if-match", &tag)], None).await?;
    assert_error("delete", &reply, StatusCode::PRECONDITION_FAILED, "version_mismatch");
    admin.api.delete(&path).await?.expect(StatusCode::NO_CONTENT);
    assert_error("gone", &admin.api.get(&path).await?, StatusCode::NOT_FOUND, "not_found");
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_session_lives_in_a_cookie_that_only_our_pages_can_use() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let fresh = Api::new(&site.running.http);
    let credentials = json!({ "email": "owner@example.com", "password": "correct horse battery" });
    let reply = fresh.post("/auth/login", credentials.clone()).await?;
    let answer = reply.expect(StatusCode::OK);
    let cookie = reply.headers["set-cookie"].to_str()?.to_owned();
    for part in ["armada_refresh=", "HttpOnly", "SameSite=Strict", "Path=/auth", "Max-Age="] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "{cookie}");
    let secret = cookie.split(['=', ';']).nth(1).expect("a value").to_owned();
    assert!(!reply.text.contains(&secret));
    assert_eq!(answer["user"]["is_platform_owner"], true);
    assert_eq!(answer["user"]["email"], "owner@example.com");

    let post = async |path: &str, headers: &[(&str, &str)]| fresh.request(Method::POST, path, headers, None).await;
    for path in ["/auth/refresh", "/auth/logout"] {
        for headers in [
            &[][..],
            &[("origin", "https://evil.example")],
            &[("origin", "null"), ("content-type", "application/json")],
            &[("content-type", "text/plain")],
        ] {
            assert_error(path, &post(path, headers).await?, StatusCode::FORBIDDEN, "forbidden");
        }
    }
    let reply =
        fresh.request(Method::POST, "/auth/login", &[("origin", "https://evil.example")], Some(&credentials)).await?;
    assert_error("login", &reply, StatusCode::FORBIDDEN, "forbidden");

    let own = [("origin", site.running.http.as_str())];
    let renewed = post("/auth/refresh", &own).await?.expect(StatusCode::OK);
    fresh.with_token(&text(&renewed["token"])).get("/api/v1/auth/me").await?.expect(StatusCode::OK);
    post("/auth/refresh", &[("content-type", "application/json")]).await?.expect(StatusCode::OK);
    let gone = post("/auth/logout", &own).await?;
    gone.expect(StatusCode::NO_CONTENT);
    assert!(gone.headers["set-cookie"].to_str()?.contains("Max-Age=0"));
    assert_error("after", &post("/auth/refresh", &own).await?, StatusCode::UNAUTHORIZED, "unauthenticated");
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn sets_secure_cookies_and_hsts_behind_tls() -> anyhow::Result<()> {
    let config = armada_bff::Config {
        public_url: Some("https://fleet.example".to_owned()),
        trusted_proxies: vec!["127.0.0.1".to_owned()],
        ..Default::default()
    };
    let site = Site::start_with(Kind::Sqlite, config).await?;
    let credentials = json!({ "email": "owner@example.com", "password": "correct horse battery" });
    let origin = [("origin", "https://fleet.example")];
    let reply = site.running.api().request(Method::POST, "/auth/login", &origin, Some(&credentials)).await?;
    reply.expect(StatusCode::OK);
    let cookies: Vec<_> = reply.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()).collect();
    assert_eq!(cookies.len(), 2, "{cookies:?}");
    for cookie in &cookies {
        assert!(
            cookie.starts_with("__Host-armada_") && cookie.contains("; Secure") && cookie.contains("; Path=/;"),
            "{cookie}"
        );
        assert!(cookie.contains("; HttpOnly") && !cookie.contains("Domain"), "{cookie}");
    }
    // Browsers send the name back as it was set; without the prefix it could be another host's.
    let refresh = cookies[0].split(';').next().expect("a value");
    let renew = async |cookie: &str| {
        let headers = [origin[0], ("cookie", cookie)];
        Api::new(&site.running.http).request(Method::POST, "/auth/refresh", &headers, None).await
    };
    renew(refresh.trim_start_matches("__Host-")).await?.expect(StatusCode::UNAUTHORIZED);
    renew(refresh).await?.expect(StatusCode::OK);
    assert_eq!(reply.headers["strict-transport-security"], "max-age=31536000; includeSubDomains");
    assert!(reply.headers["content-security-policy"].to_str()?.contains("wss://fleet.example"));
    let reply = site
        .running
        .api()
        .request(Method::POST, "/auth/login", &[("origin", "http://fleet.example")], Some(&credentials))
        .await?;
    assert_error("plain", &reply, StatusCode::FORBIDDEN, "forbidden");
    site.running.stop().await
}

/// Long answers are compressed, but never one with a secret in it.
#[tokio::test(flavor = "multi_thread")]
async fn long_answers_are_compressed() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let gzip = [("accept-encoding", "gzip")];
    let api = site.running.api();
    let document = api.request(Method::GET, "/api/openapi.json", &gzip, None).await?;
    assert_eq!(document.headers["content-encoding"], "gzip");
    let credentials = json!({ "email": "owner@example.com", "password": "correct horse battery" });
    let session = api.request(Method::POST, "/auth/login", &gzip, Some(&credentials)).await?;
    session.expect(StatusCode::OK);
    assert!(!session.headers.contains_key("content-encoding"));
    site.running.stop().await
}

/// What is for platform owners alone is refused to everybody else.
#[tokio::test(flavor = "multi_thread")]
async fn platform_pages_are_for_platform_owners() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let admin = site.tenant("acme").await?.admin;
    for path in ["/api/v1/tenants", "/api/v1/position-rejections"] {
        assert_error(path, &admin.api.get(path).await?, StatusCode::FORBIDDEN, "forbidden");
        site.owner.api.get(path).await?.expect(StatusCode::OK);
    }
    let query = "/api/v1/position-rejections?page_size=501&before=x";
    let body = assert_error(query, &site.owner.api.get(query).await?, StatusCode::UNPROCESSABLE_ENTITY, "invalid");
    assert_eq!(body["fields"].as_object().expect("fields").len(), 2);
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_and_keys_are_open() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let api = site.running.api();
    let keys = api.get("/.well-known/jwks.json").await?;
    let first = keys.expect(StatusCode::OK)["keys"][0].clone();
    assert_eq!((&first["kty"], &first["crv"], &first["alg"]), (&json!("OKP"), &json!("Ed25519"), &json!("EdDSA")));
    assert!(first.get("d").is_none());
    let page = api.get("/api/docs").await?;
    page.expect(StatusCode::OK);
    assert_headers("docs", &page.headers);
    assert!(page.text.contains("/api/v1/devices/{id}/track") && !page.text.contains("<script"), "{}", page.text);
    assert!(!page.text.contains("style=") && !page.text.contains("<style"), "{}", page.text);
    assert_eq!(api.get("/api/docs.css").await?.headers["content-type"], "text/css; charset=utf-8");
    site.running.stop().await
}

/// Pages of the console share paths with calls; what decides is what the client accepts.
#[tokio::test(flavor = "multi_thread")]
async fn console_serves_remaining_paths() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let api = site.running.api();
    let html = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
    let page = api.request(Method::GET, "/", &html, None).await?;
    assert_headers("/", &page.headers);
    page.expect(StatusCode::OK);
    assert_eq!(page.headers["cache-control"], "no-cache");
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    let tag = page.headers["etag"].to_str()?.to_owned();
    let again = api.request(Method::GET, "/", &[html[0], ("if-none-match", &tag)], None).await?;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    let script = api.request(Method::GET, "/assets/index-1f3a.js", &[("accept-encoding", "gzip")], None).await?;
    assert_headers("a script", &script.headers);
    assert_eq!(script.headers["cache-control"], "public, max-age=31536000, immutable");
    assert_eq!(script.headers["content-type"], "text/javascript; charset=utf-8");
    assert_eq!(script.headers["content-encoding"], "gzip");
    for path in ["/maps", "/auth/login", "/devices/anything"] {
        let other = api.request(Method::GET, path, &html, None).await?;
        assert_eq!((other.status, &other.text), (page.status, &page.text), "{path}");
    }
    for path in ["/maps", "/../Cargo.toml", "/%2e%2e/%2e%2e/Cargo.toml", "/assets/..%2f..%2fpackage.json"] {
        let reply = api.get(path).await?;
        assert_error(path, &reply, StatusCode::NOT_FOUND, "not_found");
    }
    let missing = api.request(Method::GET, "/api/v1/nothing", &html, None).await?;
    assert_error("html of the API", &missing, StatusCode::NOT_FOUND, "not_found");
    assert_eq!(comparable(&missing), comparable(&api.request(Method::GET, "/api/v1/nothing", &html, None).await?));
    site.running.stop().await
}

/// Where the console was not built there is no page, and the answer says so.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_console_the_edge_serves_everything_else() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let names = [armada_identity::NAME, armada_fleet::NAME, armada_notification::NAME, armada_position_ingest::NAME];
    let peers = names.map(|name| (name.to_owned(), site.running.grpc.clone())).into();
    let context = site.world.context_with_peers(&[], peers).await;
    let mut process = site.world.process(&context);
    process.add(armada_bff::build(&context, armada_bff::Config::default(), |_| None).await?);
    let edge = site.world.run(process).await;
    let page = edge.api().request(Method::GET, "/", &[("accept", "text/html")], None).await?;
    assert_error("the page", &page, StatusCode::NOT_FOUND, "console_missing");
    edge.api().get("/api/openapi.json").await?.expect(StatusCode::OK);
    edge.stop().await?;
    site.running.stop().await
}
