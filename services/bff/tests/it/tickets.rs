//! Tickets of the live socket: one use, thirty seconds, our own pages.

use armada_bff::Config;
use armada_testkit::{Kind, Reply, Socket, eventually};
use http::StatusCode;

use crate::support::{self, SOON, Site, comparable, upgrade};

fn assert_refused(what: &str, reply: &Reply) {
    assert_eq!(reply.expect(StatusCode::UNAUTHORIZED)["error"], "unauthenticated", "{what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_opens_one_socket() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let api = site.running.api();
    let ticket = site.owner.ticket().await?;
    let url = api.url(&format!("/ws?token={ticket}&userId=&context="));
    Socket::open(&url).await?.close().await?;
    let used = upgrade(&api, &format!("token={ticket}"), &[]).await?;
    assert_refused("used", &used);
    let token = site.owner.api.sign_in("owner@example.com", "correct horse battery").await?;
    let session = {
        let body = serde_json::json!({ "email": "owner@example.com", "password": "correct horse battery" });
        support::text(&token.post("/auth/login", body).await?.expect(StatusCode::OK)["token"])
    };
    for query in [
        String::new(),
        "token=".to_owned(),
        "token=x".to_owned(),
        "token=a.b.c".to_owned(),
        format!("token={session}"),
        format!("token={}", site.world.platform_owner().await.token),
        format!("token={}x", site.owner.ticket().await?),
        format!("token={}", "x".repeat(20_000)),
    ] {
        let refused = upgrade(&api, &query, &[]).await?;
        assert_refused(&query, &refused);
        assert_eq!(comparable(&refused), comparable(&used), "{query}");
    }
    site.running.stop().await
}

/// However many edges are asked at the same time.
#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_opens_one_socket_in_a_race() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let api = site.running.api();
    let ticket = site.owner.ticket().await?;
    let url = api.url(&format!("/ws?token={ticket}"));
    let opened = futures::future::join_all((0..20).map(|_| Socket::open(&url))).await;
    assert_eq!(opened.iter().filter(|socket| socket.is_ok()).count(), 1);
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_expires() -> anyhow::Result<()> {
    let site = Site::start_with(Kind::Sqlite, Config { ticket_seconds: 1, ..Config::default() }).await?;
    let api = site.running.api();
    let (early, late) = (site.owner.ticket().await?, site.owner.ticket().await?);
    Socket::open(&api.url(&format!("/ws?token={early}"))).await?.close().await?;
    let issued = std::time::Instant::now();
    eventually("a second passes", SOON, async || {
        anyhow::ensure!(issued.elapsed() > std::time::Duration::from_secs(1));
        Ok(())
    })
    .await;
    assert_refused("expired", &upgrade(&api, &format!("token={late}"), &[]).await?);
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn foreign_origins_cannot_open_sockets() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let api = site.running.api();
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1", ""] {
        let ticket = site.owner.ticket().await?;
        let reply = upgrade(&api, &format!("token={ticket}"), &[("origin", origin)]).await?;
        assert_refused(origin, &reply);
    }
    let ticket = site.owner.ticket().await?;
    let url = api.url(&format!("/ws?token={ticket}"));
    Socket::open_with(&url, &[("origin", &site.running.http)]).await?.close().await?;
    let ticket = site.owner.ticket().await?;
    let plain = api.get(&format!("/ws?token={ticket}")).await?;
    assert_eq!(plain.expect(StatusCode::UPGRADE_REQUIRED)["error"], "upgrade_required");
    site.running.stop().await
}
