//! The devices of a link.

use armada_runtime::{Result, Scope};
use sea_orm::{ColumnTrait, DatabaseTransaction, QueryFilter, Select};

use super::sharers::Sharer;
use crate::{
    devices::groups,
    entity::{device, device_member, share_link::Model},
    members,
};

/// Devices that one link shows.
pub(super) const DEVICES_MAX: u64 = 500;

/// The devices that a link shows when its maker is such a one.
pub(super) async fn shown(tx: &DatabaseTransaction, link: &Model, sharer: Sharer) -> Result<Select<device::Entity>> {
    let mut rows = device::Entity::within(Scope::Tenant(link.tenant_id));
    if let Sharer::Owner(user) = sharer {
        let owned = device_member::Entity::devices_of([user], members::OWNERS);
        rows = rows.filter(device::Column::Id.in_subquery(owned));
    }
    Ok(match link.device_id {
        Some(device) => rows.filter(device::Column::Id.eq(device)),
        None => rows.filter(groups::is_in_any(groups::with_inner(tx, link.device_group_id.as_slice()).await?)),
    })
}
