//! How devices were left when their days ended: what whoever derives goes on from.

use armada_proto::{DeviceId, TenantId};
use armada_runtime::{Database, Error, Result, Scope};
use armada_track::TrackState;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};

use crate::entity::device_day;

/// How a device was left by the last day that was over by `at`, milliseconds since 1970, and when that ended; none where no such
/// day is known.
pub async fn left_before(
    db: &Database,
    (tenant, device): (TenantId, DeviceId),
    at: i64,
) -> Result<Option<(i64, TrackState)>> {
    use device_day::Column;
    let tx = db.read(&Scope::Tenant(tenant)).await?;
    let of_device = device_day::Entity::find().filter(Column::TenantId.eq(tenant)).filter(Column::DeviceId.eq(device));
    let last = of_device.filter(Column::EndsAt.lte(at)).order_by_desc(Column::BeginsAt).one(&tx).await?;
    tx.commit().await?;
    last.map(|day| Ok((day.ends_at, TrackState::decode(&day.state).map_err(Error::internal)?))).transpose()
}
