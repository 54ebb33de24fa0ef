//! From publication to the socket, at 5,000 positions a second: the instant of publication is the fix's own.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use armada_gateway::{Form as GatewayForm, Limits, Publisher};
use armada_proto::Timestamp;
use armada_runtime::Bus;
use armada_track::Report;
use futures::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_tungstenite::tungstenite::Message;

use crate::{delays::Delays, devices::Device, site::Site};

const RATE: usize = 5_000;
/// Positions of a frame at most.
const ROWS: usize = 5_000;
/// Messages under way at most.
const IN_FLIGHT: usize = 10_000;
/// An answer that has not come after so long does not come any more.
const PATIENCE: Duration = Duration::from_secs(10);
/// A gateway gathers for so long.
const LINGER: Duration = Duration::from_millis(20);

/// Milliseconds from publication to the socket.
pub struct Latency {
    pub p50: usize,
    pub p99: usize,
    pub updates: u64,
}

/// How fixes are put into messages.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// Those of twenty milliseconds in a frame.
    Frames,
    /// One a message.
    Single,
}

/// Publishes for so many seconds while a socket of the platform owner hears everything.
pub async fn measure(site: &Site, bus: &Bus, devices: &[Device], seconds: u64, form: Form) -> Result<Latency> {
    let ticket = site.ticket().await?;
    let url = format!("ws://{}/ws?token={ticket}&userId=&context=maps", site.http_addr);
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await.context("the live socket")?;
    let started = Timestamp::now().millis();
    let publishing = tokio::spawn(publish(bus.clone(), devices.to_vec(), RATE, seconds, form));
    let mut delays = Delays::default();
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
            delays.add(received - recorded_at.millis());
        }
    }
    publishing.await??;
    Ok(Latency { p50: delays.at(0.5)?, p99: delays.at(0.99)?, updates: delays.total() })
}

/// Publishes so many positions a second, of one device after the other, each as of now; how many that were.
pub async fn publish(bus: Bus, devices: Vec<Device>, rate: usize, seconds: u64, form: Form) -> Result<u64> {
    let form = match form {
        Form::Frames => GatewayForm::Frames(Limits { rows: ROWS, window: 256 }),
        Form::Single => GatewayForm::Single(IN_FLIGHT),
    };
    let mut publisher = Publisher::new(&bus, "bench", form).await?;
    let mut ticks = interval(LINGER);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let per_tick = rate * LINGER.as_millis() as usize / 1000;
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
    Ok(publisher.counts().read().published)
}

/// A fix of now in JSON.
pub fn body(step: i32) -> String {
    let now = Timestamp::now().to_rfc3339();
    let lat = -6.2 + f64::from(step % 10_000) * 1e-5;
    format!(r#"{{"recorded_at":"{now}","lat":{lat:.5},"lng":106.8,"speed":38,"course":90}}"#)
}

/// Seconds from publication to answer, at 5,000 fixes a second for so many seconds.
pub async fn to_answer(bus: &Bus, gateway: &str, devices: &[Device], seconds: u64) -> Result<Vec<f64>> {
    let inbox = bus.client.new_inbox();
    let mut answers = bus.client.subscribe(format!("{inbox}.*")).await?;
    let total = RATE * seconds as usize;
    let started = Instant::now();
    let hearing = tokio::spawn(async move {
        let mut heard = Vec::with_capacity(total);
        while heard.len() < total
            && let Ok(Some(answer)) = tokio::time::timeout(PATIENCE, answers.next()).await
        {
            let number = answer.subject.rsplit('.').next().and_then(|number| number.parse::<usize>().ok());
            ensure!(answer.payload.starts_with(b"{\"stream\""), "{:?}", answer.payload);
            heard.push((number.context("a number")?, started.elapsed()));
        }
        anyhow::Ok(heard)
    });
    let mut sent = Vec::with_capacity(total);
    let mut ticks = interval(LINGER);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let per_tick = RATE * LINGER.as_millis() as usize / 1000;
    let mut next = devices.iter().cycle();
    while sent.len() < total {
        ticks.tick().await;
        for device in next.by_ref().take(per_tick) {
            let (number, step) = (sent.len(), sent.len() / devices.len());
            sent.push(started.elapsed());
            let (subject, reply) = (format!("gps.{gateway}.{}", device.imei), format!("{inbox}.{number}"));
            bus.client.publish_with_reply(subject, reply, body(step as i32).into()).await?;
        }
    }
    let heard = hearing.await??;
    ensure!(heard.len() == total, "{} of {total} fixes were answered", heard.len());
    Ok(heard.into_iter().map(|(number, at)| (at - sent[number]).as_secs_f64()).collect())
}
