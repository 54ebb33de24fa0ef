//! `/readyz` names what is missing, and nothing else, and says no where that takes the process out of service.

use std::{collections::BTreeSet, time::Duration};

use anyhow::{Context as _, Result, ensure};
use armada_testkit::{Api, Kind, NatsServer, eventually};
use http::StatusCode;
use nix::sys::signal::Signal;
use serde_json::Value;

use super::{
    quiet,
    support::{services_that_store, site::Site},
};

/// A check is asked every two seconds; a busy machine takes its time.
const NOTICED: Duration = Duration::from_secs(60);

/// Waits until exactly these are missing. On the way nothing else may be.
async fn exactly(site: &Site, wanted: &[&str]) {
    let wanted: BTreeSet<String> = wanted.iter().map(|&name| name.to_owned()).collect();
    eventually(&format!("missing: {wanted:?}"), NOTICED, async || {
        let found = site.missing().await?;
        assert!(found.is_subset(&wanted) || wanted.is_empty(), "{found:?} is missing, of {wanted:?}");
        ensure!(found == wanted, "{found:?}");
        Ok(())
    })
    .await;
}

/// Waits until both admin and public port say whether the process is in service.
async fn is_in_service(site: &Site, wanted: bool) {
    let status = if wanted { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    eventually(&format!("in service: {wanted}"), NOTICED, async || {
        for port in [&site.admin, &site.http] {
            let reply = Api::new(&format!("http://{port}")).get("/readyz").await?;
            ensure!(reply.status == status, "{} {}", reply.status, reply.text);
        }
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn names_missing_dependencies() -> Result<()> {
    let mut nats = NatsServer::start();
    let mut site = quiet(Site::new(Kind::Postgres).await);
    site.use_nats(&nats);
    let mut armada = site.run().await;
    let postgres = site.postgres.as_ref().context("the kind says so")?;
    exactly(&site, &[]).await;
    let databases: Vec<_> = services_that_store().map(|service| format!("database of {service}")).collect();
    let databases: Vec<_> = databases.iter().map(String::as_str).collect();

    postgres.stop();
    exactly(&site, &databases).await;
    // The live map waits for no database.
    is_in_service(&site, true).await;
    postgres.start_again();
    exactly(&site, &[]).await;

    nats.stop();
    exactly(&site, &["nats"]).await;
    // All processes have lost it, and answer from memory and databases.
    is_in_service(&site, true).await;
    let admin = Api::new(&format!("http://{}", site.admin));
    nats.start_again();
    exactly(&site, &[]).await;

    let bus = armada_runtime::Bus::connect(&nats.url(), "vandal").await?;
    bus.jetstream.delete_stream("KV_tickets").await?;
    exactly(&site, &["streams"]).await;
    is_in_service(&site, true).await;
    let body = admin.get("/readyz").await?.json();
    let streams = body["checks"].as_array().context("checks")?.iter().find(|check| check["name"] == "streams");
    let sentence = streams.and_then(|check| check["message"].as_str()).context("a sentence")?;
    assert!(sentence.contains("KV_tickets"), "{sentence}");
    armada.kill();
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_lets_it_in_no_more_takes_it_out_of_service() -> Result<()> {
    let mut nats = NatsServer::start();
    let mut site = quiet(Site::new(Kind::Sqlite).await);
    site.use_nats(&nats);
    let _armada = site.run().await;
    nats.stop();
    nats.change_passwords();
    nats.start_again();
    exactly(&site, &["nats", "nats login"]).await;
    is_in_service(&site, false).await;
    // A process that is not ready lives.
    Api::new(&format!("http://{}", site.admin)).get("/healthz").await?.expect(StatusCode::OK);
    Ok(())
}

/// The first 'ready' of a process comes after everything was looked at.
#[tokio::test(flavor = "multi_thread")]
async fn is_not_ready_unseen() -> Result<()> {
    let site = quiet(Site::new(Kind::Sqlite).await);
    let _armada = site.start(&[]);
    let admin = Api::new(&format!("http://{}", site.admin));
    let first = eventually("it is ready", NOTICED, async || {
        let reply = admin.get("/readyz").await?;
        ensure!(reply.status.is_success(), "{}", reply.text);
        Ok(reply.json())
    })
    .await;
    let checks = first["checks"].as_array().context("checks")?;
    for name in [
        "database of fleet",
        "database of identity",
        "database of notification",
        "database of position-ingest",
        "descriptors",
        "jetstream",
        "keys",
        "nats",
        "streams",
    ] {
        ensure!(checks.iter().any(|check| check["name"] == name), "{name}: {first}");
    }
    Ok(())
}

/// Who is told to stop says so first, and serves until whoever sends requests has heard it. The public port says no more.
#[tokio::test(flavor = "multi_thread")]
async fn says_no_before_it_stops_to_serve() -> Result<()> {
    let mut site = quiet(Site::new(Kind::Sqlite).await);
    site.set("ARMADA_SHUTDOWN_DELAY_SECONDS", "60");
    let mut armada = site.run().await;
    let public = Api::new(&format!("http://{}", site.http));
    assert_eq!(public.get("/readyz").await?.text, "ready\n");
    armada.signal(Signal::SIGTERM);
    eventually("it says no", NOTICED, async || {
        let reply = public.get("/readyz").await?;
        ensure!(
            (reply.status, reply.text.as_str()) == (StatusCode::SERVICE_UNAVAILABLE, "not ready\n"),
            "{}",
            reply.text
        );
        Ok(())
    })
    .await;
    Api::new(&format!("http://{}", site.http)).get("/auth/options").await?.expect(StatusCode::OK);
    exactly(&site, &["start"]).await;
    armada.kill();
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_dependencies_of_a_process() -> Result<()> {
    let site = quiet(Site::new(Kind::Sqlite).await);
    let _armada = site.run().await;
    let wanted = [
        "clock",
        "database of fleet",
        "database of identity",
        "database of notification",
        "database of position-ingest",
        "jetstream",
        "keys",
        "nats",
        "nats durability",
        "outbox of fleet",
        "partitions",
        "position-ingest",
        "start",
        "streams",
    ];
    eventually("everything is listed", NOTICED, async || {
        let body = Api::new(&format!("http://{}", site.admin)).get("/readyz").await?.json();
        let checks = body["checks"].as_array().context("checks")?.clone();
        for name in wanted {
            let check = checks.iter().find(|check| check["name"] == name).with_context(|| format!("{name}: {body}"))?;
            let is_said = |key: &str| check[key].as_str().is_some_and(|text| !text.is_empty());
            ensure!(check["ok"] == Value::Bool(true) && is_said("since") && is_said("message"), "{check}");
        }
        Ok(())
    })
    .await;
    Ok(())
}
