//! Replaced trackers in the table: what others hear of them, and those that come with another IMEI of a device.

use std::collections::HashMap;

use armada_proto::{DeviceId, Timestamp, TrackerReplacementId, v1::ReplacedTracker};
use armada_runtime::{Caller, Result};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect,
    sea_query::{Expr, ExprTrait},
};

use crate::entity::{
    device,
    tracker_replacement::{Column, Entity, Model},
};

/// Those of which bindings tell: the newest eight of each device. Numbers have no gaps.
const TOLD: &str = "number > (SELECT MAX(newest.number) - 8 FROM tracker_replacement AS newest \
                    WHERE newest.device_id = tracker_replacement.device_id)";

/// The last ones of a device, the newest first.
pub async fn last(tx: &DatabaseTransaction, device: DeviceId, count: u64) -> Result<Vec<Model>> {
    let rows = Entity::find().filter(Column::DeviceId.eq(device)).order_by_desc(Column::Number);
    Ok(rows.limit(count).all(tx).await?)
}

/// What the bindings of devices say, ascending.
pub async fn of_all(
    tx: &DatabaseTransaction,
    devices: impl Iterator<Item = DeviceId>,
) -> Result<HashMap<DeviceId, Vec<ReplacedTracker>>> {
    let rows = Entity::find().filter(Column::DeviceId.is_in(devices)).filter(Expr::cust(TOLD));
    let mut replaced = HashMap::<_, Vec<_>>::new();
    for row in rows.order_by_asc(Column::Number).all(tx).await? {
        replaced.entry(row.device_id).or_default().push(row.into());
    }
    Ok(replaced)
}

/// When somebody said that trackers came to devices with another IMEI than these had, by device and IMEI; milliseconds since 1970.
pub async fn came(
    tx: &DatabaseTransaction,
    devices: impl Iterator<Item = DeviceId>,
) -> Result<HashMap<(DeviceId, String), i64>> {
    let rows = Entity::find()
        .select_only()
        .columns([Column::DeviceId, Column::Imei])
        .column_as(Column::ReplacedAt.max(), "replaced_at")
        .filter(Column::DeviceId.is_in(devices))
        .filter(Column::IsByImei.eq(false))
        .filter(Expr::col(Column::Imei).ne(Expr::col(Column::ImeiBefore)))
        .group_by(Column::DeviceId)
        .group_by(Column::Imei);
    let rows: Vec<(DeviceId, String, i64)> = rows.into_tuple().all(tx).await?;
    Ok(rows.into_iter().map(|(device, imei, at)| ((device, imei), at)).collect())
}

/// Enters that trackers were replaced, for devices that name another IMEI than before and of which nobody said more.
pub async fn by_imei(
    tx: &DatabaseTransaction,
    caller: &Caller,
    before: &[device::Model],
    rows: &[device::Model],
) -> Result<()> {
    let changed: Vec<_> = before.iter().zip(rows).filter(|(before, row)| before.imei != row.imei).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let newest = Entity::find()
        .select_only()
        .column(Column::DeviceId)
        .column_as(Column::Number.max(), "number")
        .column_as(Column::ReplacedAt.max(), "replaced_at")
        .filter(Column::DeviceId.is_in(changed.iter().map(|(_, row)| row.id)))
        .group_by(Column::DeviceId);
    let newest: Vec<(DeviceId, i32, i64)> = newest.into_tuple().all(tx).await?;
    let newest: HashMap<_, _> = newest.into_iter().map(|(device, number, at)| (device, (number, at))).collect();
    let now = Timestamp::now().millis();
    let entered = changed.into_iter().map(|(before, row)| {
        let (number, at) = newest.get(&row.id).copied().unwrap_or_default();
        let replacement = Model {
            id: TrackerReplacementId::new(),
            tenant_id: row.tenant_id,
            device_id: row.id,
            number: number + 1,
            // Whatever the clocks of other instances say, they ascend.
            replaced_at: Ord::max(now, at),
            imei_before: before.imei.clone(),
            imei: row.imei.clone(),
            is_by_imei: true,
            created_by: caller.grant.as_ref().map(|grant| grant.user_id),
            created_at: now,
            ..Model::default()
        };
        replacement.into_active_model().reset_all()
    });
    Entity::insert_many(entered).exec_without_returning(tx).await?;
    Ok(())
}
