//! The devices of a link.

use armada_runtime::Scope;
use sea_orm::{ColumnTrait, QueryFilter, Select};

use super::sharers::Sharer;
use crate::{
    devices::groups::is_in_any,
    entity::{device, device_member, share_link::Model},
    members,
};

/// Devices that one link shows.
pub(super) const MOST: u64 = 500;

/// The devices that a link shows when its maker is such a one.
pub(super) fn shown(link: &Model, sharer: Sharer) -> Select<device::Entity> {
    let mut rows = device::Entity::within(Scope::Tenant(link.tenant_id));
    if let Sharer::Owner(user) = sharer {
        let owned = device_member::Entity::devices_of([user], members::OWNERS);
        rows = rows.filter(device::Column::Id.in_subquery(owned));
    }
    match (link.device_id, link.device_group_id) {
        (Some(device), _) => rows.filter(device::Column::Id.eq(device)),
        (None, group) => rows.filter(is_in_any(&group.iter().map(ToString::to_string).collect::<Vec<_>>())),
    }
}
