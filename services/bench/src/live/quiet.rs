//! Thousands of sockets of people who look at something else than the map, in tenants where nothing happens: what the
//! program keeps for each.

use std::{convert::Infallible, pin::pin, time::Duration};

use anyhow::{Context as _, Result};
use armada_runtime::Bus;
use futures::StreamExt;
use tokio::{task::JoinSet, time::sleep};

use super::{
    flood::{opening, round_robin},
    people::{Person, Session, Tenant},
    socket::Page,
};
use crate::{
    latency::{self, Form},
    site::Site,
    usage::Usage,
};

const TENANTS: usize = 4;
/// Vehicles of each: a socket keeps something for each that it sees.
const DEVICES: usize = 10;
/// Sockets of one user.
const SOCKETS_EACH: usize = 25;
/// Of so many sockets one is opened before memory is looked at, so that what there is once is there.
const WARM_UP_EVERY: usize = 50;
/// How long to wait until memory is looked at: what opening takes is given back by then.
const SETTLE_DELAY: Duration = Duration::from_secs(10);

/// What they take.
pub struct Quiet {
    /// Sockets that were opened between the two looks.
    pub sockets: usize,
    /// Resident memory of the program, bytes.
    pub before: u64,
    pub after: u64,
}

impl Quiet {
    /// Bytes of each socket.
    pub fn each(&self) -> f64 {
        self.after.saturating_sub(self.before) as f64 / self.sockets.max(1) as f64
    }
}

/// Opens so many, and closes them again.
pub async fn measure(site: &Site, bus: &Bus, count: usize) -> Result<Quiet> {
    let mut tenants = Vec::new();
    for number in 1..=TENANTS {
        tenants.push(Tenant::make(site, &format!("quiet-{number}"), DEVICES).await?);
    }
    // Each has been somewhere once.
    let devices = round_robin(&tenants);
    latency::publish(bus.clone(), devices, TENANTS * DEVICES * 10, 1, Form::Frames).await?;
    eprintln!("{count} quiet sockets");
    let people = Person::admins(site, "quiet", &tenants, count.div_ceil(SOCKETS_EACH)).await?;
    let sessions = Session::of(site, &people).await?;
    let warm = count.div_ceil(WARM_UP_EVERY);
    let mut open = JoinSet::new();
    open_more(site, &sessions, warm, &mut open).await?;
    sleep(SETTLE_DELAY).await;
    let before = Usage::of(site)?.program_rss_bytes;
    open_more(site, &sessions, count - warm, &mut open).await?;
    sleep(SETTLE_DELAY).await;
    let after = Usage::of(site)?.program_rss_bytes;
    if let Some(ended) = open.try_join_next() {
        match ended?.context("a quiet socket")? {}
    }
    open.shutdown().await;
    Ok(Quiet { sockets: count - warm, before, after })
}

/// Opens so many more, of one session after the other; from then on each answers pings.
async fn open_more(
    site: &Site,
    sessions: &[Session],
    count: usize,
    open: &mut JoinSet<Result<Infallible>>,
) -> Result<()> {
    let mut opening = pin!(opening(site, sessions, count, Page::Other));
    while let Some(socket) = opening.next().await {
        open.spawn(socket?.stay());
    }
    Ok(())
}
