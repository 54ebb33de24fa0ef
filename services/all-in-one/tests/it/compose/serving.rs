//! The stack from a gateway to the map.

use std::fs;

use anyhow::{Context as _, Result, ensure};
use armada_proto::Timestamp;
use armada_testkit::{Api, Gateway, Socket, eventually};
use http::StatusCode;
use nix::sys::signal::Signal;
use serde_json::json;

use super::{EMAIL, IMEI, numbers, stack::Stack};
use crate::support::{SOON, history, trace};

#[tokio::test(flavor = "multi_thread")]
async fn the_stack_serves_from_a_gateway_to_the_map() -> Result<()> {
    let mut stack = Stack::new().await?;
    let running = stack.start_everything().await?;
    assert_eq!(running.len(), 5);
    for (name, service) in stack.compose.roles() {
        let check = service.healthcheck.as_ref().context("a health check")?;
        let test: Vec<String> = serde_yaml_ng::from_value(check["test"].clone())?;
        assert_eq!(test[..2], ["CMD", "/usr/local/bin/armada"], "{name}");
        let checked = stack.command(name, &test[2..]).output()?;
        assert!(checked.status.success(), "{name}: {}", String::from_utf8_lossy(&checked.stderr));
    }

    let (owner, gateway) = takes_a_position_to_the_map(&stack).await?;
    gateway.report("356307042441021", &fix()).await?;
    open_and_close_socket(&owner).await?;
    replay_a_trace(&stack, &owner).await?;
    numbers::exist(&stack).await?;

    for armada in running {
        let (status, _) = armada.stop(Signal::SIGTERM).await?;
        assert_eq!(status.code(), Some(0));
    }
    assert_eq!(fs::read_dir(stack.folder())?.count(), 0, "a container has nowhere to write");
    Ok(())
}

/// A fix of a new gateway, for a device of a new tenant; who signed in to see it, and the gateway.
pub(crate) async fn takes_a_position_to_the_map(stack: &Stack) -> Result<(Api, Gateway)> {
    let owner = stack.api().sign_in(EMAIL, &stack.variables["ARMADA_ADMIN_PASSWORD"]).await?;
    let tenant = owner.post("/api/v1/tenants", json!({ "name": "Harbour" })).await?.expect(StatusCode::CREATED);
    let device = json!({ "tenant_id": tenant["id"], "imei": IMEI, "name": "Truck 1" });
    let device = owner.post("/api/v1/devices", device).await?.expect(StatusCode::CREATED);
    let made = owner.post("/api/v1/gateways", json!({ "name": "harbour" })).await?.expect(StatusCode::CREATED);
    let secret = made["secret"].as_str().context("a secret")?;
    let gateway = Gateway::connect_to(&stack.nats_url(&format!("harbour:{secret}@")), "harbour").await;
    gateway.report(IMEI, &fix()).await?;
    eventually("the position is on the map", SOON, async || {
        let last = owner.get("/api/v1/last-positions").await?.expect(StatusCode::OK);
        let found = last["items"].as_array().context("items")?.iter().find(|item| item["device_id"] == device["id"]);
        ensure!(found.is_some_and(|item| item["lat"] == -6.1754), "{last}");
        Ok(())
    })
    .await;
    Ok((owner, gateway))
}

/// Where Jakarta's national monument stands, now.
fn fix() -> serde_json::Value {
    json!({ "recorded_at": Timestamp::now().to_rfc3339(), "lat": -6.1754, "lng": 106.8272, "speed": 38 })
}

/// As the container of `migrate` can be told to: vehicles to look at.
async fn replay_a_trace(stack: &Stack, owner: &Api) -> Result<()> {
    let file = stack.files.path().join("trace.csv.gz");
    trace::generate(&file, 1, 2, 20, 1_000, false);
    let file_name = file.to_str().context("a path that is text")?;
    let arguments = ["replay", file_name, "--register", "--tenant", "Trial", "--speed", "max"].map(str::to_owned);
    let replayed = stack.command("migrate", &arguments).output()?;
    assert!(replayed.status.success(), "{}", String::from_utf8_lossy(&replayed.stderr));
    history::equals(owner, "Trial", &trace::expected(&file), SOON).await;
    Ok(())
}

async fn open_and_close_socket(owner: &Api) -> Result<()> {
    let ticket = owner.post("/api/v1/ws-ticket", json!({})).await?.json();
    let ticket = ticket["ticket"].as_str().context("a ticket")?;
    Socket::open(&owner.url(&format!("/ws?token={ticket}&userId=&context=maps"))).await?.close().await
}
