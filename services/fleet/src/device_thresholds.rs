//! The thresholds that hold for a device: its own, else those of its tenant. They go with its binding to whoever reads its
//! fixes.

use std::collections::{BTreeSet, HashMap};

use armada_proto::{TenantId, v1::DeviceInput};
use armada_runtime::{Error, Result};
use armada_track::DeviceThresholds;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter};

use crate::entity::{
    device,
    thresholds::{Column, Entity},
};

/// What is wrong when a vehicle is offline before its position is old: the field that a request says of it, if it says
/// any.
pub fn refusal(offline_seconds: Option<u32>, stale_seconds: Option<u32>) -> Option<Error> {
    let below_stale = offline_seconds.map(|_| Error::field("offline_seconds", "below_stale"));
    below_stale.or_else(|| stale_seconds.map(|_| Error::field("stale_seconds", "above_offline")))
}

/// What is wrong when a device would be offline before its position is old; none when a request says nothing of it.
pub fn refusal_of(input: &DeviceInput) -> Option<Error> {
    refusal(input.offline_seconds, input.stale_seconds)
}

/// An error when one of these devices would be offline before its position is old: the one that is said of it.
pub async fn check(tx: &DatabaseTransaction, rows: Vec<(&device::Model, Error)>) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let of_tenants = of_tenants(tx, rows.iter().map(|(row, _)| row.tenant_id)).await?;
    for (row, error) in rows {
        let thresholds = row.thresholds(usual_of(&of_tenants, row));
        if thresholds.offline_seconds < thresholds.stale_seconds {
            return Err(error);
        }
    }
    Ok(())
}

/// Those of the tenants that have changed them.
pub async fn of_tenants(
    tx: &DatabaseTransaction,
    tenants: impl Iterator<Item = TenantId>,
) -> Result<HashMap<TenantId, DeviceThresholds>> {
    let tenants: BTreeSet<TenantId> = tenants.collect();
    let rows = Entity::find().filter(Column::TenantId.is_in(tenants)).all(tx).await?;
    Ok(rows.into_iter().map(|row| (row.tenant_id, row.values())).collect())
}

/// What holds for a device. Its tenant may have changed its own since the device chose some: a device is never offline
/// before its position is old.
pub fn of_device(of_tenants: &HashMap<TenantId, DeviceThresholds>, row: &device::Model) -> DeviceThresholds {
    let thresholds = row.thresholds(usual_of(of_tenants, row));
    DeviceThresholds { offline_seconds: thresholds.offline_seconds.max(thresholds.stale_seconds), ..thresholds }
}

fn usual_of(of_tenants: &HashMap<TenantId, DeviceThresholds>, row: &device::Model) -> DeviceThresholds {
    of_tenants.get(&row.tenant_id).copied().unwrap_or_default()
}
