//! How a new owner learns what the one before it has stored.

use std::collections::{HashMap, HashSet};

use armada_proto::{DeviceId, TenantId};
use armada_runtime::{Error, Result, Scope};
use armada_track::HotFrame;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::{
    commit_batch::lost,
    context::PipelineContext,
    device_transfer::{DEVICES_AT_ONCE, restored, states},
    publisher::StoredFrame,
    split::split_large,
};
use crate::{
    directory::{bindings::Bindings, tenants::TenantSettings},
    enrich::device::{TrackedDevice, TrackedDevices},
    entity::{device_state, hot_frame, late_fix, partition},
    history::days,
};

/// What a new owner starts from.
pub(super) struct Loaded {
    /// Its partition.
    pub(super) row: partition::Model,
    /// The devices as of the last stored frame.
    pub(super) devices: TrackedDevices,
    /// Frames that are stored and not in POSITIONS yet.
    pub(super) unpublished: Vec<StoredFrame>,
    /// Of which devices something came late that is not taken into account yet.
    pub(super) late: Vec<late_fix::Model>,
}

/// Reads the checkpoint and the frames that were stored since.
pub(super) async fn load(context: &PipelineContext, partition: u32, epoch: i64) -> Result<Loaded> {
    split_large(context, partition, epoch).await?;
    let tx = context.db.read_whole(&Scope::Platform, hot_frame::TABLE).await?;
    let row = partition::Entity::find_by_id(partition as i32).one(&tx).await?;
    let row = row.filter(|row| row.epoch == epoch).ok_or_else(|| lost(partition))?;
    let saved =
        device_state::Entity::find().filter(device_state::Column::Partition.eq(partition as i32)).all(&tx).await?;
    let frames = hot_frame::Entity::find()
        .filter(hot_frame::Column::Partition.eq(partition as i32))
        .filter(hot_frame::Column::Seq.gt(row.checkpoint_seq.min(row.published_seq)))
        .order_by_asc(hot_frame::Column::Seq)
        .all(&tx)
        .await?;
    let mut devices = TrackedDevices::default();
    for saved in &saved {
        devices.insert(saved.device_id, Box::new(restored(saved)?));
    }
    let since = || frames.iter().filter(|frame| frame.seq > row.checkpoint_seq);
    let came = moved_devices(&tx, context, since(), &devices).await?;
    tx.commit().await?;
    let late = days::noted(&context.db, partition).await?;

    let bindings = context.registry.bindings();
    for frame in since() {
        restore(&mut devices, (&*bindings, &context.settings), &came, frame)?;
    }
    drop(bindings);
    for (device, mut tracked) in came {
        tracked.dirty = true;
        devices.insert(device, Box::new(tracked));
    }
    let unpublished = frames.into_iter().filter(|frame| frame.seq > row.published_seq).map(|frame| {
        let (seq, stream_ts) = (frame.seq, frame.stream_ts);
        StoredFrame { seq, stream_ts, data: frame.data.into(), traceparent: None }
    });
    Ok(Loaded { unpublished: unpublished.collect(), row, devices, late })
}

/// Devices of the frames that have no state here and one in another partition, with all that is stored of them.
async fn moved_devices<'a>(
    tx: &DatabaseTransaction,
    context: &PipelineContext,
    frames: impl Iterator<Item = &'a hot_frame::Model>,
    here: &TrackedDevices,
) -> Result<HashMap<DeviceId, TrackedDevice>> {
    let mut new = HashSet::<DeviceId>::new();
    for frame in frames {
        let frame = HotFrame::parse(&frame.data).map_err(Error::internal)?;
        new.extend(frame.devices().iter().map(|(_, device)| device).filter(|device| !here.contains_key(device)));
    }
    let new: Vec<DeviceId> = new.into_iter().collect();
    let mut came = HashMap::<DeviceId, TenantId>::new();
    for devices in new.chunks(DEVICES_AT_ONCE) {
        let elsewhere = device_state::Entity::find()
            .filter(device_state::Column::DeviceId.is_in(devices.iter().copied()))
            .select_only()
            .columns([device_state::Column::DeviceId, device_state::Column::TenantId])
            .into_tuple::<(DeviceId, TenantId)>();
        came.extend(elsewhere.all(tx).await?);
    }
    if came.is_empty() { Ok(HashMap::new()) } else { states(tx, context, &came).await }
}

/// Applies a stored frame to the states before it; `done` are as of the last frame already.
fn restore(
    devices: &mut TrackedDevices,
    (bindings, settings): (&Bindings, &TenantSettings),
    done: &HashMap<DeviceId, TrackedDevice>,
    stored: &hot_frame::Model,
) -> Result<()> {
    let frame = HotFrame::parse(&stored.data).map_err(Error::internal)?;
    for (tenant, device, position) in frame.rows().map_err(Error::internal)? {
        if done.contains_key(&device) {
            continue;
        }
        let tracked = devices.entry(device).or_insert_with(|| Box::new(TrackedDevice::new(tenant)));
        if tracked.tenant != tenant {
            **tracked = TrackedDevice::new(tenant);
        }
        tracked.restore(device, position, stored.stream_ts, bindings, settings);
    }
    Ok(())
}
