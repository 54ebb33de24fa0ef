//! What a device brings with it from another partition. A changed IMEI leads most devices to another one; odometer,
//! counters and the state of parking go on there.
//!
//! The fix that shows it is held, and with it everything behind it in RAW. What was before it is committed first, in
//! this partition and in those where the device may have been; then its state is read from what they have stored. Two
//! owners never wait for each other: each waits for what is before its own message, and the foremost one waits for
//! nobody.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use armada_proto::{DeviceId, TenantId};
use armada_runtime::{Code, Error, Result, Scope};
use armada_track::{DayCounters, DeviceState, EventWatch, Position, Replacements, TripCounter, decode_block};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter};

use super::context::PipelineContext;
use crate::{
    directory::bindings::Binding,
    enrich::device::TrackedDevice,
    entity::{device_state, hot_frame, partition},
    live::device_day::DeviceDay,
    streams,
};

/// Devices of one question: SQLite takes 32,766 parameters.
pub(super) const DEVICES_AT_ONCE: usize = 10_000;
/// Pause before another partition is asked again how far it is.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The devices of `bindings` as of all that RAW has before sequence `below`; a device that was nowhere is not among
/// them. Waits for other partitions, and while NATS or the database is away.
pub(super) async fn inherit(
    context: PipelineContext,
    own: u32,
    bindings: Vec<Binding>,
    below: u64,
) -> Result<HashMap<DeviceId, TrackedDevice>> {
    let partitions = context.config.partitions;
    let mut ahead = BTreeSet::new();
    for binding in &bindings {
        ahead.extend(binding.former.map(|former| former.partition(partitions)));
        ahead.extend(context.last.partition_of(binding.tenant, binding.device));
    }
    ahead.remove(&own);
    let devices = bindings.iter().map(|binding| (binding.device, binding.tenant)).collect();
    loop {
        let stored = async {
            for &partition in &ahead {
                if !has_stored(&context, partition, below).await? {
                    return Ok(None);
                }
            }
            let tx = context.db.read_whole(&Scope::Platform, hot_frame::TABLE).await?;
            let states = states(&tx, &context, &devices).await?;
            tx.commit().await?;
            Ok(Some(states))
        };
        match stored.await {
            Ok(Some(states)) => return Ok(states),
            Ok(None) => {}
            Err(Error { class: Code::Unavailable, message, .. }) => {
                tracing::warn!(partition = own, "cannot read what other partitions know; will try again: {message}");
            }
            Err(error) => return Err(error),
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Whether a partition has stored everything that RAW has for it before a sequence.
async fn has_stored(context: &PipelineContext, number: u32, below: u64) -> Result<bool> {
    let tx = context.db.read(&Scope::Platform).await?;
    let row = partition::Entity::find_by_id(number as i32).one(&tx).await?;
    tx.commit().await?;
    let next = row.map_or(1, |row| row.next_seq.max(1) as u64);
    if next >= below {
        return Ok(true);
    }
    let stream = streams::raw(&context.bus, &context.config).await?;
    let unread = streams::first_from(&stream, streams::raw_subject(number), next).await?;
    Ok(unread.is_none_or(|message| message.sequence >= below))
}

/// What is stored of devices in all partitions: the newest checkpoint of each, and the frames since. A device that is
/// with another tenant now has no past.
pub(super) async fn states(
    tx: &DatabaseTransaction,
    context: &PipelineContext,
    devices: &HashMap<DeviceId, TenantId>,
) -> Result<HashMap<DeviceId, TrackedDevice>> {
    let mut tracked = HashMap::new();
    let ids: Vec<DeviceId> = devices.keys().copied().collect();
    for ids in ids.chunks(DEVICES_AT_ONCE) {
        let rows = device_state::Entity::find().filter(device_state::Column::DeviceId.is_in(ids.iter().copied()));
        for row in rows.all(tx).await? {
            if devices.get(&row.device_id) == Some(&row.tenant_id) {
                keep_newest(&mut tracked, row)?;
            }
        }
    }
    let mut since = HashMap::<DeviceId, Vec<Received>>::new();
    for row in partition::Entity::find().all(tx).await? {
        collect_since(tx, &row, devices, &mut since).await?;
    }
    let bindings = context.registry.bindings();
    for (device, mut positions) in since {
        let tracked = tracked.entry(device).or_insert_with(|| TrackedDevice::new(devices[&device]));
        positions.sort_by_key(|(_, position)| position.recorded_at());
        for (received_at, position) in positions {
            // What the checkpoint of a later partition knows already is older than its newest fix.
            let (newest, at) = (tracked.state.recorded_at(), position.recorded_at());
            // More may have been told of its newest fix.
            let says_more = || tracked.newest.as_ref().is_none_or(|newest| newest.report != position.report);
            if newest.is_none_or(|newest| newest < at || newest == at && says_more()) {
                tracked.restore(device, position, received_at, &bindings, &context.settings);
            }
        }
    }
    Ok(tracked)
}

fn keep_newest(tracked: &mut HashMap<DeviceId, TrackedDevice>, row: device_state::Model) -> Result<()> {
    let restored = restored(&row)?;
    let newer = |other: &TrackedDevice| other.state.recorded_at() < restored.state.recorded_at();
    if tracked.get(&row.device_id).is_none_or(newer) {
        tracked.insert(row.device_id, restored);
    }
    Ok(())
}

/// A device as its row says.
pub(super) fn restored(row: &device_state::Model) -> Result<TrackedDevice> {
    let state = DeviceState::decode(&row.state).map_err(Error::internal)?;
    let newest = if row.newest.is_empty() { None } else { decode_block(&row.newest).map_err(Error::internal)?.pop() };
    let watch = EventWatch::decode(&row.watch).map_err(Error::internal)?;
    let day = DeviceDay::saved(DayCounters::decode(&row.today).map_err(Error::internal)?);
    let trips = TripCounter::decode(&row.trips).map_err(Error::internal)?;
    let replaced = Replacements::decode(&row.replaced).map_err(Error::internal)?;
    Ok(TrackedDevice { state, watch, day, trips, newest, replaced, ..TrackedDevice::new(row.tenant_id) })
}

/// A position, and when its commit batch was received, milliseconds since 1970.
type Received = (i64, Position);

/// The positions that moved devices forward since the checkpoint of a partition.
async fn collect_since(
    tx: &DatabaseTransaction,
    row: &partition::Model,
    devices: &HashMap<DeviceId, TenantId>,
    found: &mut HashMap<DeviceId, Vec<Received>>,
) -> Result<()> {
    let wanted = |(tenant, device): &(TenantId, DeviceId)| devices.get(device) == Some(tenant);
    hot_frame::since_checkpoint(tx, row, |received_at, frame| {
        if !frame.devices().iter().any(wanted) {
            return Ok(());
        }
        for (tenant, device, position) in frame.rows().map_err(Error::internal)? {
            if !position.late && wanted(&(tenant, device)) {
                found.entry(device).or_default().push((received_at, position));
            }
        }
        Ok(())
    })
    .await?;
    Ok(())
}
