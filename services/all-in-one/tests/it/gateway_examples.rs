//! The gateways of docs/GATEWAYS.md, as they stand there.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};
use armada_proto::Timestamp;
use armada_testkit::Kind;
use http::StatusCode;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::json;
use tokio::{io::AsyncWriteExt, process::Command};

use crate::support::{SOON, site::Site};

const IMEIS: [&str; 3] = ["356307042441013", "356307042441021", "356307042441039"];
/// Fixes of each device.
const FIXES: i64 = 300;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_page_shows_what_runs() -> Result<()> {
    let page = fs::read_to_string(root().join("docs/GATEWAYS.md"))?;
    for example in ["gateway.py", "gateway.mjs"] {
        let code = fs::read_to_string(root().join("docs/examples").join(example))?;
        ensure!(page.contains(&code), "docs/GATEWAYS.md does not show {example} as it is");
    }
    Ok(())
}

/// Sends fixes through a gateway while the NATS server dies twice; each must be in history once.
async fn loses_nothing(mut gateway: Command) -> Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let armada = site.run().await;
    let owner = site.owner().await?;
    let tenant = owner.post("/api/v1/tenants", json!({ "name": "Harbour" })).await?.expect(StatusCode::CREATED);
    let mut devices = Vec::new();
    for imei in IMEIS {
        let device = json!({ "tenant_id": tenant["id"], "imei": imei, "name": imei });
        devices.push(owner.post("/api/v1/devices", device).await?.expect(StatusCode::CREATED));
    }
    let first = Timestamp::now().millis() / 1000 * 1000 - 3_600_000;
    let at = |step: i64| Timestamp::from_millis(first + step * 1000).to_rfc3339();
    let mut input = String::new();
    for step in 0..FIXES {
        for imei in IMEIS {
            let fix = json!({ "imei": imei, "recorded_at": at(step), "lat": -6.2, "lng": 106.8, "speed": 30 });
            input.push_str(&format!("{fix}\n"));
        }
    }
    gateway.args([&format!("nats://127.0.0.1:{}", site.nats_port), "local"]);
    let mut gateway = gateway.stdin(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn()?;
    gateway.stdin.take().context("its input")?.write_all(input.as_bytes()).await?;
    for pause in [400, 700] {
        // Not a wait for anything: the moment of death is to be any.
        tokio::time::sleep(Duration::from_millis(pause)).await;
        if let Some(nats) = armada.nats_pid() {
            kill(Pid::from_raw(nats), Signal::SIGKILL)?;
        }
    }
    let ended = tokio::time::timeout(SOON, gateway.wait_with_output()).await.context("it ends")??;
    // Client libraries may say that the server went away; what is rejected is told with its IMEI.
    let message = String::from_utf8_lossy(&ended.stderr);
    ensure!(ended.status.success() && !IMEIS.iter().any(|imei| message.contains(imei)), "{message}");
    for device in devices {
        let path = format!(
            "/api/v1/devices/{}/track?from={}&to={}",
            device["id"].as_str().unwrap_or_default(),
            at(0),
            at(FIXES)
        );
        armada_testkit::eventually("each fix is there once, in its order", SOON, async || {
            let track = owner.get(&path).await?.expect(StatusCode::OK);
            let items = track["items"].as_array().context("a track")?;
            let late = items.iter().filter(|fix| fix["motion"] == "unspecified").count();
            ensure!((items.len(), late) == (FIXES as usize, 0), "{} fixes, {late} out of order", items.len());
            Ok(())
        })
        .await;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn in_python() -> Result<()> {
    let packages = root().join(".tools/nats-py");
    if !packages.is_dir() {
        eprintln!("skipped: `scripts/install-tools examples` installs what the example needs");
        return Ok(());
    }
    let mut gateway = Command::new("python3");
    gateway.arg(root().join("docs/examples/gateway.py")).env("PYTHONPATH", packages);
    loses_nothing(gateway).await
}

#[tokio::test(flavor = "multi_thread")]
async fn in_node() -> Result<()> {
    let packages = root().join("web-console/node_modules");
    if !packages.join("@nats-io/transport-node").is_dir() {
        eprintln!("skipped: `npm ci` in web-console installs what the example needs");
        return Ok(());
    }
    // Node.js looks for packages beside the file.
    let folder = armada_testkit::temp_dir("example-");
    std::os::unix::fs::symlink(fs::canonicalize(packages)?, folder.path().join("node_modules"))?;
    fs::copy(root().join("docs/examples/gateway.mjs"), folder.path().join("gateway.mjs"))?;
    let mut gateway = Command::new("node");
    gateway.arg(folder.path().join("gateway.mjs"));
    loses_nothing(gateway).await
}
