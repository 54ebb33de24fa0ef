//! How a new owner learns what the one before it has stored.

use std::collections::HashMap;

use armada_proto::DeviceId;
use armada_runtime::{Database, Error, Result, Scope};
use armada_track::{DeviceState, HotFrame, decode_block};
use foldhash::fast::RandomState;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};

use super::rounds::lost;
use crate::{
    entity::{device_state, hot_frame, partition},
    intake::Known,
    publisher::StoredFrame,
};

/// What a new owner starts from.
pub(super) struct Loaded {
    /// Its partition.
    pub(super) row: partition::Model,
    /// The devices as of the last stored frame.
    pub(super) devices: HashMap<DeviceId, Known, RandomState>,
    /// Frames that are stored and not in POSITIONS yet.
    pub(super) unpublished: Vec<StoredFrame>,
}

/// Reads the checkpoint and the frames that were stored since.
pub(super) async fn load(db: &Database, partition: u32, epoch: i64) -> Result<Loaded> {
    let tx = db.read(&Scope::Platform).await?;
    let row = partition::Entity::find_by_id(partition as i32).one(&tx).await?;
    let row = row.filter(|row| row.epoch == epoch).ok_or_else(|| lost(partition))?;
    let states =
        device_state::Entity::find().filter(device_state::Column::Partition.eq(partition as i32)).all(&tx).await?;
    let frames = hot_frame::Entity::find()
        .filter(hot_frame::Column::Partition.eq(partition as i32))
        .filter(hot_frame::Column::Seq.gt(row.checkpoint_seq.min(row.published_seq)))
        .order_by_asc(hot_frame::Column::Seq)
        .all(&tx)
        .await?;
    tx.commit().await?;

    let mut devices = HashMap::default();
    for saved in states {
        let state = DeviceState::decode(&saved.state).map_err(Error::internal)?;
        let newest =
            if saved.newest.is_empty() { None } else { decode_block(&saved.newest).map_err(Error::internal)?.pop() };
        devices.insert(saved.device_id, Known::restored(saved.tenant_id, state, newest));
    }
    let mut unpublished = Vec::new();
    for frame in frames {
        if frame.seq > row.checkpoint_seq {
            restore(&mut devices, &frame.data)?;
        }
        if frame.seq > row.published_seq {
            let (seq, stream_ts) = (frame.seq, frame.stream_ts);
            unpublished.push(StoredFrame { seq, stream_ts, data: frame.data.into(), traceparent: None });
        }
    }
    Ok(Loaded { row, devices, unpublished })
}

/// Applies a stored frame to the states before it.
fn restore(devices: &mut HashMap<DeviceId, Known, RandomState>, data: &[u8]) -> Result<()> {
    let frame = HotFrame::parse(data).map_err(Error::internal)?;
    for (tenant, device, position) in frame.rows().map_err(Error::internal)? {
        let known = devices.entry(device).or_insert_with(|| Known::restored(tenant, DeviceState::default(), None));
        if known.tenant != tenant {
            *known = Known::restored(tenant, DeviceState::default(), None);
        }
        known.state.restore(&position);
        known.dirty = true;
        if !position.late {
            known.newest = Some(position);
        }
    }
    Ok(())
}
