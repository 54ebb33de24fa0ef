//! The programs of docs/API.md that follow the fleet, as they stand there.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result, bail, ensure};
use armada_proto::Timestamp;
use armada_testkit::{Gateway, Kind, eventually};
use http::StatusCode;
use serde_json::{Value, json};
use tokio::{
    io::{BufReader, Lines},
    process::ChildStdout,
};

use crate::support::{
    SOON,
    site::{Armada, Site},
};

const EMAIL: &str = "program@harbour.example";
const PASSWORD: &str = "horse staple battery";
const IMEI: &str = "356938035643809";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_page_shows_what_runs() -> Result<()> {
    let page = fs::read_to_string(root().join("docs/API.md"))?;
    for example in ["live.py", "live.mjs"] {
        let code = fs::read_to_string(root().join("docs/examples").join(example))?;
        ensure!(page.contains(&code), "docs/API.md does not show {example} as it is");
        // `armada` in the same shell would refuse to start.
        ensure!(!code.contains("ARMADA_"), "{example} asks for variables that only Armada's settings may be called");
    }
    Ok(())
}

/// Publishes a fix with this speed, by which it is known again.
async fn drive(site: &Site, speed: f64) -> Result<()> {
    let gateway = Gateway::connect_to(&format!("nats://127.0.0.1:{}", site.nats_port), "local").await;
    let now = Timestamp::now().to_rfc3339();
    gateway.report(IMEI, &json!({ "recorded_at": now, "lat": -6.2, "lng": 106.8, "speed": speed })).await?;
    Ok(())
}

/// Reads what the program prints until it is the device's fix with this speed. Each line must be JSON.
async fn expect_line(lines: &mut Lines<BufReader<ChildStdout>>, device: &Value, speed: f64) -> Result<()> {
    let reads = async {
        while let Some(line) = lines.next_line().await? {
            let position: Value = serde_json::from_str(&line).with_context(|| line.clone())?;
            if position["device_id"] == device["id"] && position["speed"].as_f64() == Some(speed) {
                return Ok(());
            }
        }
        bail!("it ended")
    };
    tokio::time::timeout(SOON, reads).await.with_context(|| format!("the fix with {speed} km/h is not printed"))?
}

/// Has a program follow a device while its session is ended and the server dies; it must go on by itself.
async fn keeps_running(mut program: Command) -> Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let mut armada = site.run().await;
    let owner = site.owner().await?;
    let tenant = owner.post("/api/v1/tenants", json!({ "name": "Harbour" })).await?.expect(StatusCode::CREATED);
    let admin = json!({ "tenant_id": tenant["id"], "name": "Program", "email": EMAIL, "is_tenant_admin": true });
    site.invited(&owner, admin, PASSWORD).await?;
    let admin = site.sign_in(EMAIL, PASSWORD).await?;
    let device = json!({ "imei": IMEI, "name": "Truck" });
    let device = admin.post("/api/v1/devices", device).await?.expect(StatusCode::CREATED);

    program.env("API_URL", format!("http://{}", site.http)).env("API_EMAIL", EMAIL);
    // What stands between this machine and others has no part in it.
    program.env("API_PASSWORD", PASSWORD).env("no_proxy", "*").stdin(Stdio::null());
    let mut program = Armada::spawn(program, &site.folder().join("program.log"));
    let mut lines = program.lines()?;
    drive(&site, 31.0).await?;
    expect_line(&mut lines, &device, 31.0).await.with_context(|| program.log())?;

    admin.delete("/api/v1/account/sessions").await?.expect(StatusCode::NO_CONTENT);
    eventually("it has signed in anew", SOON, async || {
        let sessions = admin.get("/api/v1/account/sessions").await?.expect(StatusCode::OK);
        let items = sessions["items"].as_array().context("items")?;
        ensure!(items.len() > 1, "{sessions} {}", program.log());
        Ok(())
    })
    .await;
    drive(&site, 32.0).await?;
    expect_line(&mut lines, &device, 32.0).await.with_context(|| program.log())?;

    armada.kill();
    let _armada = site.run().await;
    drive(&site, 33.0).await?;
    expect_line(&mut lines, &device, 33.0).await.with_context(|| program.log())
}

#[tokio::test(flavor = "multi_thread")]
async fn in_python() -> Result<()> {
    let packages = root().join(".tools/websockets");
    if !packages.is_dir() {
        eprintln!("skipped: `scripts/install-tools examples` installs what the example needs");
        return Ok(());
    }
    let mut program = Command::new("python3");
    program.arg(root().join("docs/examples/live.py")).env("PYTHONPATH", packages);
    keeps_running(program).await
}

#[tokio::test(flavor = "multi_thread")]
async fn in_node() -> Result<()> {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("skipped: there is no Node.js");
        return Ok(());
    }
    let mut program = Command::new("node");
    // Node.js 22 has it without the flag, and takes it.
    program.arg("--experimental-websocket").arg(root().join("docs/examples/live.mjs"));
    keeps_running(program).await
}
