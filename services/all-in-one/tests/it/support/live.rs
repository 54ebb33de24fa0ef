//! The live map, as a page sees it.

use anyhow::{Context as _, Result};
use armada_proto::Timestamp;
use armada_testkit::{Api, Socket};
use serde_json::json;

use super::SOON;

/// The map's socket of whoever is signed in.
pub async fn map_socket(api: &Api) -> Result<Socket> {
    let ticket = api.post("/api/v1/ws-ticket", json!({})).await?.json();
    let ticket = ticket["ticket"].as_str().context("a ticket")?;
    Socket::open(&api.url(&format!("/ws?token={ticket}&userId=&context=maps"))).await
}

/// When the next position on it was recorded, milliseconds since 1970.
pub async fn next_position(socket: &mut Socket) -> Result<i64> {
    let message = socket.wait_for(SOON, |message| message["type"] == "position").await?;
    let at = message["position"]["recorded_at"].as_str().and_then(Timestamp::parse_rfc3339);
    Ok(at.context("recorded_at")?.millis())
}
