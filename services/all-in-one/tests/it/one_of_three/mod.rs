//! Three NATS servers with three copies of everything, PostgreSQL, and two of each service as processes. One of each is
//! killed, and one stands still, under a publisher, sockets and reads: nothing is lost, the map is live again within ten
//! seconds, no process is out of service for a NATS server, and no read is refused by both edges.

mod instances;
mod publisher;
mod reads;
mod screen;
mod watch;

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use armada_testkit::{Kind, NatsCluster, eventually};
use nix::sys::signal::Signal;

use self::{
    instances::{Instances, SERVICES},
    publisher::Publisher,
    reads::Reads,
    screen::Screen,
    watch::Watch,
};
use crate::support::site::Site;

/// The map moves again within this time.
const LIVE_AGAIN: Duration = Duration::from_secs(10);
/// Until everything is as before, on a busy machine.
const RECOVERED: Duration = Duration::from_secs(180);

/// What stands on the stage.
struct Stage {
    nats: NatsCluster,
    instances: Instances,
    screen: Screen,
    /// What the map has stood still for longer than it may.
    too_long: Vec<String>,
}

impl Stage {
    /// Waits until the map has gone on for a while after something was taken away, and looks how long it stood still.
    async fn stays_live(&mut self, what: &str, taken: Instant) {
        self.screen.moves_after(taken + LIVE_AGAIN, RECOVERED).await;
        let still = self.screen.longest_standstill_since(taken);
        eprintln!("{what}: the map stood still for {still:?}");
        if still > LIVE_AGAIN {
            self.too_long.push(format!("{what}: {still:?}"));
        }
    }

    async fn without_nats_servers(&mut self) -> Result<()> {
        for number in 0..3 {
            let taken = Instant::now();
            self.nats.kill(number);
            self.stays_live(&format!("NATS server {number} killed"), taken).await;
            self.nats.start_again(number);
            self.instances.have_everything(RECOVERED).await;

            let taken = Instant::now();
            self.nats.pause(number);
            self.stays_live(&format!("NATS server {number} stopped"), taken).await;
            self.nats.resume(number);
            self.instances.have_everything(RECOVERED).await;
        }
        self.instances.none_has_ended()
    }

    async fn without_instances(&mut self) -> Result<()> {
        for service in SERVICES {
            let taken = Instant::now();
            self.instances.kill(service, 0);
            self.stays_live(&format!("{service} killed"), taken).await;
            self.instances.keep_running()?;
            self.instances.have_everything(RECOVERED).await;

            let taken = Instant::now();
            self.instances.signal(service, 1, Signal::SIGSTOP);
            self.stays_live(&format!("{service} stopped"), taken).await;
            self.instances.signal(service, 1, Signal::SIGCONT);
            // One that stood still for long enough has lost what it owned, and may end to be started anew.
            eventually("it is there again", RECOVERED, async || {
                self.instances.keep_running()?;
                ensure!(self.instances.missing().await?.is_empty(), "something is missing");
                Ok(())
            })
            .await;
        }
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes six minutes; see docs/TESTING.md"]
async fn one_of_each_may_die_or_stand_still() -> Result<()> {
    let nats = NatsCluster::start(3);
    let mut site = Site::new(Kind::Postgres).await;
    site.use_nats_at(&nats.url(), &nats.gateways_url());
    site.set("ARMADA_NATS_MONITOR_URL", nats.monitors());
    site.set("ARMADA_STREAM_REPLICAS", "3");
    let mut instances = Instances::start(site);
    instances.migrate_and_wait(RECOVERED).await?;

    let edges = instances.edges();
    let owner = instances.owner(RECOVERED).await;
    let publisher = Publisher::start(&owner, &nats.gateways_url()).await?;
    let screen = Screen::open(&instances, publisher.devices()).await;
    let reads = Reads::start(&instances, &edges).await?;
    screen.moves_after(Instant::now(), RECOVERED).await;

    let mut stage = Stage { nats, instances, screen, too_long: Vec::new() };
    let watch = Watch::start(stage.instances.admins());
    stage.without_nats_servers().await?;
    let said_no = watch.stop().await;
    assert!(said_no.is_empty(), "out of service for a NATS server: {said_no:#?}");
    stage.without_instances().await?;

    let refused = reads.stop().await;
    assert!(refused.is_empty(), "refused by both edges: {refused:#?}");
    assert!(stage.too_long.is_empty(), "the map stood still: {:#?}", stage.too_long);
    publisher.stop_and_compare(&stage.instances.owner(RECOVERED).await, RECOVERED).await
}
