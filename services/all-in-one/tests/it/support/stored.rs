//! What was stored, in the order in which it was.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};
use armada_position_ingest::streams::{HEADER_SEQ, POSITIONS};
use armada_proto::DeviceId;
use armada_runtime::Bus;
use armada_testkit::{NatsServer, eventually};
use armada_track::{DeviceState, HotFrame, Outcome, Position, Thresholds};
use async_nats::jetstream::consumer::pull;
use futures::TryStreamExt;

/// What was stored of a device so far.
#[derive(Default)]
struct Stored {
    state: DeviceState,
    /// Milliseconds since 1970.
    instants: BTreeSet<i64>,
}

/// Waits until so many fixes of so many devices are stored. Each was newer than those of its device before it, and what it tells
/// goes on from them, whoever stored it. What comes again is late, unless it is known at once, and changes nothing.
pub async fn in_order(nats: &NatsServer, devices: usize, fixes: usize, deadline: Duration) -> Result<()> {
    let bus = Bus::connect(&nats.url(), "reader").await?;
    let stored = eventually(&format!("{fixes} fixes are stored"), deadline, async || {
        let positions = positions(&bus).await?;
        let live = positions.iter().filter(|(_, position)| !position.late).count();
        ensure!(live >= fixes, "{live} were the newest of their devices when they came");
        Ok(positions)
    })
    .await;
    let mut found = HashMap::<DeviceId, Stored>::new();
    for (device, position) in stored {
        let Stored { state, instants } = found.entry(device).or_default();
        let at = position.recorded_at();
        if position.late {
            ensure!(instants.contains(&at), "{device}: the fix of {at} was stored behind newer ones");
            continue;
        }
        let events = state.advance(position.report.clone(), &Thresholds::default());
        ensure!(
            events == Outcome::Live(position.clone()),
            "{device}: {position:?} is stored, and those before it say {events:?}"
        );
        instants.insert(at);
    }
    ensure!(found.len() == devices, "{} devices", found.len());
    Ok(())
}

/// What the frames of POSITIONS hold: those of each partition in their order, each once.
async fn positions(bus: &Bus) -> Result<Vec<(DeviceId, Position)>> {
    let stream = bus.jetstream.get_stream(POSITIONS).await?;
    let consumer = stream.create_consumer(pull::OrderedConfig::default()).await?;
    let mut messages = consumer.messages().await?;
    let mut newest = HashMap::<String, u64>::new();
    let mut positions = Vec::new();
    for _ in 0..stream.cached_info().state.messages {
        let message = messages.try_next().await?.context("a frame")?;
        let number = message.headers.as_ref().and_then(|headers| headers.get(HEADER_SEQ)).context("its number")?;
        let number: u64 = number.as_str().parse()?;
        let newest = newest.entry(message.subject.to_string()).or_default();
        if number > *newest {
            *newest = number;
            let rows = HotFrame::parse(&message.payload)?.rows()?;
            positions.extend(rows.map(|(_, device, position)| (device, position)));
        }
    }
    Ok(positions)
}
