//! The newest position of every device, in memory of every instance: loaded from the database, then kept up to date
//! from POSITIONS, so that any instance answers for all partitions.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, RwLock},
    time::{Duration, Instant},
};

use armada_proto::{DeviceId, TenantId, v1::VehicleState};
use armada_runtime::{
    Bus, Database, Error, Result, Scope,
    telemetry::messaging::{Messages, following},
};
use armada_track::{DayCounters, DeviceState, HotFrame, OwnEngine, Place, Position, decode_block, unite};
use async_nats::jetstream::{
    Message,
    consumer::{DeliverPolicy, pull},
};
use foldhash::fast::RandomState;
use futures::StreamExt;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, prelude::Uuid};
use tokio::sync::watch;

use super::{
    clock_watch::{ClockWatch, Heard},
    device_day::{DayRollover, DeviceDay},
};
use crate::{
    directory::tenants::TenantSettings,
    entity::{device_state, hot_frame, partition},
    streams,
};

/// On which instances hear whose counters were derived anew: the 16 bytes of each device's id.
pub const CORRECTED: &str = "ingest.corrected";
/// Frames that are read ahead. One holds up to 20,000 positions, half a megabyte: what the client asks for by itself would be
/// hundreds of megabytes of a flood.
const READ_AHEAD: i64 = 16;

/// Boxed, each stays where it is when the map grows.
type ByDevice = HashMap<DeviceId, Box<Newest>, RandomState>;

/// The newest position of a device, and the partition that took it in.
struct Newest {
    partition: u32,
    /// Others that have taken in fixes of it since they were last loaded, as before its IMEI changed: what is hot there may
    /// be in no checkpoint. Most have none.
    others: Vec<u32>,
    position: Position,
    /// Where the device was last known to be, if it ever was.
    place: Option<Place>,
    /// What the device last said of its engine hours.
    own_engine: Option<OwnEngine>,
    /// The day of the position.
    day: DeviceDay,
    /// What was heard of its clock since this process began.
    clock: ClockWatch,
}

/// The newest position of a device.
pub struct LastPosition {
    /// The device.
    pub device: DeviceId,
    /// Its newest fix.
    pub position: Position,
    /// Where it was last known to be: elsewhere than that fix says, when it jumped.
    pub place: Option<Place>,
    /// What it last said of its engine hours.
    pub own_engine: Option<OwnEngine>,
    /// The day of the position.
    pub day: DeviceDay,
    /// By how many seconds its clock is ahead, or behind where negative, if it is known to be wrong.
    pub clock_off: Option<i32>,
}

impl Newest {
    /// Another partition has its newest fix now.
    fn came_to(&mut self, partition: u32) {
        let before = std::mem::replace(&mut self.partition, partition);
        self.others.retain(|other| *other != partition);
        self.note_other(before);
    }

    fn note_other(&mut self, partition: u32) {
        if partition != self.partition && !self.others.contains(&partition) {
            self.others.push(partition);
        }
    }

    /// Whether a position takes its place. More may be told of an instant later; what another partition says of it is known
    /// to the one that has the device now.
    fn gives_way_to(&self, partition: u32, position: &Position) -> bool {
        let (known, at) = (self.position.recorded_at(), position.recorded_at());
        let says_more = || unite(&mut self.position.report.clone(), &position.report, None);
        known < at || known == at && (self.partition == partition || says_more())
    }

    fn of(&self, device: DeviceId) -> LastPosition {
        let Self { position, place, own_engine, day, clock, .. } = self;
        let (place, own_engine, day, clock_off) = (*place, *own_engine, *day, clock.seconds_off());
        LastPosition { device, position: position.clone(), place, own_engine, day, clock_off }
    }
}

/// What else a frame, or a saved state, says of a device.
struct DeviceExtras {
    place: Option<Place>,
    own_engine: Option<OwnEngine>,
    heard: Option<Heard>,
}

#[derive(Default)]
struct View {
    tenants: HashMap<TenantId, ByDevice, RandomState>,
    /// For each partition the last frame that was applied.
    watermarks: HashMap<u32, i64>,
}

impl View {
    /// Applies a frame of which the newest message was received then, in milliseconds since 1970.
    fn apply(
        &mut self,
        partition: u32,
        received_at: i64,
        frame: &HotFrame<'_>,
        settings: &TenantSettings,
    ) -> Result<()> {
        let devices = frame.devices();
        // A frame has many positions of each device: only its newest is looked up, and where it was last known to be.
        let mut newest: Vec<Option<Position>> = vec![None; devices.len()];
        let mut places: Vec<Option<Place>> = vec![None; devices.len()];
        let mut own_engines: HashMap<usize, OwnEngine> = HashMap::new();
        // The last one of each, however late.
        let mut heard: Vec<Option<Heard>> = vec![None; devices.len()];
        frame.rows().map_err(Error::internal)?.visit(|number, position| {
            let (recorded_at, is_corrected) = (position.recorded_at(), position.report.clock_corrected);
            if heard[number].is_none_or(|last| last.recorded_at <= recorded_at) {
                heard[number] = Some(Heard { recorded_at, received_at, is_corrected });
            }
            if position.late {
                return;
            }
            if position.report.attrs.is_some() {
                let (tenant, device) = devices[number];
                let known = || self.tenants.get(&tenant)?.get(&device)?.own_engine;
                let before = own_engines.get(&number).copied().or_else(known);
                own_engines.extend(OwnEngine::next(before, position, None).map(|own| (number, own)));
            }
            if position.is_good() {
                places[number] = Some(position.report.place());
            }
            match &mut newest[number] {
                // Of one instant the last one says all.
                Some(newer) if newer.recorded_at() > position.recorded_at() => {}
                Some(newest) => newest.clone_from(position),
                unseen => *unseen = Some(position.clone()),
            }
        });
        let mut rollovers: HashMap<usize, DayRollover> = HashMap::new();
        for (number, (&(tenant, device), newest)) in devices.iter().zip(&newest).enumerate() {
            if let Some(newest) = newest {
                let own_engine = own_engines.get(&number).copied();
                let extras = DeviceExtras { place: places[number], own_engine, heard: heard[number] };
                let rollover = self.put((tenant, device), partition, newest, extras, settings);
                rollovers.extend(rollover.map(|rollover| (number, rollover)));
            } else if let Some(known) = self.tenants.get_mut(&tenant).and_then(|devices| devices.get_mut(&device)) {
                known.clock.hear(heard[number]);
            }
        }
        if rollovers.is_empty() { Ok(()) } else { self.roll_over_days(frame, rollovers, settings) }
    }

    /// Begins the days of devices, by their numbers in the frame, with the very fixes around midnight: for these the frame is
    /// read again.
    fn roll_over_days(
        &mut self,
        frame: &HotFrame<'_>,
        mut rollovers: HashMap<usize, DayRollover>,
        settings: &TenantSettings,
    ) -> Result<()> {
        let devices = frame.devices();
        frame.rows().map_err(Error::internal)?.visit(|number, position| {
            if let Some(rollover) = rollovers.get_mut(&number) {
                rollover.observe(devices[number].0, position, settings);
            }
        });
        for (number, rolled) in rollovers {
            let (tenant, device) = devices[number];
            if let Some(newest) = self.tenants.get_mut(&tenant).and_then(|devices| devices.get_mut(&device)) {
                newest.day = rolled.day;
            }
        }
        Ok(())
    }

    /// Goes on with what was heard of clocks before everything was loaded anew. Of devices that were not known then only the end
    /// is.
    fn keep_clocks(&mut self, before: &Self) {
        for (tenant, devices) in &mut self.tenants {
            let before = before.tenants.get(tenant);
            for (device, newest) in devices {
                let known = before.and_then(|devices| devices.get(device));
                newest.clock = known.map_or_else(|| newest.clock.of_known_device(), |known| known.clock);
            }
        }
    }

    /// Puts in what was saved of a device, unless something newer is known.
    fn put_saved(&mut self, partition: u32, row: &device_state::Model, settings: &TenantSettings) -> Result<()> {
        let Some(position) = decode_block(&row.newest).map_err(Error::internal)?.pop() else { return Ok(()) };
        let state = DeviceState::decode(&row.state).map_err(Error::internal)?;
        let extras = DeviceExtras { place: state.place(), own_engine: state.own_engine(), heard: None };
        let day = DeviceDay::saved(DayCounters::decode(&row.today).map_err(Error::internal)?);
        self.put((row.tenant_id, row.device_id), partition, &position, extras, settings);
        let newest = self.tenants.get_mut(&row.tenant_id).and_then(|devices| devices.get_mut(&row.device_id));
        if let Some(newest) = newest.filter(|newest| newest.partition == partition) {
            newest.day = day;
        }
        Ok(())
    }

    /// Puts in the counters of a device that were derived anew up to the fix that is known, or to one not far before it: the next
    /// fix goes on from them.
    fn correct(&mut self, row: &device_state::Model) -> Result<()> {
        let Some(position) = decode_block(&row.newest).map_err(Error::internal)?.pop() else { return Ok(()) };
        let known = self.tenants.get_mut(&row.tenant_id).and_then(|devices| devices.get_mut(&row.device_id));
        let Some(newest) = known.filter(|newest| newest.partition as i32 == row.partition) else { return Ok(()) };
        if newest.position.recorded_at() == position.recorded_at() {
            (newest.position.derived, newest.position.mark) = (position.derived, position.mark);
            newest.own_engine = DeviceState::decode(&row.state).map_err(Error::internal)?.own_engine();
        }
        let day = DayCounters::decode(&row.today).map_err(Error::internal)?;
        if day.day().contains(newest.position.recorded_at()) {
            newest.day = DeviceDay::saved(day);
        }
        Ok(())
    }

    /// Takes the place of what was known before; says so when another day may have begun since.
    fn put(
        &mut self,
        (tenant, device): (TenantId, DeviceId),
        partition: u32,
        position: &Position,
        extras: DeviceExtras,
        settings: &TenantSettings,
    ) -> Option<DayRollover> {
        match self.tenants.entry(tenant).or_default().entry(device) {
            Entry::Vacant(unseen) => {
                let (position, day) = (position.clone(), DeviceDay::default());
                let DeviceExtras { place, own_engine, heard } = extras;
                let (others, mut clock) = (Vec::new(), ClockWatch::default());
                clock.hear(heard);
                unseen.insert(Box::new(Newest { partition, others, position, place, own_engine, day, clock }));
                Some(DayRollover::default())
            }
            Entry::Occupied(mut known) if known.get().gives_way_to(partition, position) => {
                let known = known.get_mut();
                known.clock.hear(extras.heard);
                let before = || Some((known.position.recorded_at(), known.position.derived));
                let ends = known.day.ends_by(position.recorded_at(), settings);
                let rollover = ends.then(|| DayRollover { day: known.day, before: before() });
                known.came_to(partition);
                known.position.clone_from(position);
                known.place = extras.place.or(known.place);
                known.own_engine = extras.own_engine.or(known.own_engine);
                rollover
            }
            Entry::Occupied(mut known) => {
                known.get_mut().clock.hear(extras.heard);
                known.get_mut().note_other(partition);
                None
            }
        }
    }
}

/// The view. Cheap to clone.
#[derive(Clone)]
pub struct LastPositions {
    /// Held after the bindings of [`crate::directory::registry::Registry`], never before them; why is said there.
    view: Arc<RwLock<View>>,
    loaded: watch::Sender<bool>,
    messages: Messages,
    settings: TenantSettings,
}

impl LastPositions {
    /// Nothing is known yet. With what says when the days of tenants begin.
    pub fn new(messages: Messages, settings: TenantSettings) -> Self {
        Self { view: Arc::default(), loaded: watch::Sender::new(false), messages, settings }
    }

    /// Waits until the view has been loaded once.
    pub async fn loaded(&self) {
        let mut loaded = self.loaded.subscribe();
        let _ = loaded.wait_for(|loaded| *loaded).await;
    }

    /// The positions of a tenant's devices that `wanted` selects, which locks nothing.
    pub fn of_tenant(&self, tenant: TenantId, wanted: impl Fn(DeviceId) -> bool) -> Vec<LastPosition> {
        let view = self.view.read().expect("no panic while held");
        let Some(devices) = view.tenants.get(&tenant) else { return Vec::new() };
        devices.iter().filter(|(device, _)| wanted(**device)).map(|(device, newest)| newest.of(*device)).collect()
    }

    /// The position of one of them.
    pub fn of_device(&self, tenant: TenantId, device: DeviceId) -> Option<LastPosition> {
        let view = self.view.read().expect("no panic while held");
        Some(view.tenants.get(&tenant)?.get(&device)?.of(device))
    }

    /// What the vehicles of a tenant do, as `state` says of the newest position of each; of the devices that `wanted`
    /// selects. Neither locks anything.
    pub fn states(
        &self,
        tenant: TenantId,
        wanted: impl Fn(DeviceId) -> bool,
        state: impl Fn(DeviceId, &Position) -> VehicleState,
    ) -> Vec<(DeviceId, VehicleState)> {
        let view = self.view.read().expect("no panic while held");
        let devices = view.tenants.get(&tenant).into_iter().flatten();
        let wanted = devices.filter(|(device, _)| wanted(**device));
        wanted.map(|(device, newest)| (*device, state(*device, &newest.position))).collect()
    }

    /// Forgets a tenant that is erased.
    pub fn forget(&self, tenant: TenantId) {
        self.view.write().expect("no panic while held").tenants.remove(&tenant);
    }

    /// Forgets a device that is erased.
    pub fn forget_device(&self, tenant: TenantId, device: DeviceId) {
        let mut view = self.view.write().expect("no panic while held");
        view.tenants.get_mut(&tenant).map(|devices| devices.remove(&device));
    }

    /// The partitions that have taken in fixes of a device, as far as is known.
    pub fn partitions_of(&self, tenant: TenantId, device: DeviceId) -> Vec<u32> {
        let view = self.view.read().expect("no panic while held");
        let newest = view.tenants.get(&tenant).and_then(|devices| devices.get(&device));
        newest.map(|newest| [&[newest.partition], &newest.others[..]].concat()).unwrap_or_default()
    }

    /// The partition that took in the newest position of a device.
    pub fn partition_of(&self, tenant: TenantId, device: DeviceId) -> Option<u32> {
        let view = self.view.read().expect("no panic while held");
        Some(view.tenants.get(&tenant)?.get(&device)?.partition)
    }

    /// What is known of the clock of a device.
    pub fn clock_of(&self, tenant: TenantId, device: DeviceId) -> Option<ClockWatch> {
        let view = self.view.read().expect("no panic while held");
        Some(view.tenants.get(&tenant)?.get(&device)?.clock)
    }

    /// The tenants that have positions.
    pub fn tenants(&self) -> Vec<TenantId> {
        self.view.read().expect("no panic while held").tenants.keys().copied().collect()
    }

    /// Keeps the view up to date for ever.
    pub async fn follow(&self, bus: &Bus, db: &Database) -> Result<()> {
        loop {
            let mut connections = bus.connections();
            tokio::select! {
                _ = connections.changed() => {}
                ended = self.follow_once(bus, db) => if let Err(error) = ended {
                    tracing::warn!(%error, "last positions: will load them anew");
                },
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }

    /// Reads POSITIONS from now on, then loads what was stored before: what comes in between comes twice and is dropped
    /// by its number. Returns when a number is missing, which loading anew mends.
    async fn follow_once(&self, bus: &Bus, db: &Database) -> Result<()> {
        self.settings.loaded().await;
        let stream = bus.stream(streams::POSITIONS, &HashMap::new()).await?;
        let config = pull::OrderedConfig {
            deliver_policy: DeliverPolicy::New,
            max_batch: READ_AHEAD,
            ..pull::OrderedConfig::default()
        };
        let consumer = stream.create_consumer(config).await.map_err(Error::unavailable)?;
        let mut messages = consumer.messages().await.map_err(Error::unavailable)?;
        let mut corrected = bus.client.subscribe(CORRECTED).await.map_err(Error::unavailable)?;
        let mut loaded = load(db, &self.settings).await?;
        {
            let mut view = self.view.write().expect("no panic while held");
            loaded.keep_clocks(&view);
            *view = loaded;
        }
        self.loaded.send_replace(true);
        loop {
            let message = tokio::select! {
                message = messages.next() => message,
                Some(corrected) = corrected.next() => {
                    self.correct(db, &corrected.payload).await?;
                    continue;
                }
            };
            let Some(message) = message else { break };
            let (begun, message) = (Instant::now(), message.map_err(Error::unavailable)?);
            let span = following(streams::POSITIONS_TEMPLATE, message.headers.as_ref());
            let taken = span.in_scope(|| self.take(&message));
            match &taken {
                Ok(()) => self.messages.processed(streams::POSITIONS_TEMPLATE, begun.elapsed()),
                Err(error) => self.messages.failed(streams::POSITIONS_TEMPLATE, error.class.as_str(), begun.elapsed()),
            }
            taken?;
        }
        Ok(())
    }

    /// Shows the counters of devices as they were saved.
    async fn correct(&self, db: &Database, ids: &[u8]) -> Result<()> {
        let devices: Vec<DeviceId> =
            ids.chunks_exact(16).filter_map(|id| Some(Uuid::from_slice(id).ok()?.into())).collect();
        let tx = db.read(&Scope::Platform).await?;
        let saved = device_state::Entity::find().filter(device_state::Column::DeviceId.is_in(devices)).all(&tx).await?;
        tx.commit().await?;
        let mut view = self.view.write().expect("no panic while held");
        for row in &saved {
            view.correct(row)?;
        }
        Ok(())
    }

    fn take(&self, message: &Message) -> Result<()> {
        let partition = message.subject.strip_prefix("positions.").and_then(|number| number.parse::<u32>().ok());
        let headers = message.headers.as_ref();
        let number = |name| headers.and_then(|headers| headers.get(name)?.as_str().parse::<i64>().ok());
        let (seq, received_at) = (number(streams::HEADER_SEQ), number(streams::HEADER_STREAM_TS));
        let (Some(partition), Some(seq), Some(received_at)) = (partition, seq, received_at) else {
            return Err(Error::internal(format!("no frame of ours on {}", message.subject)));
        };
        let frame = HotFrame::parse(&message.payload).map_err(Error::internal)?;
        let mut view = self.view.write().expect("no panic while held");
        let watermark = view.watermarks.get(&partition).copied().unwrap_or_default();
        if seq <= watermark {
            return Ok(());
        }
        if seq > watermark + 1 {
            return Err(Error::unavailable(format!(
                "frames {} to {} of partition {partition} are missing",
                watermark + 1,
                seq - 1
            )));
        }
        view.apply(partition, received_at, &frame, &self.settings)?;
        view.watermarks.insert(partition, seq);
        Ok(())
    }
}

/// What is stored: the checkpoints, and the frames since. All as of one moment: sealing moves frames away under a
/// checkpoint that is newer than theirs.
async fn load(db: &Database, settings: &TenantSettings) -> Result<View> {
    let mut view = View::default();
    let tx = db.read_whole(&Scope::Platform, hot_frame::TABLE).await?;
    for row in partition::Entity::find().all(&tx).await? {
        load_partition(&tx, &mut view, &row, settings).await?;
    }
    tx.commit().await?;
    Ok(view)
}

async fn load_partition(
    tx: &DatabaseTransaction,
    view: &mut View,
    row: &partition::Model,
    settings: &TenantSettings,
) -> Result<()> {
    let number = row.partition as u32;
    let states = device_state::Entity::find().filter(device_state::Column::Partition.eq(row.partition)).all(tx).await?;
    for saved in states.iter().filter(|saved| !saved.newest.is_empty()) {
        view.put_saved(number, saved, settings)?;
    }
    let last = hot_frame::since_checkpoint(tx, row, |at, frame| view.apply(number, at, frame, settings)).await?;
    view.watermarks.insert(number, last);
    Ok(())
}
