//! The program as a process: how it starts, refuses to start, and stops.

use std::{
    fs,
    net::TcpListener,
    os::unix::{fs::PermissionsExt, process::ExitStatusExt},
    process::Output,
    time::{Duration, Instant},
};

use armada_testkit::{Kind, both_databases};
use http::StatusCode;
use nix::sys::signal::Signal;
use serde_json::json;

use crate::support::site::Site;

/// The one line on standard error of a start that failed.
fn refusal(output: Output) -> String {
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text.trim_end().strip_prefix("armada: ").expect("it begins with the program's name").to_owned()
}

both_databases! {
    async fn keeps_its_data_and_stops_on_request(kind: Kind) -> anyhow::Result<()> {
        let site = Site::new(kind).await;
        let armada = site.run().await;
        let owner = site.owner().await?;
        owner.post("/api/v1/tenants", json!({ "name": "Harbour" })).await?.expect(StatusCode::CREATED);
        let (status, printed) = armada.stop(Signal::SIGINT).await?;
        assert_eq!(status.code(), Some(0), "{printed}");
        assert!(printed.contains(&format!("http://{}", site.http)), "{printed}");
        assert!(printed.contains("owner@example.com"), "{printed}");

        let started = Instant::now();
        let armada = site.run().await;
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
        let tenants = site.owner().await?.get("/api/v1/tenants").await?.json();
        assert_eq!(tenants["items"][0]["name"], "Harbour");
        let (status, _) = armada.stop(Signal::SIGTERM).await?;
        assert_eq!(status.code(), Some(0));
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_made_password_is_shown_once() -> anyhow::Result<()> {
    let mut site = Site::new(Kind::Sqlite).await;
    site.set("ARMADA_ADMIN_EMAIL", "");
    site.set("ARMADA_ADMIN_PASSWORD", "");
    let armada = site.run().await;
    let (_, printed) = armada.stop(Signal::SIGTERM).await?;
    let value = |label: &str| {
        let line = printed.lines().find_map(|line| line.trim().strip_prefix(label)).map(str::trim);
        line.map(|line| line.split_whitespace().next().unwrap_or_default().to_owned())
    };
    let (email, password) = (value("sign in").expect("an email"), value("password").expect("a password"));

    let armada = site.run().await;
    let api = armada_testkit::Api::new(&format!("http://{}", site.http));
    let owner = api.sign_in(&email, &password).await?.get("/api/v1/auth/me").await?.json();
    assert_eq!(owner["must_change_password"], true, "nobody has chosen it");
    let (_, printed) = armada.stop(Signal::SIGTERM).await?;
    assert!(printed.contains(&email) && !printed.contains("password"), "{printed}");
    Ok(())
}

/// Beside a program that runs.
#[tokio::test(flavor = "multi_thread")]
async fn owners_are_made_and_let_in_again() -> anyhow::Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let _armada = site.run().await;
    let password = |arguments: &[&str]| {
        let output = site.output(arguments);
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let line = text.lines().find_map(|line| line.trim().strip_prefix("password")).expect("a password");
        line.trim().to_owned()
    };
    let first = password(&["owner", "add", "second@example.com", "--name", "Second"]);
    let api = armada_testkit::Api::new(&format!("http://{}", site.http));
    let second = api.sign_in("second@example.com", &first).await?;
    armada_testkit::eventually("the password that was printed is changed first", Duration::from_secs(20), async || {
        let refused = second.get("/api/v1/tenants").await?;
        anyhow::ensure!(refused.json()["error"] == "password_change_required", "{}", refused.text);
        let change = serde_json::json!({ "current_password": first, "new_password": "of the second owner" });
        let changed = second.post("/api/v1/account/password", change).await?;
        anyhow::ensure!(changed.status == StatusCode::NO_CONTENT, "{}", changed.text);
        Ok(())
    })
    .await;
    armada_testkit::eventually("the services know the new owner", Duration::from_secs(20), async || {
        let status = second.get("/api/v1/tenants").await?.status;
        anyhow::ensure!(status == StatusCode::OK, "{status}");
        Ok(())
    })
    .await;
    let renewed = password(&["owner", "reset", "second@example.com"]);
    for old in [first.as_str(), "of the second owner"] {
        assert!(api.sign_in("second@example.com", old).await.is_err(), "{old}");
    }
    let status = second.get("/api/v1/tenants").await?.status;
    assert_eq!(status, StatusCode::UNAUTHORIZED, "sessions of whoever had the old one end");
    api.sign_in("second@example.com", &renewed).await?;
    let refused = refusal(site.output(&["owner", "add", "second@example.com"]));
    assert_eq!(refused, "second@example.com: email: taken");
    let refused = refusal(site.output(&["owner", "reset", "nobody@example.com"]));
    assert_eq!(refused, "nobody@example.com: email: unknown");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_managed_server_ends_with_it() -> anyhow::Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let mut armada = site.run().await;
    let nats = armada.nats_pid().expect("it manages a nats-server");
    armada.kill();
    armada_testkit::eventually("nats-server is gone", Duration::from_secs(10), async || {
        let running = fs::read_to_string(format!("/proc/{nats}/comm")).is_ok_and(|name| name.trim() == "nats-server");
        let zombie = fs::read_to_string(format!("/proc/{nats}/stat")).is_ok_and(|stat| stat.contains(") Z "));
        anyhow::ensure!(!running || zombie, "it runs");
        Ok(())
    })
    .await;
    // The second start finds port and files free.
    site.run().await.stop(Signal::SIGTERM).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn rejects_a_second_process() -> anyhow::Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let _armada = site.run().await;
    let started = Instant::now();
    let refused = refusal(site.output(&["run"]));
    assert!(started.elapsed() < Duration::from_secs(5));
    assert!(refused.contains(&site.http) && refused.contains("in use"), "{refused}");

    let elsewhere = |command: &mut std::process::Command| {
        command.env("ARMADA_HTTP_ADDR", "127.0.0.1:0").env("ARMADA_ADMIN_ADDR", "127.0.0.1:0").output()
    };
    let refused = refusal(elsewhere(&mut site.command(&["run"]))?);
    assert!(refused.contains("another armada") && refused.contains(site.data().to_str().expect("text")), "{refused}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn names_missing_settings() -> anyhow::Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let with = |name: &str, value: &str| site.command(&["run", "--wait", "0"]).env(name, value).output().map(refusal);

    let taken = TcpListener::bind("127.0.0.1:0")?;
    let port = taken.local_addr()?.port();
    let refused = with("ARMADA_ADMIN_ADDR", &format!("127.0.0.1:{port}"))?;
    assert!(refused.contains(&format!("127.0.0.1:{port}")), "{refused}");
    let refused = with("ARMADA_NATS_PORT", &port.to_string())?;
    assert!(refused.contains("nats-server") && refused.contains(&format!("127.0.0.1:{port}")), "{refused}");

    let file = site.folder().join("file");
    fs::write(&file, "")?;
    let below = file.join("data").display().to_string();
    let refused = with("ARMADA_DATA_DIR", &below)?;
    assert!(refused.contains(&below), "{refused}");

    let refused = with("ARMADA_NATS_SERVER", "/nowhere/nats-server")?;
    assert!(refused.contains("/nowhere/nats-server"), "{refused}");
    assert_eq!(with("ARMADA_HTTP_ADR", "127.0.0.1:1")?, "ARMADA_HTTP_ADR: unknown setting");
    let refused = with("ARMADA_CONFIG", "/nowhere/armada.toml")?;
    assert!(refused.contains("/nowhere/armada.toml"), "{refused}");
    let refused = with("DATABASE_URL", "postgres://armada@127.0.0.1:1/armada")?;
    assert!(refused.contains("database"), "{refused}");
    assert!(!refusal(alone(&site, "fleet").output()?).is_empty());
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_cannot_be_written_is_named() -> anyhow::Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    if nix::unistd::geteuid().is_root() {
        eprintln!("skipped: root may write anywhere");
        return Ok(());
    }
    fs::set_permissions(site.folder(), fs::Permissions::from_mode(0o500))?;
    let refused = refusal(site.output(&["run"]));
    assert!(refused.contains(site.data().to_str().expect("text")), "{refused}");
    Ok(())
}

/// One service, which waits for nothing, on a port that nobody else has.
fn alone(site: &Site, service: &str) -> std::process::Command {
    let mut command = site.command(&["run", "--only", service, "--wait", "0"]);
    command.env("ARMADA_GRPC_ADDR", "127.0.0.1:0");
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn some_services_need_migrated_data() -> anyhow::Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let refused = refusal(alone(&site, "identity").output()?);
    assert!(refused.contains("armada migrate"), "{refused}");
    assert!(site.output(&["migrate"]).status.success());
    let mut armada = site.start(&["--only", "identity"]);
    armada.ready(&site.admin).await;
    let (status, printed) = armada.stop(Signal::SIGTERM).await?;
    assert_eq!((status.code(), status.signal()), (Some(0), None), "{printed}");
    assert!(printed.contains("gRPC"), "{printed}");
    Ok(())
}

#[test]
fn an_unknown_service_is_refused() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_armada")).args(["run", "--only", "fleets"]).output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no service fleets"));
}

#[test]
fn the_document_needs_no_configuration() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_armada")).arg("openapi").output();
    let document: serde_json::Value = serde_json::from_slice(&output.expect("it starts").stdout).expect("JSON");
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")), "{document}");
}

/// A device has no end, and the libraries that read these files wait for it.
#[test]
fn a_file_of_certificates_that_is_none_is_refused() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_armada"))
        .args(["run", "--wait", "0"])
        .env("SSL_CERT_FILE", "/dev/zero")
        .output();
    let output = output.expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("/dev/zero: it is no file"), "{said}");
}
