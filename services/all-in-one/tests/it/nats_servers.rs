//! How a process finds its NATS, and what of it takes the process out of service.

use std::{
    net::TcpStream,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use armada_testkit::{Api, Kind, NatsCluster, NatsServer, eventually, free_port};
use http::StatusCode;

use crate::support::{SOON, site::Site};

/// What `/readyz` says of NATS itself.
const DURABILITY: &str = "nats durability";

/// The first address of each list is nobody's, that of a monitor as well.
#[tokio::test(flavor = "multi_thread")]
async fn starts_while_a_server_and_its_monitor_are_dead() -> Result<()> {
    let nats = NatsCluster::start(1);
    let mut site = Site::new(Kind::Sqlite).await;
    let (dead, dead_monitor) = (free_port(), free_port());
    let beside = |urls: String| format!("nats://127.0.0.1:{dead},{urls}");
    site.use_nats_at(&beside(nats.url()), &beside(nats.gateways_url()));
    site.set("ARMADA_NATS_MONITOR_URL", format!("http://127.0.0.1:{dead_monitor},{}", nats.monitors()));
    let _armada = site.run().await;
    let body = Api::new(&format!("http://{}", site.admin)).get("/readyz").await?.json();
    let checks = body["checks"].as_array().context("checks")?;
    let durability = checks.iter().find(|check| check["name"] == DURABILITY).context("it is listed")?;
    let said = durability["message"].as_str().context("a sentence")?;
    assert!(said.starts_with("1 of 2 servers") && said.contains(&dead_monitor.to_string()), "{said}");
    assert!(durability["ok"] == true && durability["required"] == false, "{durability}");
    Ok(())
}

/// A monitor that nobody answers for is told, and no reason to send requests elsewhere.
#[tokio::test(flavor = "multi_thread")]
async fn stays_in_service_without_any_monitor() -> Result<()> {
    let nats = NatsServer::start();
    let mut site = Site::new(Kind::Sqlite).await;
    site.use_nats(&nats);
    site.set("ARMADA_NATS_MONITOR_URL", format!("http://127.0.0.1:{}", free_port()));
    let _armada = site.start(&[]);
    let admin = Api::new(&format!("http://{}", site.admin));
    eventually("it serves, and says what is missing", SOON, async || {
        let reply = admin.get("/readyz").await?;
        ensure!(reply.status.is_success() && site.missing().await?.contains(DURABILITY), "{}", reply.text);
        let metrics = admin.get("/metrics").await?.text;
        ensure!(metrics.contains("armada_check_ok{check=\"nats durability\"} 0"), "{metrics}");
        ensure!(metrics.lines().any(|line| line == "armada_ready 1"), "{metrics}");
        Ok(())
    })
    .await;
    Ok(())
}

/// The edge has no gRPC: it opens no port for it, wherever it is told to.
#[tokio::test(flavor = "multi_thread")]
async fn the_edge_alone_opens_no_grpc_port() -> Result<()> {
    let nats = NatsServer::start();
    let mut site = Site::new(Kind::Sqlite).await;
    site.use_nats(&nats);
    let [grpc, admin, unused] = [(); 3].map(|()| format!("127.0.0.1:{}", free_port()));
    let rest = [("ARMADA_GRPC_ADDR", grpc.as_str()), ("ARMADA_ADMIN_ADDR", &admin)];
    let mut others =
        site.start_as("rest", &["--only", "identity,fleet,notification,position-ingest", "--migrate"], &rest);
    others.ready(&admin).await;
    let peer = format!("http://{grpc}");
    let own = [
        ("ARMADA_GRPC_ADDR", unused.as_str()),
        ("ARMADA_PEERS__IDENTITY", &peer),
        ("ARMADA_PEERS__FLEET", &peer),
        ("ARMADA_PEERS__NOTIFICATION", &peer),
        ("ARMADA_PEERS__POSITION_INGEST", &peer),
    ];
    let mut edge = site.start_as("edge", &["--only", "bff"], &own);
    edge.ready(&site.admin).await;
    site.owner().await?;
    let open = |address: &str| -> Result<bool> {
        Ok(TcpStream::connect_timeout(&address.parse()?, Duration::from_secs(5)).is_ok())
    };
    assert!(open(&grpc)?, "the others are called there");
    assert!(!open(&unused)?, "nobody calls the edge");
    Ok(())
}

/// The logins of services in the place of those of gateways: nothing would ever be heard from a gateway.
#[tokio::test(flavor = "multi_thread")]
async fn a_login_of_another_account_takes_out_of_service() -> Result<()> {
    let nats = NatsServer::start();
    let mut site = Site::new(Kind::Sqlite).await;
    site.use_nats(&nats);
    site.set("ARMADA_NATS_URLS__RECEIVER_GATEWAYS", nats.url_of("receiver"));
    site.set("ARMADA_NATS_URLS__FLEET_GATEWAYS", nats.url_of("fleet"));
    let _armada = site.start(&[]);
    let admin = Api::new(&format!("http://{}", site.admin));
    eventually("it is out of service, and says why", SOON, async || {
        let reply = admin.get("/readyz").await?;
        let body = reply.json();
        let mut checks = body["checks"].as_array().context("checks")?.iter();
        let rights = checks.find(|check| check["name"] == "nats rights").context("it is listed")?;
        ensure!(reply.status == StatusCode::SERVICE_UNAVAILABLE && rights["required"] == true, "{body}");
        let said = rights["message"].as_str().context("a sentence")?;
        ensure!(rights["ok"] == false && said.contains("-gateways may not subscribe to "), "{said}");
        Ok(())
    })
    .await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_alone_needs_a_login_for_each_account() -> Result<()> {
    let nats = NatsServer::start();
    let mut site = Site::new(Kind::Sqlite).await;
    site.use_nats(&nats);
    for (service, variable) in
        [("fleet", "ARMADA_NATS_URLS__FLEET_GATEWAYS"), ("position-ingest", "ARMADA_NATS_URLS__RECEIVER_GATEWAYS")]
    {
        let mut command = site.command(&["run", "--only", service, "--wait", "0"]);
        command.env_remove(variable).env("ARMADA_GRPC_ADDR", "127.0.0.1:0");
        let output = command.output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(!output.status.success() && said.contains(&format!("{variable} is not set")), "{said}");
    }
    Ok(())
}

/// Two who make the same streams on a cluster would wait in vain for each other's answers.
#[tokio::test(flavor = "multi_thread")]
async fn two_migrations_at_a_time_both_succeed() -> Result<()> {
    let nats = NatsCluster::start(3);
    let mut site = Site::new(Kind::Postgres).await;
    site.use_nats_at(&nats.url(), &nats.gateways_url());
    site.set("ARMADA_STREAM_REPLICAS", "3");
    let migrations = [(); 2].map(|()| {
        let mut command = site.command(&["migrate", "--wait", "60"]);
        tokio::task::spawn_blocking(move || command.output())
    });
    for migration in migrations {
        let output = migration.await??;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// Who waits for a server that refuses them says so while they wait, and waits no longer than they were told to.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_login_is_told_while_it_is_waited_for() -> Result<()> {
    let nats = NatsServer::start();
    let mut site = Site::new(Kind::Sqlite).await;
    site.set("ARMADA_NATS_URL", format!("nats://armada:wrong@127.0.0.1:{}", nats.port()));
    let mut waiting = site.start(&["--wait", "600"]);
    eventually("it says what it waits for", SOON, async || {
        let body = Api::new(&format!("http://{}", site.admin)).get("/readyz").await?.json();
        let said = body["checks"][0]["message"].as_str().context("a sentence")?.to_owned();
        ensure!(said.starts_with("waiting for NATS at ") && said.contains("authorization violation"), "{said}");
        Ok(())
    })
    .await;
    assert!(!waiting.log().contains("async_nats"), "{}", waiting.log());
    waiting.kill();
    let begun = Instant::now();
    let output = site.output(&["run", "--wait", "1"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(!output.status.success() && said.contains("authorization violation"), "{said}");
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
    Ok(())
}
