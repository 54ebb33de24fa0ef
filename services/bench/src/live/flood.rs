//! Positions of all tenants are published while sockets listen.

use std::time::Duration;

use anyhow::{Result, ensure};
use armada_proto::Timestamp;
use armada_runtime::Bus;
use futures::{Stream, StreamExt, TryStreamExt, stream};
use tokio::{task::JoinSet, time::Instant};

use super::{
    people::{Session, Tenant},
    socket::{LiveSocket, Page, ReceivedMessages},
};
use crate::{
    devices::Device,
    latency::{self, Form},
    site::Site,
    usage::Usage,
};

/// Sockets that are opened at a time.
const AT_ONCE: usize = 16;
/// How long to listen after the last position.
const AFTER: Duration = Duration::from_secs(2);

/// What is published.
pub struct Load {
    bus: Bus,
    devices: Vec<Device>,
    rate: usize,
    seconds: u64,
}

/// What came of it.
pub struct Flood {
    pub received: ReceivedMessages,
    pub positions: u64,
    /// While they were published.
    pub used: Usage,
}

impl Load {
    /// The vehicles of all tenants report in turn, so many positions a second for so many seconds.
    pub fn new(bus: Bus, tenants: &[Tenant], rate: usize, seconds: u64) -> Self {
        Self { bus, devices: round_robin(tenants), rate, seconds }
    }

    /// Publishes while these sockets listen.
    pub async fn publish(&self, site: &Site, sockets: Vec<LiveSocket>) -> Result<Flood> {
        let since = Timestamp::now().millis();
        let until = Instant::now() + Duration::from_secs(self.seconds) + AFTER;
        let mut listening = JoinSet::new();
        for socket in sockets {
            listening.spawn(socket.listen(since, until));
        }
        let before = Usage::of(site)?;
        let (bus, devices) = (self.bus.clone(), self.devices.clone());
        let positions = latency::publish(bus, devices, self.rate, self.seconds, Form::Frames).await?;
        let used = Usage::of(site)?.since(&before);
        let mut received = ReceivedMessages::default();
        while let Some(socket) = listening.join_next().await {
            let socket = socket??;
            ensure!(socket.all.total() > 0, "a socket heard nothing");
            received.merge(&socket);
        }
        Ok(Flood { received, positions, used })
    }
}

/// Opens so many maps, of one session after the other.
pub async fn open_maps(site: &Site, sessions: &[Session], count: usize) -> Result<Vec<LiveSocket>> {
    opening(site, sessions, count, Page::Map).try_collect().await
}

/// So many sockets as they are opened, of one session after the other.
pub fn opening(site: &Site, sessions: &[Session], count: usize, page: Page) -> impl Stream<Item = Result<LiveSocket>> {
    let sessions = stream::iter(sessions.iter().cycle().take(count));
    sessions.map(move |session| LiveSocket::open(site, session, page)).buffer_unordered(AT_ONCE)
}

/// The vehicles of all tenants, one of each after the other.
pub fn round_robin(tenants: &[Tenant]) -> Vec<Device> {
    let most = tenants.iter().map(|tenant| tenant.devices.len()).max().unwrap_or_default();
    let of_place = |place: usize| tenants.iter().filter_map(move |tenant| tenant.devices.get(place).cloned());
    (0..most).flat_map(of_place).collect()
}
