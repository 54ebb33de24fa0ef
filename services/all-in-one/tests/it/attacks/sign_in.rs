//! Whoever guesses passwords, or asks for letters, keeps nobody else out.

use anyhow::{Result, ensure};
use armada_testkit::{Api, Kind, Reply, both_databases};
use futures::{StreamExt, stream};
use http::{Method, StatusCode};
use nix::sys::signal::Signal;
use serde_json::json;

use crate::support::{SOON, site::Site};

const EMAIL: &str = "owner@example.com";
const PASSWORD: &str = "correct horse battery";

/// Tries to sign in as a client at that address does, through a proxy.
async fn sign_in(api: &Api, from: &str, email: &str, password: &str) -> Result<Reply> {
    let body = json!({ "email": email, "password": password });
    api.request(Method::POST, "/auth/login", &[("x-forwarded-for", from)], Some(&body)).await
}

fn browser(site: &Site) -> Api {
    Api::new(&format!("http://{}", site.http))
}

async fn behind_a_proxy(kind: Kind) -> Site {
    let mut site = Site::new(kind).await;
    site.set("ARMADA_BFF__TRUSTED_PROXIES", "[\"127.0.0.1\"]");
    site
}

both_databases! {
    async fn a_client_behind_a_proxy_stops_nobody_else(kind: Kind) -> Result<()> {
        let site = behind_a_proxy(kind).await;
        let armada = site.run().await;
        let (attacker, somebody) = (browser(&site), browser(&site));
        let guesses = stream::iter(0..130).map(|number| {
            let (attacker, email) = (attacker.clone(), format!("x{number}@example.org"));
            async move { sign_in(&attacker, "198.51.100.7", &email, "wrong password").await.map(|reply| reply.status) }
        });
        let answers: Vec<_> = guesses.buffer_unordered(8).collect().await;
        ensure!(answers.iter().flatten().any(|status| *status == StatusCode::TOO_MANY_REQUESTS), "{answers:?}");
        sign_in(&somebody, "198.51.100.8", EMAIL, PASSWORD).await?.expect(StatusCode::OK);

        let forgot = async |from: &str, number: usize| {
            let body = json!({ "email": format!("x{number}@example.org") });
            browser(&site).request(Method::POST, "/auth/forgot-password", &[("x-forwarded-for", from)], Some(&body)).await
        };
        for number in 0..20 {
            forgot("198.51.100.7", number).await?.expect(StatusCode::NO_CONTENT);
        }
        let refused = forgot("198.51.100.7", 20).await?;
        refused.expect(StatusCode::TOO_MANY_REQUESTS);
        ensure!(refused.headers.contains_key("retry-after"), "{:?}", refused.headers);
        forgot("198.51.100.8", 21).await?.expect(StatusCode::NO_CONTENT);
        armada.stop(Signal::SIGTERM).await?;
        Ok(())
    }

    async fn known_browser_is_not_locked_out(kind: Kind) -> Result<()> {
        let site = behind_a_proxy(kind).await;
        let armada = site.run().await;
        let known = browser(&site);
        let first = sign_in(&known, "203.0.113.1", EMAIL, PASSWORD).await?;
        first.expect(StatusCode::OK);
        let cookies: Vec<_> = first.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()).collect();
        let device = cookies.iter().find(|cookie| cookie.starts_with("armada_device=")).expect("it is known from now on");
        for part in ["HttpOnly", "SameSite=Strict", "Path=/auth", "Max-Age=31536000"] {
            ensure!(device.contains(part), "{device}");
        }
        // From forty networks, each of which has five free guesses.
        let attacker = browser(&site);
        let guesses = stream::iter(0..200).map(|number| {
            let (attacker, from) = (attacker.clone(), format!("198.51.100.{}", number % 40));
            async move { sign_in(&attacker, &from, EMAIL, "wrong password").await.map(|reply| reply.status) }
        });
        let answers: Vec<_> = guesses.buffer_unordered(8).collect().await;
        let looked_at = answers.iter().flatten().filter(|status| **status == StatusCode::UNAUTHORIZED).count();
        ensure!((100..=110).contains(&looked_at), "{looked_at} of {}", answers.len());
        // The account is slowed down for strangers, from wherever they come, and told so.
        let stranger = sign_in(&browser(&site), "203.0.113.9", EMAIL, PASSWORD).await?;
        stranger.expect(StatusCode::TOO_MANY_REQUESTS);
        let seconds: u32 = stranger.headers["retry-after"].to_str()?.parse()?;
        ensure!((1..=900).contains(&seconds), "{seconds}");
        // Its holder is not, wherever they are by now, and even at the attacker's address.
        for from in ["203.0.113.1", "198.51.100.1"] {
            sign_in(&known, from, EMAIL, PASSWORD).await?.expect(StatusCode::OK);
        }
        // The cookie is for that account alone, and guesses no faster than anybody.
        let mut guesses = Vec::new();
        for _ in 0..8 {
            guesses.push(sign_in(&known, "203.0.113.1", EMAIL, "wrong password").await?.status);
        }
        ensure!(guesses.contains(&StatusCode::TOO_MANY_REQUESTS), "{guesses:?}");
        armada.stop(Signal::SIGTERM).await?;
        Ok(())
    }
}

/// How passwords are compared and attempts counted is the same on both databases; the test above has them.
#[tokio::test(flavor = "multi_thread")]
async fn right_passwords_pass_while_ten_clients_flood() -> Result<()> {
    let site = behind_a_proxy(Kind::Sqlite).await;
    let armada = site.run().await;
    let flood = async |number: usize| -> Result<()> {
        let attacker = browser(&site);
        for guess in 0_usize.. {
            let (from, email) = (format!("198.51.100.{number}"), format!("x{guess}@example.org"));
            sign_in(&attacker, &from, &email, "wrong password").await?;
        }
        Ok(())
    };
    let floods = stream::iter(0..10).map(flood).buffer_unordered(10).collect::<Vec<_>>();
    let passes = async {
        for number in 0..60 {
            let from = format!("203.0.113.{}", number % 200);
            sign_in(&browser(&site), &from, EMAIL, PASSWORD).await?.expect(StatusCode::OK);
        }
        anyhow::Ok(())
    };
    tokio::select! {
        ended = floods => panic!("nobody floods any more: {ended:?}"),
        passed = passes => passed?,
    }
    armada.stop(Signal::SIGTERM).await?;
    Ok(())
}

/// It ends before it opens a database.
#[tokio::test(flavor = "multi_thread")]
async fn https_requires_proxy_settings() -> Result<()> {
    let mut site = Site::new(Kind::Sqlite).await;
    site.set("ARMADA_PUBLIC_URL", "https://fleet.example");
    let armada = site.start(&[]);
    let log = site.folder().join("armada.log");
    let (status, _) = armada.end(SOON).await?;
    let log = std::fs::read_to_string(log)?;
    ensure!(!status.success() && log.contains("bff.trusted_proxies is needed"), "{status}: {log}");
    Ok(())
}
