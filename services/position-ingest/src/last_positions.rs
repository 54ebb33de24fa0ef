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
use armada_track::{DeviceState, HotFrame, OwnEngine, Place, Position, decode_block};
use async_nats::jetstream::{
    Message,
    consumer::{DeliverPolicy, pull},
};
use foldhash::fast::RandomState;
use futures::StreamExt;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter};
use tokio::sync::watch;

use crate::{
    entity::{device_state, hot_frame, partition},
    streams,
};

type ByDevice = HashMap<DeviceId, Newest, RandomState>;

/// The newest position of a device, and the partition that took it in.
struct Newest {
    partition: u32,
    position: Position,
    /// Where the device was last known to be, if it ever was.
    place: Option<Place>,
    /// What the device last said of its engine hours.
    own_engine: Option<OwnEngine>,
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
}

impl Newest {
    fn of(&self, device: DeviceId) -> LastPosition {
        LastPosition { device, position: self.position.clone(), place: self.place, own_engine: self.own_engine }
    }
}

#[derive(Default)]
struct View {
    tenants: HashMap<TenantId, ByDevice, RandomState>,
    /// For each partition the last frame that was applied.
    watermarks: HashMap<u32, i64>,
}

impl View {
    fn apply(&mut self, partition: u32, frame: &HotFrame<'_>) -> Result<()> {
        let devices = frame.devices();
        // A frame has many positions of each device: only its newest is looked up, and where it was last known to be.
        let mut newest: Vec<Option<Position>> = vec![None; devices.len()];
        let mut places: Vec<Option<Place>> = vec![None; devices.len()];
        let mut own_engines: HashMap<usize, OwnEngine> = HashMap::new();
        frame.rows().map_err(Error::internal)?.visit(|number, position| {
            if position.late {
                return;
            }
            if position.report.attrs.is_some()
                && let Some(own) = OwnEngine::of(position)
            {
                own_engines.insert(number, own);
            }
            if position.is_good() {
                places[number] = Some(position.report.place());
            }
            match &mut newest[number] {
                Some(newer) if newer.recorded_at() >= position.recorded_at() => {}
                Some(newest) => newest.clone_from(position),
                unseen => *unseen = Some(position.clone()),
            }
        });
        for (number, (&(tenant, device), newest)) in devices.iter().zip(newest).enumerate() {
            if let Some(position) = newest {
                let own_engine = own_engines.remove(&number);
                self.put(tenant, device, Newest { partition, position, place: places[number], own_engine });
            }
        }
        Ok(())
    }

    fn put(&mut self, tenant: TenantId, device: DeviceId, newest: Newest) {
        match self.tenants.entry(tenant).or_default().entry(device) {
            Entry::Vacant(unseen) => drop(unseen.insert(newest)),
            Entry::Occupied(mut known) if known.get().position.recorded_at() < newest.position.recorded_at() => {
                let known = known.get_mut();
                let (place, own_engine) = (newest.place.or(known.place), newest.own_engine.or(known.own_engine));
                *known = Newest { place, own_engine, ..newest };
            }
            Entry::Occupied(_) => {}
        }
    }
}

/// The view. Cheap to clone.
#[derive(Clone)]
pub struct LastPositions {
    view: Arc<RwLock<View>>,
    loaded: watch::Sender<bool>,
    messages: Messages,
}

impl LastPositions {
    /// Nothing is known yet.
    pub fn new(messages: Messages) -> Self {
        Self { view: Arc::default(), loaded: watch::Sender::new(false), messages }
    }

    /// Waits until the view has been loaded once.
    pub async fn loaded(&self) {
        let mut loaded = self.loaded.subscribe();
        let _ = loaded.wait_for(|loaded| *loaded).await;
    }

    /// The positions of a tenant's devices that `wanted` selects.
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

    /// What the vehicles of a tenant do at `now`, in milliseconds since 1970; of the devices that `wanted` selects.
    /// `offline_ms` says for how long, in milliseconds, each of them may be silent.
    pub fn states(
        &self,
        tenant: TenantId,
        now: i64,
        wanted: impl Fn(DeviceId) -> bool,
        offline_ms: impl Fn(DeviceId) -> i64,
    ) -> Vec<(DeviceId, VehicleState)> {
        let view = self.view.read().expect("no panic while held");
        let devices = view.tenants.get(&tenant).into_iter().flatten();
        let wanted = devices.filter(|(device, _)| wanted(**device));
        let state = |newest: &Newest, device| newest.position.vehicle_state(now, offline_ms(device));
        wanted.map(|(device, newest)| (*device, state(newest, *device))).collect()
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

    /// The partition that took in the newest position of a device.
    pub fn partition_of(&self, tenant: TenantId, device: DeviceId) -> Option<u32> {
        let view = self.view.read().expect("no panic while held");
        Some(view.tenants.get(&tenant)?.get(&device)?.partition)
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
        let stream = bus.stream(streams::POSITIONS, &HashMap::new()).await?;
        let config = pull::OrderedConfig { deliver_policy: DeliverPolicy::New, ..pull::OrderedConfig::default() };
        let consumer = stream.create_consumer(config).await.map_err(Error::unavailable)?;
        let mut messages = consumer.messages().await.map_err(Error::unavailable)?;
        let loaded = load(db).await?;
        *self.view.write().expect("no panic while held") = loaded;
        self.loaded.send_replace(true);
        while let Some(message) = messages.next().await {
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

    fn take(&self, message: &Message) -> Result<()> {
        let partition = message.subject.strip_prefix("positions.").and_then(|number| number.parse::<u32>().ok());
        let seq = message.headers.as_ref().and_then(|headers| headers.get(streams::HEADER_SEQ));
        let seq = seq.and_then(|seq| seq.as_str().parse::<i64>().ok());
        let (Some(partition), Some(seq)) = (partition, seq) else {
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
        view.apply(partition, &frame)?;
        view.watermarks.insert(partition, seq);
        Ok(())
    }
}

/// What is stored: the checkpoints, and the frames since. All as of one moment: sealing moves frames away under a
/// checkpoint that is newer than theirs.
async fn load(db: &Database) -> Result<View> {
    let mut view = View::default();
    let tx = db.read(&Scope::Platform).await?;
    for row in partition::Entity::find().all(&tx).await? {
        load_partition(&tx, &mut view, &row).await?;
    }
    tx.commit().await?;
    Ok(view)
}

async fn load_partition(tx: &DatabaseTransaction, view: &mut View, row: &partition::Model) -> Result<()> {
    let number = row.partition as u32;
    let states = device_state::Entity::find().filter(device_state::Column::Partition.eq(row.partition)).all(tx).await?;
    for row in states.into_iter().filter(|row| !row.newest.is_empty()) {
        if let Some(position) = decode_block(&row.newest).map_err(Error::internal)?.pop() {
            let state = DeviceState::decode(&row.state).map_err(Error::internal)?;
            let (place, own_engine) = (state.place(), state.own_engine());
            view.put(row.tenant_id, row.device_id, Newest { partition: number, position, place, own_engine });
        }
    }
    let last = hot_frame::since_checkpoint(tx, row, |frame| view.apply(number, frame)).await?;
    view.watermarks.insert(number, last);
    Ok(())
}
