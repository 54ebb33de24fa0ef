//! A session at the edge: what ends with it, and who may renew it.

use armada_bff::Config;
use armada_testkit::{Api, Kind, Reply, both_databases, eventually};
use http::{Method, StatusCode};
use serde_json::json;

use crate::support::{self, SOON, Site, text};

/// Sent as one of our own pages does.
async fn post(api: &Api, path: &str, base: &str) -> anyhow::Result<Reply> {
    api.request(Method::POST, path, &[("origin", base)], None).await
}

/// The value of the cookie that an answer sets.
fn cookie_of(reply: &Reply) -> String {
    let header = reply.headers["set-cookie"].to_str().expect("a cookie of ASCII");
    header.split(';').next().expect("a value").to_owned()
}

both_databases! {
    async fn signing_out_ends_the_token_and_the_sockets_of_the_session(kind: Kind) -> anyhow::Result<()> {
        // What a socket may show is looked up once an hour: it is not that which closes it.
        let site = Site::start_with(kind, Config { visibility_seconds: 3600, ..Config::default() }).await?;
        let base = site.running.http.clone();
        let tenant = site.tenant("acme").await?;
        let elsewhere = site.running.api().sign_in("admin-of-acme@example.com", "correct horse battery").await?;
        let mut socket = tenant.admin.socket("&context=maps").await?;
        let spare = tenant.admin.ticket().await?;
        let other = elsewhere.post("/api/v1/ws-ticket", json!({})).await?.expect(StatusCode::OK);
        let other = elsewhere.url(&format!("/ws?token={}", text(&other["ticket"])));
        let mut other = armada_testkit::Socket::open(&other).await?;

        post(&tenant.admin.api, "/auth/logout", &base).await?.expect(StatusCode::NO_CONTENT);
        assert_eq!(socket.closed(SOON).await?.code, 1008);
        eventually("the access token is refused", SOON, async || {
            let me = tenant.admin.api.get("/api/v1/auth/me").await?;
            anyhow::ensure!(me.status == StatusCode::UNAUTHORIZED, "{}", me.text);
            Ok(())
        })
        .await;
        tenant.admin.api.get("/api/v1/devices").await?.expect(StatusCode::UNAUTHORIZED);
        support::upgrade(&tenant.admin.api, &format!("token={spare}"), &[]).await?.expect(StatusCode::UNAUTHORIZED);

        // The same person's session on another machine goes on.
        other.send(json!({ "type": "ping" })).await?;
        other.wait_for(SOON, |message| message["type"] == "pong").await?;
        elsewhere.get("/api/v1/devices").await?.expect(StatusCode::OK);
        site.running.stop().await
    }

    async fn an_old_cookie_ends_the_session_for_everybody(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let base = site.running.http.clone();
        let credentials = json!({ "email": "owner@example.com", "password": "correct horse battery" });
        let signed_in = Api::new(&base).post("/auth/login", credentials).await?;
        // A client of its own for each call: it sends this cookie and no other.
        let refresh = async |cookie: &str| {
            let headers = [("origin", base.as_str()), ("cookie", cookie)];
            Api::new(&base).request(Method::POST, "/auth/refresh", &headers, None).await
        };
        let stolen = cookie_of(&signed_in);
        let second = refresh(&stolen).await?;
        second.expect(StatusCode::OK);
        // The answer got lost: within the grace the same cookie comes again.
        assert_eq!(cookie_of(&refresh(&stolen).await?), cookie_of(&second));
        let third = refresh(&cookie_of(&second)).await?;
        let token = text(&third.expect(StatusCode::OK)["token"]);

        let replayed = refresh(&stolen).await?;
        replayed.expect(StatusCode::UNAUTHORIZED);
        assert!(replayed.headers["set-cookie"].to_str()?.contains("Max-Age=0"));
        refresh(&cookie_of(&third)).await?.expect(StatusCode::UNAUTHORIZED);
        eventually("the thief's access token is worth nothing", SOON, async || {
            let me = Api::new(&base).with_token(&token).get("/api/v1/auth/me").await?;
            anyhow::ensure!(me.status == StatusCode::UNAUTHORIZED, "{}", me.text);
            Ok(())
        })
        .await;
        site.running.stop().await
    }

    async fn who_is_signed_in_is_told_the_time_zone_of_the_tenant(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("timur").await?;
        let change = json!({ "time_zone": "Asia/Jayapura" });
        site.owner.api.put(&format!("/api/v1/tenants/{}", tenant.id), change).await?.expect(StatusCode::OK);
        let me = tenant.admin.api.get("/api/v1/auth/me").await?.expect(StatusCode::OK);
        assert_eq!(me["time_zone"], "Asia/Jayapura");
        let owner = site.owner.api.get("/api/v1/auth/me").await?.expect(StatusCode::OK);
        assert!(owner.get("time_zone").is_none(), "{owner}");
        site.running.stop().await
    }
}

/// Another port of the same machine is the same site for a cookie, and a page of somebody else all the same.
#[tokio::test(flavor = "multi_thread")]
async fn foreign_origins_cannot_refresh_sessions() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let api = &site.owner.api;
    for origin in ["http://127.0.0.1:1", "http://localhost", "https://evil.example", "null"] {
        for path in ["/auth/refresh", "/auth/logout"] {
            let headers = [("origin", origin), ("content-type", "application/json")];
            let reply = api.request(Method::POST, path, &headers, None).await?;
            assert_eq!(reply.expect(StatusCode::FORBIDDEN)["error"], "forbidden", "{path} {origin}");
            assert!(!reply.headers.contains_key("set-cookie"), "{path} {origin}");
        }
    }
    post(api, "/auth/refresh", &site.running.http).await?.expect(StatusCode::OK);
    site.running.stop().await
}
