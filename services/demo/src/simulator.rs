//! Drives the vehicles: publishes a vehicle's fix in a message of its own, as most gateways do, and drives on only when it has heard what became
//! of it. Where it was is what ingest has: nothing is kept here.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap, HashMap, HashSet},
    time::Duration,
};

use anyhow::{Context as _, Result};
use armada_gateway::SinglePublisher;
use armada_proto::{
    Timestamp, binding, coded,
    command::{GatewayCommand, GatewayReply, GatewayReplyState},
    v1::{Device, DeviceBinding, LastPositionsRequest, Tenant, positions_client::PositionsClient},
};
use armada_runtime::{Context, Transport};
use armada_track::{Imei, Report};
use futures::StreamExt;
use tokio::time::{MissedTickBehavior, interval};

use super::{
    calendar::HOUR,
    commands::Commands,
    handling, imeis,
    orders::Orders,
    registrar::{Registrar, own},
    roads::Roads,
    tracker::Tracker,
};

/// A request on this subject makes the simulator look whether its tenant is still there and active; it answers when it
/// has seen to it.
pub(super) const CHECK_SUBJECT: &str = "demo.look";
/// The gateway's name in the subjects.
const GATEWAY: &str = "demo";
/// Whoever runs the machine, in the account of gateways.
pub const GATEWAYS_USER: &str = "armada-gateways";
/// How far back the first start tells.
const HISTORY: i64 = 24 * HOUR;
/// How often what is due leaves.
const TICK: Duration = Duration::from_secs(1);
/// How often it looks for the tenant and its devices without being asked.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(2);
/// Fixes after which others get their turn.
const FIXES_PER_TURN: usize = 200;
/// Fixes that are gathered at most before they leave.
const BATCH_MAX: usize = 5_000;
/// Fixes under way: a day of all vehicles is told at the first start.
const IN_FLIGHT: usize = 1_000;

/// Drives until shutdown.
pub(super) async fn run(context: Context) -> armada_runtime::Result<()> {
    let shutdown = context.shutdown.clone();
    let for_ever = async {
        loop {
            if let Err(error) = Simulator::run(&context).await {
                tracing::warn!(error = format!("{error:#}"), "the demonstration pauses; will try again");
            }
            tokio::time::sleep(RETRY).await;
        }
    };
    shutdown.run_until_cancelled(for_ever).await.unwrap_or(());
    Ok(())
}

struct Simulator {
    context: Context,
    registrar: Registrar,
    positions: PositionsClient<Transport>,
    roads: Roads,
}

impl Simulator {
    async fn run(context: &Context) -> Result<()> {
        let this = Self {
            context: context.clone(),
            registrar: Registrar::new(context)?,
            positions: PositionsClient::new(context.peers.transport(armada_position_ingest::NAME)?),
            roads: Roads::load()?,
        };
        let mut asked = context.bus.client.subscribe(CHECK_SUBJECT).await?;
        let mut commands = Commands::listen(&context.connection(GATEWAYS_USER), GATEWAY).await?;
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut looks = interval(CHECK_INTERVAL);
        let mut driven: Option<DrivingVehicles> = None;
        loop {
            tokio::select! {
                _ = ticks.tick() => {
                    let now = Timestamp::now().millis();
                    if let Some(driven) = &mut driven {
                        driven.send_due(now).await?;
                    }
                    commands.send_due(now).await?;
                }
                Some(message) = commands.next() => {
                    let now = Timestamp::now().millis();
                    let Some(command) = commands.read(&message, now).await? else { continue };
                    let reply = match &mut driven {
                        Some(driven) => driven.execute(&command, now).await?,
                        None => GatewayReply::new(&command, GatewayReplyState::NotConnected),
                    };
                    commands.answer(&command, reply, now).await?;
                }
                _ = looks.tick() => this.check_tenant(&mut driven).await?,
                Some(question) = asked.next() => {
                    this.check_tenant(&mut driven).await?;
                    if let Some(reply) = question.reply {
                        context.bus.client.publish(reply, "seen".into()).await?;
                    }
                }
            }
        }
    }

    /// Takes over what has changed of the tenant and its devices.
    async fn check_tenant(&self, driven: &mut Option<DrivingVehicles>) -> Result<()> {
        // Before everything serves, ingest cannot tell where each vehicle was last.
        if driven.is_none() && !self.context.health.is_ready() {
            return Ok(());
        }
        let tenant = self.registrar.tenant().await?.filter(|tenant| tenant.active);
        if let Some(tenant) = &tenant {
            handling::settle(&self.registrar, tenant, Timestamp::now().millis()).await?;
        }
        let devices = match &tenant {
            Some(tenant) => self.registrar.devices_of(&tenant.id).await?,
            None => Vec::new(),
        };
        let imeis: HashSet<String> = devices.iter().map(|device| device.imei.clone()).collect();
        if driven.as_ref().is_some_and(|driven| driven.imeis == imeis) {
            return Ok(());
        }
        let mut orders = HashMap::new();
        if let Some(mut before) = driven.take() {
            before.publisher.finish().await?;
            orders.extend(before.trackers.iter().map(|tracker| (tracker.imei, tracker.orders)));
        }
        if let Some(tenant) = tenant.filter(|_| !imeis.is_empty()) {
            *driven = Some(self.take_over(&tenant, &devices, imeis, &orders).await?);
        }
        Ok(())
    }

    async fn take_over(
        &self,
        tenant: &Tenant,
        devices: &[Device],
        imeis: HashSet<String>,
        orders: &HashMap<Imei, Orders>,
    ) -> Result<DrivingVehicles> {
        let bucket = self.context.bus.bucket(binding::BUCKET).await?;
        let last = self.last(&tenant.id).await?;
        let now = Timestamp::now().millis();
        let made_at = tenant.created_at.context("a tenant was made some time")?.millis();
        let publisher = SinglePublisher::new(&self.context.connection(GATEWAYS_USER), GATEWAY, IN_FLIGHT).await?;
        let mut driven = DrivingVehicles { imeis, trackers: Vec::new(), due: BinaryHeap::new(), publisher };
        for device in devices {
            let Some((imei, index)) = device.imei.parse().ok().and_then(|imei| Some((imei, imeis::index_of(imei)?)))
            else {
                continue;
            };
            let bound =
                bucket.get(binding::key(&device.imei)).await?.as_deref().and_then(coded::decode::<DeviceBinding>);
            let bound = bound.with_context(|| format!("{} is not known to ingest yet", device.name))?;
            let mut tracker = Tracker::new(&self.roads, index, imei, made_at)?;
            tracker.orders = orders.get(&imei).copied().unwrap_or_default();
            let since = match last.get(&device.id) {
                Some(last) => tracker.gathers_since(*last),
                None => i64::MIN,
            };
            let oldest = tracker.oldest(now, HISTORY).max(bound.bound_from);
            driven.add(tracker, since.max(oldest));
        }
        tracing::info!(vehicles = driven.trackers.len(), "the demonstration drives");
        Ok(driven)
    }

    /// The newest fix that ingest has of each device.
    async fn last(&self, tenant: &str) -> Result<HashMap<String, i64>> {
        let request = LastPositionsRequest { tenant_id: Some(tenant.to_owned()), ..LastPositionsRequest::default() };
        let caller = self.registrar.caller()?;
        let list = self.positions.clone().last(caller.sign(request)).await.map_err(own)?.into_inner();
        Ok(list.items.into_iter().filter_map(|item| Some((item.device_id, item.recorded_at?.millis()))).collect())
    }
}

/// The next fix of a tracker: when it leaves, when it is taken, whose it is, and whether it was kept for want of a network.
type Due = Reverse<(i64, i64, usize, bool)>;

/// Vehicles on their way.
struct DrivingVehicles {
    /// Of all devices of the tenant.
    imeis: HashSet<String>,
    trackers: Vec<Tracker>,
    due: BinaryHeap<Due>,
    publisher: SinglePublisher,
}

impl DrivingVehicles {
    fn add(&mut self, tracker: Tracker, since: i64) {
        let number = self.trackers.len();
        self.trackers.push(tracker);
        self.expect(number, since, false);
    }

    /// Sends everything that is due.
    async fn send_due(&mut self, now: i64) -> Result<()> {
        let mut gathered = BTreeMap::<Imei, Vec<Report>>::new();
        let mut done = 0;
        while let Some(Reverse((leaves, taken, number, kept))) = self.due.peek().copied()
            && leaves <= now
        {
            self.due.pop();
            let tracker = &mut self.trackers[number];
            let imei = tracker.imei;
            if let Some(fix) = tracker.fix(taken) {
                gathered.entry(imei).or_default().push(fix);
            }
            self.expect(number, taken, kept);
            done += 1;
            if done % BATCH_MAX == 0 {
                self.send(&mut gathered).await?;
            } else if done % FIXES_PER_TURN == 0 {
                tokio::task::yield_now().await;
            }
        }
        self.send(&mut gathered).await
    }

    /// Has the tracker of a command carry it out; what it says of it. It reports at once what has changed.
    async fn execute(&mut self, command: &GatewayCommand, now: i64) -> Result<GatewayReply> {
        let is_meant = |tracker: &Tracker| tracker.imei.to_string() == command.imei && tracker.is_connected(now);
        let Some(number) = self.trackers.iter().position(is_meant) else {
            return Ok(GatewayReply::new(command, GatewayReplyState::NotConnected));
        };
        // What was due before leaves before.
        self.send_due(now).await?;
        let tracker = &mut self.trackers[number];
        let text = match tracker.execute(command, now) {
            Ok(text) => text,
            Err(reason) => return Ok(GatewayReply::failed(command, reason)),
        };
        if matches!(command.kind.as_str(), "engine_stop" | "engine_resume" | "position_single") {
            let (imei, fix) = (tracker.imei, tracker.fix_now(now));
            self.publisher.push_all(imei, &[fix]).await?;
        }
        if command.kind == "position_periodic" {
            self.due.retain(|Reverse((_, _, whose, kept))| *whose != number || *kept);
            self.expect(number, now, false);
        }
        Ok(GatewayReply { text, ..GatewayReply::new(command, GatewayReplyState::Acknowledged) })
    }

    /// A message for each vehicle: with one fix of now, or with those of a while that it has kept.
    async fn send(&mut self, gathered: &mut BTreeMap<Imei, Vec<Report>>) -> Result<()> {
        for (imei, fixes) in std::mem::take(gathered) {
            self.publisher.push_all(imei, &fixes).await?;
        }
        Ok(())
    }

    /// Notes what comes after the instant `taken`. Where the network is lost, what is kept goes on beside what is sent.
    fn expect(&mut self, number: usize, taken: i64, kept: bool) {
        let tracker = &self.trackers[number];
        let next = tracker.next_slot(taken);
        match tracker.reconnects_at(next) {
            None if kept => {}
            None => self.due.push(Reverse((next, next, number, false))),
            Some(back) if kept => self.due.push(Reverse((back.sends_kept, next, number, true))),
            Some(back) => {
                self.due.push(Reverse((back.sends_kept, next, number, true)));
                let next = tracker.next_slot(back.at);
                self.due.push(Reverse((next, next, number, false)));
            }
        }
    }
}
