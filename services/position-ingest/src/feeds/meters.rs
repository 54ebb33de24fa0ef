//! What fleet learns of the meters of devices: once a minute, with the checkpoint that saves their states, and at the end
//! of each quarter of an hour, since a day may end there. Each is told when its commit batch is committed, and as a whole
//! when a partition has a new owner, so that nothing that was committed stays untold. Fleet keeps the newest of each day,
//! so it does no harm to tell one again.

use std::time::Duration;

use armada_proto::{
    DeviceId, TenantId,
    meters::{STREAM, subject},
    v1::{MeterDayBegin, MeterReading, MeterReadings, TenantMeterReadings},
};
use armada_runtime::{
    Bus, Context, Error, Result,
    bus::{MessageSigner, Publication},
};
use armada_track::{Counters, DayCounters, DayEnd, MetersRead};
use bytes::Bytes;
use prost::Message;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Hand-overs that wait to be published.
const WAITING: usize = 64;
/// Readings of one message: some 80 kB.
const OF_A_MESSAGE: usize = 2_000;
/// When to publish again what did not arrive.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// What was read of the meters of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetersOf {
    /// Its tenant.
    pub tenant: TenantId,
    /// The device.
    pub device: DeviceId,
    /// What was read.
    pub read: MetersRead,
    /// The day of the fix at which it was read, and what the same were when that began; none where that is not known.
    pub begin: Option<DayCounters>,
    /// How far RAW was read.
    pub version: i64,
    /// It was read at the fix of a correction, which was recorded then, milliseconds since 1970; 0 for a reading of a day.
    pub correction_at: i64,
}

impl MetersOf {
    /// What they showed at the end of a day; none where nothing was heard on it.
    pub fn of_day(tenant: TenantId, device: DeviceId, end: &DayEnd) -> Option<Self> {
        let begin = Some(end.counters);
        Some(Self { tenant, device, read: end.meters()?, begin, version: 0, correction_at: 0 })
    }

    /// What they showed at the fix of a correction.
    pub fn at_correction(tenant: TenantId, device: DeviceId, correction_at: i64, read: MetersRead) -> Self {
        Self { tenant, device, read, begin: None, version: 0, correction_at }
    }
}

/// Where the owners of partitions hand over what they have read. Cheap to clone.
#[derive(Clone)]
pub struct Meters(mpsc::Sender<(u32, Vec<MetersOf>)>);

/// The work that publishes it.
pub struct MetersPublisher {
    bus: Bus,
    signer: MessageSigner,
    waiting: mpsc::Receiver<(u32, Vec<MetersOf>)>,
}

impl Meters {
    /// The way in, and the work.
    pub fn new(context: &Context) -> Result<(Self, MetersPublisher)> {
        let (sender, waiting) = mpsc::channel(WAITING);
        let (bus, signer) = (context.bus.clone(), context.message_signer(STREAM)?);
        Ok((Self(sender), MetersPublisher { bus, signer, waiting }))
    }

    /// Tells what was read; false when too much waits already. Never waits.
    pub fn send(&self, partition: u32, meters: Vec<MetersOf>) -> bool {
        meters.is_empty() || self.0.try_send((partition, meters)).is_ok()
    }
}

impl MetersPublisher {
    /// Publishes until shutdown.
    pub async fn run(mut self, shutdown: CancellationToken) -> Result<()> {
        let for_ever = async {
            while let Some((partition, meters)) = self.waiting.recv().await {
                for part in meters.chunks(OF_A_MESSAGE) {
                    self.publish(subject(partition), message(part)).await;
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    async fn publish(&self, subject: String, readings: MeterReadings) {
        let payload = Bytes::from(readings.encode_to_vec());
        while let Err(error) = self.try_publish(&subject, payload.clone()).await {
            tracing::warn!(%error, subject, "fleet is not told of meters; will try again");
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    async fn try_publish(&self, subject: &str, payload: Bytes) -> Result<()> {
        let headers = self.signer.headers(subject, &payload)?;
        let published = self.bus.publish(Publication { subject: subject.to_owned(), headers, body: payload }).await;
        published.map(drop).map_err(Error::unavailable)
    }
}

fn message(meters: &[MetersOf]) -> MeterReadings {
    let mut tenants: Vec<TenantMeterReadings> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for meters in meters {
        let place = *places.entry(meters.tenant).or_insert_with(|| {
            tenants.push(TenantMeterReadings { tenant_id: meters.tenant.to_string(), readings: Vec::new() });
            tenants.len() - 1
        });
        let begin = meters.begin.as_ref().map(begin);
        let version = meters.version.max(0) as u64;
        let correction_at = meters.correction_at;
        let reading = reading(meters.device, &meters.read);
        tenants[place].readings.push(MeterReading { begin, version, correction_at, ..reading });
    }
    MeterReadings { tenants }
}

/// The same of the beginning of a day.
fn begin(counters: &DayCounters) -> MeterDayBegin {
    let Counters { distance_dm, engine_ms, moving_ms, idle_ms, parked_ms } = counters.begin();
    MeterDayBegin {
        at: counters.day().from,
        distance: distance_dm / 10,
        engine_seconds: engine_ms / 1_000,
        moving_seconds: moving_ms / 1_000,
        idle_seconds: idle_ms / 1_000,
        parked_seconds: parked_ms / 1_000,
        trips: counters.begin_trips(),
    }
}

/// As it is told.
pub fn reading(device: DeviceId, read: &MetersRead) -> MeterReading {
    let whole = |value: i64| value.max(0) as u64;
    MeterReading {
        device_id: device.0.as_bytes().to_vec(),
        recorded_at: read.recorded_at,
        distance: read.odometer.computed.map_or(0, whole),
        odometer: read.odometer.device.map(whole),
        engine_seconds: read.engine.computed.map(whole),
        device_engine_seconds: read.engine.device.map(whole),
        moving_seconds: whole(read.activity.moving),
        idle_seconds: whole(read.activity.idle),
        parked_seconds: whole(read.activity.parked),
        trips: read.trips.map(whole),
        begin: None,
        version: 0,
        correction_at: 0,
    }
}
