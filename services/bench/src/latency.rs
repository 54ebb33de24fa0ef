//! From publication to the socket, at 5,000 positions a second: the instant of publication is the fix's own.

use std::time::Duration;

use anyhow::{Context as _, Result};
use armada_gateway::{FramePublisher, Limits};
use armada_proto::Timestamp;
use armada_runtime::Bus;
use armada_track::Report;
use futures::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_tungstenite::tungstenite::Message;

use crate::{devices::Device, site::Site};

const RATE: usize = 5_000;
/// A gateway gathers for so long.
const LINGER: Duration = Duration::from_millis(20);

/// Milliseconds from publication to the socket.
pub struct Latency {
    pub p50: i64,
    pub p99: i64,
    pub updates: usize,
}

/// Publishes for so many seconds while a socket of the platform owner hears everything.
pub async fn measure(site: &Site, bus: &Bus, devices: &[Device], seconds: u64) -> Result<Latency> {
    let ticket = site.ticket().await?;
    let url = format!("ws://{}/ws?token={ticket}&userId=&context=maps", site.http_addr);
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await.context("the live socket")?;
    let started = Timestamp::now().millis();
    let publishing = tokio::spawn(publish(bus.clone(), devices.to_vec(), seconds));
    let mut delays = Vec::new();
    let until = Instant::now() + Duration::from_secs(seconds + 2);
    while let Ok(Some(message)) = tokio::time::timeout_at(until, socket.next()).await {
        let Message::Text(text) = message? else { continue };
        let received = Timestamp::now().millis();
        let message: Value = serde_json::from_str(&text)?;
        if message["type"] == "ping" {
            socket.send(Message::text(r#"{"type":"pong"}"#)).await?;
        }
        let recorded_at = message["position"]["recorded_at"].as_str().and_then(Timestamp::parse_rfc3339);
        // What was there before comes first, as the snapshot.
        if let Some(recorded_at) = recorded_at.filter(|recorded_at| recorded_at.millis() >= started) {
            delays.push(received - recorded_at.millis());
        }
    }
    publishing.await??;
    delays.sort_unstable();
    let at = |percent: usize| delays.get(delays.len() * percent / 100).copied().context("no update reached the socket");
    Ok(Latency { p50: at(50)?, p99: at(99)?, updates: delays.len() })
}

async fn publish(bus: Bus, devices: Vec<Device>, seconds: u64) -> Result<()> {
    let mut publisher = FramePublisher::new(&bus, "bench", Limits { rows: RATE, window: 256 }).await?;
    let mut ticks = interval(LINGER);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let per_tick = RATE * LINGER.as_millis() as usize / 1000;
    let mut next = devices.iter().cycle();
    for step in 0..seconds * 1000 / LINGER.as_millis() as u64 {
        ticks.tick().await;
        let now = Timestamp::now().millis();
        for device in next.by_ref().take(per_tick) {
            let report =
                Report { speed: Some(400), ..Report::new(now, -62_000_000 + step as i32 * 100, 1_068_000_000) };
            publisher.push(device.imei, &report).await?;
        }
        publisher.flush().await?;
    }
    publisher.finish().await?;
    Ok(())
}
