//! Clients that are slow on purpose, or many. None of it touches a database: one kind is enough.

use anyhow::{Context as _, Result, ensure};
use armada_testkit::{Api, Kind, Socket, eventually};
use futures::{StreamExt, future::join_all, stream};
use http::StatusCode;
use nix::sys::signal::Signal;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::support::{SOON, site::Site};

/// Begins a request, and waits until the other side closes: what it said until then.
async fn begin(address: &str, text: &str) -> Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    let _ = stream.write_all(text.as_bytes()).await;
    let mut responses = Vec::new();
    // A reset says as much as an end.
    let _ = timeout(SOON, stream.read_to_end(&mut responses)).await.context("the connection stays open")?;
    Ok(String::from_utf8_lossy(&responses).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_never_come_are_not_waited_for() -> Result<()> {
    let mut site = Site::new(Kind::Sqlite).await;
    for (name, value) in [("HEADER_SECONDS", "1"), ("BODY_SECONDS", "1"), ("IDLE_SECONDS", "2")] {
        site.set(&format!("ARMADA_BFF__LIMITS__{name}"), value);
    }
    let armada = site.run().await;
    let unfinished = "GET / HTTP/1.1\r\nhost: fleet.example\r\nx-a: ";
    let slow = join_all((0..300).map(|_| begin(&site.http, unfinished)));
    let (slow, owner) = tokio::join!(slow, site.owner());
    for responses in slow {
        ensure!(!responses?.contains("200 OK"), "nothing was asked");
    }
    owner?.get("/api/v1/devices").await?.expect(StatusCode::OK);
    ensure!(begin(&site.http, "").await?.is_empty(), "nothing was said");
    // One that asked before, and then waits.
    let idle = begin(&site.http, "GET /api/docs.css HTTP/1.1\r\nhost: fleet.example\r\n\r\n").await?;
    ensure!(idle.starts_with("HTTP/1.1 200"), "{idle}");
    let body = "POST /auth/login HTTP/1.1\r\nhost: fleet.example\r\ncontent-type: application/json\r\n\
                accept-language: en\r\ncontent-length: 100\r\n\r\n{";
    let responses = begin(&site.http, body).await?;
    ensure!(responses.starts_with("HTTP/1.1 408") && responses.contains("\"request_timeout\""), "{responses}");
    armada.stop(Signal::SIGTERM).await?;
    Ok(())
}

/// A request of which all has come but the end, which never does.
async fn all_but_the_end(address: &str, head: &str, body: usize) -> Result<String> {
    let mut stream = TcpStream::connect(address).await?;
    let _ = stream.write_all(head.as_bytes()).await;
    let _ = stream.write_all(&vec![b'a'; body]).await;
    let mut answer = vec![0; 64];
    let read = timeout(SOON, stream.read(&mut answer)).await.context("no answer")?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&answer[..read]).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_in_part_takes_little() -> Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let armada = site.run().await;
    let owner = site.owner().await?;
    let before = armada.peak_memory()?;
    let megabyte = 1 << 20;
    let login = format!(
        "POST /auth/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: {megabyte}\r\n\r\n"
    );
    let logins = join_all((0..300).map(|_| all_but_the_end(&site.http, &login, megabyte - 1_024)));
    let heads = join_all((0..300).map(|_| all_but_the_end(&site.http, "GET / HTTP/1.1\r\nhost: a\r\nx-a: ", 400_000)));
    let (logins, heads, still) = tokio::join!(logins, heads, owner.get("/api/v1/devices"));
    still?.expect(StatusCode::OK);
    for answer in logins {
        // Or the connection was reset while the rest of it was on its way.
        let answer = answer?;
        ensure!(answer.is_empty() || answer.starts_with("HTTP/1.1 413"), "{answer}");
    }
    for answer in heads {
        let answer = answer?;
        ensure!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{answer}");
    }
    let more = armada.peak_memory()?.saturating_sub(before);
    ensure!(more < 100 << 20, "{} MB more", more >> 20);
    armada.stop(Signal::SIGTERM).await?;
    Ok(())
}

/// HTTP/2 by prior knowledge (RFC 9113, section 3.3): its streams would be under none of the limits of connections.
#[tokio::test(flavor = "multi_thread")]
async fn the_public_port_speaks_http_1_alone() -> Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let armada = site.run().await;
    let mut stream = TcpStream::connect(&site.http).await?;
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").await?;
    let mut answer = Vec::new();
    let _ = timeout(SOON, stream.read_to_end(&mut answer)).await.context("the connection stays open")?;
    // A server of HTTP/2 begins with a frame of settings, whose type is 4.
    ensure!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 "), "{answer:?}");
    armada.stop(Signal::SIGTERM).await?;
    Ok(())
}

/// What an answer did not need of its request does not stand in the way of the next one.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_nobody_reads_leaves_the_connection_open() -> Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let armada = site.run().await;
    let mut stream = TcpStream::connect(&site.http).await?;
    stream.write_all(b"POST /api/v1/ws-ticket HTTP/1.1\r\nhost: a\r\ncontent-length: 40000\r\n\r\n").await?;
    stream.write_all(&[b' '; 40_000]).await?;
    stream.write_all(b"GET /auth/options HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").await?;
    let mut answers = Vec::new();
    timeout(SOON, stream.read_to_end(&mut answers)).await.context("the connection stays open")??;
    let answers = String::from_utf8_lossy(&answers);
    ensure!(answers.starts_with("HTTP/1.1 401") && answers.contains("HTTP/1.1 200 OK"), "{answers}");
    armada.stop(Signal::SIGTERM).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_has_so_many_connections() -> Result<()> {
    let mut site = Site::new(Kind::Sqlite).await;
    site.set("ARMADA_BFF__LIMITS__CONNECTIONS_PER_ADDRESS", "20");
    let armada = site.run().await;
    let mut open = Vec::new();
    for _ in 0..20 {
        open.push(TcpStream::connect(&site.http).await?);
    }
    // However many were there already, one more than these is not admitted.
    ensure!(begin(&site.http, "GET / HTTP/1.1\r\nhost: a\r\n\r\n").await?.is_empty());
    drop(open);
    eventually("places are free again", SOON, async || {
        let api = Api::new(&format!("http://{}", site.http));
        ensure!(api.get("/auth/options").await?.status == StatusCode::OK);
        Ok(())
    })
    .await;
    armada.stop(Signal::SIGTERM).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn flood_of_one_tenant_does_not_slow_others() -> Result<()> {
    let mut site = Site::new(Kind::Sqlite).await;
    site.set("ARMADA_BFF__LIMITS__USER_RATE", "1");
    site.set("ARMADA_BFF__LIMITS__USER_BURST", "300");
    site.set("ARMADA_BFF__LIMITS__SOCKETS_PER_USER", "2");
    let armada = site.run().await;
    let owner = site.owner().await?;
    let admin = async |name: &str| -> Result<Api> {
        let tenant = owner.post("/api/v1/tenants", json!({ "name": name })).await?.expect(StatusCode::CREATED);
        let email = format!("{name}@example.org");
        let user = json!({ "tenant_id": tenant["id"], "name": name, "email": email, "is_tenant_admin": true });
        site.invited(&owner, user, "correct horse battery").await?;
        site.sign_in(&email, "correct horse battery").await
    };
    let (loud, quiet) = (admin("loud").await?, admin("quiet").await?);
    let asked = stream::iter(0..400).map(|_| {
        let loud = loud.clone();
        async move { loud.request(http::Method::GET, "/api/v1/devices", &[("accept-language", "en")], None).await }
    });
    let answers: Vec<_> = asked.buffer_unordered(16).collect().await;
    let refused: Vec<_> = answers.into_iter().flatten().filter(|reply| reply.status != StatusCode::OK).collect();
    ensure!(refused.len() > 100, "{}", refused.len());
    for reply in &refused {
        let body = reply.expect(StatusCode::TOO_MANY_REQUESTS);
        ensure!(body["error"] == "too_many_requests" && body["message"] == "Too many requests. Try again shortly.");
        ensure!(reply.headers["retry-after"].to_str()?.parse::<u32>()? >= 1);
    }
    // Their neighbours sign in, ask and look at the map meanwhile.
    let quiet = quiet.sign_in("quiet@example.org", "correct horse battery").await?;
    quiet.get("/api/v1/devices").await?.expect(StatusCode::OK);
    let open = async || -> Result<Socket> {
        let ticket = quiet.post("/api/v1/ws-ticket", json!({})).await?.expect(StatusCode::OK);
        let ticket = ticket["ticket"].as_str().context("a ticket")?.to_owned();
        Socket::open(&quiet.url(&format!("/ws?token={ticket}&context=maps"))).await
    };
    let (mut first, second) = (open().await?, open().await?);
    first.send(json!({ "type": "ping" })).await?;
    first.wait_for(SOON, |message| message["type"] == "pong").await?;
    let third = open().await.err().context("a user has so many sockets")?;
    ensure!(third.to_string().contains("429"), "{third:#}");
    second.close().await?;
    eventually("a socket that was closed leaves its place", SOON, async || open().await?.close().await).await;
    armada.stop(Signal::SIGTERM).await?;
    Ok(())
}
