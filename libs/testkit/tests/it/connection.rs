//! A connection with several servers to choose from: one of them is dead from the beginning, dies, or hangs.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use armada_runtime::Bus;
use armada_testkit::{NatsCluster, NatsServer, eventually, free_port};
use async_nats::connection::State;
use futures::StreamExt;

/// A server that hangs is noticed within six seconds; a busy machine takes its time.
const NOTICED: Duration = Duration::from_secs(10);
/// From then on until another one has let the client in, or it is seen that one is gone.
const SOON: Duration = Duration::from_secs(20);

/// The server it is connected to.
fn server_of(bus: &Bus, cluster: &NatsCluster) -> anyhow::Result<usize> {
    ensure!(bus.client.connection_state() == State::Connected, "not connected");
    cluster.number_of(bus.client.server_info().port).context("another server")
}

/// Waits until it is connected to that server, and can speak.
async fn is_with(bus: &Bus, cluster: &NatsCluster, wanted: usize) {
    eventually("it is with the other one", SOON, async || {
        ensure!(server_of(bus, cluster)? == wanted, "with the same");
        Ok(())
    })
    .await;
    speaks(bus).await;
}

/// Waits until something that is published comes back.
async fn speaks(bus: &Bus) {
    eventually("what is published is heard", SOON, async || {
        let mut heard = bus.client.subscribe("spoken").await?;
        bus.client.publish("spoken", "word".into()).await?;
        let message = tokio::time::timeout(Duration::from_secs(1), heard.next()).await?;
        ensure!(message.context("the subscription ended")?.payload == "word");
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn any_server_of_the_list_will_do() -> anyhow::Result<()> {
    let nats = NatsServer::start();
    let login = nats.url();
    let (login, _) = login.rsplit_once('@').context("a login")?;
    let begun = Instant::now();
    // The login stands in the first one alone.
    let list = format!("{login}@127.0.0.1:{},127.0.0.1:{}", free_port(), nats.port());
    let bus = Bus::connect(&list, "test").await?;
    assert!(begun.elapsed() < NOTICED, "{:?}", begun.elapsed());
    speaks(&bus).await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_hangs_is_noticed_and_left() -> anyhow::Result<()> {
    let cluster = NatsCluster::start(2);
    let bus = Bus::connect(&cluster.url(), "test").await?;
    speaks(&bus).await;
    let first = server_of(&bus, &cluster)?;
    let mut connections = bus.connections();
    cluster.pause(first);
    let paused = Instant::now();
    eventually("it is noticed", NOTICED, async || {
        ensure!(bus.client.connection_state() != State::Connected || connections.has_changed()?, "connected");
        Ok(())
    })
    .await;
    eprintln!("noticed after {:?}", paused.elapsed());
    tokio::time::timeout(SOON, connections.changed()).await??;
    eprintln!("connected again after {:?}", paused.elapsed());
    is_with(&bus, &cluster, 1 - first).await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_is_left_at_once() -> anyhow::Result<()> {
    let mut cluster = NatsCluster::start(2);
    let bus = Bus::connect(&cluster.url(), "test").await?;
    speaks(&bus).await;
    let first = server_of(&bus, &cluster)?;
    cluster.kill(first);
    is_with(&bus, &cluster, 1 - first).await;
    // The one that is left dies, too, and the first comes back.
    cluster.start_again(first);
    cluster.kill(1 - first);
    is_with(&bus, &cluster, first).await;
    Ok(())
}

/// The server says nothing to a question that it does not let through: it is no stream that is missing.
#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_read_a_stream_is_told_so() -> anyhow::Result<()> {
    let nats = NatsServer::start();
    let bus = Bus::connect(&nats.url_of("receiver"), "a receiver").await?;
    let refused = bus.stream("RAW", &HashMap::new()).await.err().context("it may not")?;
    assert_eq!(refused.message, "stream RAW: the NATS user of a receiver may not read it");
    let refused = bus.bucket("alarms").await.err().context("nor that")?;
    assert_eq!(refused.message, "stream KV_alarms: the NATS user of a receiver may not read it");
    Ok(())
}
