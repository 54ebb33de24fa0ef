//! One's own account over HTTP, and from where somebody comes.

use armada_bff::Config;
use armada_testkit::{Api, Kind, both_databases, eventually};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{OWNER, PASSWORD, SOON, Site, text};

async fn sign_in(api: &Api, headers: &[(&str, &str)]) -> anyhow::Result<Api> {
    let body = json!({ "email": OWNER, "password": PASSWORD });
    let reply = api.request(Method::POST, "/auth/login", headers, Some(&body)).await?;
    Ok(api.with_token(&text(&reply.expect(StatusCode::OK)["token"])))
}

async fn sessions(api: &Api) -> anyhow::Result<Vec<Value>> {
    let list = api.get("/api/v1/account/sessions").await?.expect(StatusCode::OK);
    Ok(list["items"].as_array().unwrap().clone())
}

fn current(sessions: &[Value]) -> &Value {
    sessions.iter().find(|session| session["is_current"] == true).unwrap()
}

/// What one browser of a person chooses, the other one finds.
async fn chooses_a_preference(api: &Api, other: &Api) -> anyhow::Result<()> {
    const PATH: &str = "/api/v1/account/preferences/dashboard";
    let none = json!({ "key": "dashboard" });
    assert_eq!(api.get(PATH).await?.expect(StatusCode::OK), none);
    let chosen = json!({ "key": "dashboard", "value": { "order": ["today", "\u{2028}\n"], "hidden": [] } });
    let body = json!({ "value": chosen["value"], "key": "another" });
    assert_eq!(api.put(PATH, body).await?.expect(StatusCode::OK), chosen);
    assert_eq!(other.get(PATH).await?.expect(StatusCode::OK), chosen);
    let refused = api.put(PATH, json!({ "value": [1] })).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused["fields"]["value"], "Jenis nilainya salah.");
    assert_eq!(other.put(PATH, json!({ "value": null })).await?.expect(StatusCode::OK), none);
    assert_eq!(api.get(PATH).await?.expect(StatusCode::OK), none);
    Ok(())
}

both_databases! {
    async fn sessions_are_seen_and_ended(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let agent = format!("Browser/1.0 é {}", "x".repeat(300));
        let api = sign_in(&site.running.api(), &[("user-agent", &agent)]).await?;
        let other = sign_in(&site.running.api(), &[]).await?;
        let seen = sessions(&api).await?;
        let own = current(&seen);
        let shown = text(&own["user_agent"]);
        assert!(shown.starts_with("Browser/1.0 ") && shown.len() == 200 && shown.is_ascii(), "{shown}");
        assert_eq!(own["address"], "127.0.0.1");
        assert_eq!(seen.len(), 3, "{seen:?}");

        let theirs = text(&current(&sessions(&other).await?)["id"]);
        let path = format!("/api/v1/account/sessions/{theirs}");
        api.delete(&path).await?.expect(StatusCode::NO_CONTENT);
        api.delete(&path).await?.expect(StatusCode::NOT_FOUND);
        eventually("the ended session is refused", SOON, async || {
            let me = other.get("/api/v1/auth/me").await?;
            anyhow::ensure!(me.status == StatusCode::UNAUTHORIZED, "{}", me.text);
            Ok(())
        })
        .await;
        api.delete("/api/v1/account/sessions").await?.expect(StatusCode::NO_CONTENT);
        assert_eq!(sessions(&api).await?.len(), 1);
        site.running.stop().await
    }

    async fn a_profile_and_a_password_are_changed(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let api = &site.owner.api;
        let change = json!({ "name": "Ibu Sri", "phone": "0812", "locale": "jv", "email": "other@example.com" });
        let profile = api.put("/api/v1/account", change).await?.expect(StatusCode::OK);
        for (name, wanted) in [("name", "Ibu Sri"), ("locale", "jv"), ("email", OWNER)] {
            assert_eq!(profile[name], wanted, "{profile}");
        }
        let other = sign_in(&site.running.api(), &[]).await?;
        chooses_a_preference(api, &other).await?;
        let wrong = json!({ "current_password": "not the password", "new_password": "a new long password" });
        let refused = api.post("/api/v1/account/password", wrong).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert!(refused["fields"]["current_password"].is_string(), "{refused}");
        let right = json!({ "current_password": PASSWORD, "new_password": "a new long password" });
        api.post("/api/v1/account/password", right).await?.expect(StatusCode::NO_CONTENT);
        api.get("/api/v1/auth/me").await?.expect(StatusCode::OK);
        eventually("the other session is refused", SOON, async || {
            let me = other.get("/api/v1/auth/me").await?;
            anyhow::ensure!(me.status == StatusCode::UNAUTHORIZED, "{}", me.text);
            Ok(())
        })
        .await;
        site.running.stop().await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_trusted_proxies_say_where_somebody_comes_from() -> anyhow::Result<()> {
    for (trusted, wanted) in [(vec![], "127.0.0.1"), (vec!["127.0.0.0/8".to_owned()], "203.0.113.7")] {
        let config = Config { trusted_proxies: trusted, ..Config::default() };
        let site = Site::start_with(Kind::Sqlite, config).await?;
        let forwarded = [("x-forwarded-for", "198.51.100.1, 203.0.113.7, 127.0.0.9")];
        let api = sign_in(&site.running.api(), &forwarded).await?;
        assert_eq!(current(&sessions(&api).await?)["address"], wanted);
        site.running.stop().await?;
    }
    Ok(())
}

/// The browser itself is at these addresses: whatever goes wrong must end on a page.
#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_by_a_provider_that_fails_ends_on_our_page() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let api = site.running.api();
    for path in [
        "/auth/oidc/start?next=/maps",
        "/auth/oidc/start?next=//evil.example",
        "/auth/oidc/callback",
        "/auth/oidc/callback?code=x&state=y",
        "/auth/oidc/callback?error=access_denied",
    ] {
        let reply = api.get(path).await?;
        reply.expect(StatusCode::SEE_OTHER);
        let to = reply.headers["location"].to_str()?;
        assert!(to.starts_with("/auth/login?error=") && !to.contains("evil"), "{path}: {to}");
        assert!(!reply.text.contains("token"), "{path}");
    }
    let cookie = "armada_oidc=forged:%2Fmaps";
    let reply = api.request(Method::GET, "/auth/oidc/callback?code=x&state=y", &[("cookie", cookie)], None).await?;
    assert!(reply.headers["location"].to_str()?.ends_with("&next=%2Fmaps"), "{:?}", reply.headers);
    let gone = reply.headers["set-cookie"].to_str()?;
    assert!(gone.starts_with("armada_oidc=;") && gone.contains("Max-Age=0"), "{gone}");
    site.running.stop().await
}
