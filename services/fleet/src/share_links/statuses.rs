//! How links stand: by themselves, and by whether there is anything left that their makers may share.

use std::collections::{HashMap, HashSet};

use armada_proto::{
    DeviceId, ShareLinkId, Timestamp,
    v1::{DeviceMemberRole, ShareLink, ShareLinkStatus},
};
use armada_runtime::Result;
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, ExprTrait, Query},
};

use super::sharers::Sharers;
use crate::{
    devices::groups,
    entity::{
        device,
        device_member::{self, holds_at},
        master_data,
        share_link::{Column, Entity, Model},
    },
    master_data::labels,
};

/// Links as they are read.
pub(super) async fn present(tx: &DatabaseTransaction, sharers: &Sharers, rows: Vec<Model>) -> Result<Vec<ShareLink>> {
    let now = Timestamp::now();
    let active = Entity::find().select_only().column(Column::Id).filter(shows_something(sharers, now));
    let active = active.filter(Column::Id.is_in(rows.iter().map(|row| row.id))).into_tuple().all(tx).await?;
    let active: HashSet<ShareLinkId> = active.into_iter().collect();
    let devices = device::Entity::find().select_only().columns([device::Column::Id, device::Column::Name]);
    let devices = devices.filter(device::Column::Id.is_in(rows.iter().filter_map(|row| row.device_id)));
    let devices: HashMap<DeviceId, String> = devices.into_tuple().all(tx).await?.into_iter().collect();
    let groups = labels(tx, rows.iter().filter_map(|row| row.device_group_id).collect()).await?;
    let message = |row: Model| {
        let status = match row.status(now) {
            ShareLinkStatus::Active if !active.contains(&row.id) => ShareLinkStatus::Ended,
            status => status,
        };
        let device = row.device_id.and_then(|id| devices.get(&id));
        let group = row.device_group_id.and_then(|id| groups.get(&id));
        ShareLink {
            status: status.into(),
            subject_name: device.or(group).cloned().unwrap_or_default(),
            has_pin: row.pin_hash.is_some(),
            ..row.into()
        }
    };
    Ok(rows.into_iter().map(message).collect())
}

/// Links that stand so at an instant.
pub(super) fn has_status(status: ShareLinkStatus, now: Timestamp, sharers: &Sharers) -> Expr {
    let is_over = Column::ExpiresAt.lte(now.millis());
    let holds = Column::RevokedAt.is_null().and(Column::ExpiresAt.gt(now.millis()));
    match status {
        ShareLinkStatus::Revoked => Column::RevokedAt.is_not_null(),
        ShareLinkStatus::Expired => Column::RevokedAt.is_null().and(is_over),
        ShareLinkStatus::Active => holds.and(shows_something(sharers, now)),
        ShareLinkStatus::Ended => holds.and(shows_something(sharers, now).not()),
        ShareLinkStatus::Unspecified => Expr::val(true),
    }
}

/// Links of whose devices their makers may share one now, whatever their time.
fn shows_something(sharers: &Sharers, now: Timestamp) -> Expr {
    let maker = || Expr::col((Entity, Column::UserId));
    let by_admin = maker().is_in(sharers.admins.iter().copied());
    let tenant = Expr::col((Entity, Column::TenantId)).is_in(sharers.active.iter().copied());
    let by_platform = maker().is_in(sharers.platform.iter().copied()).and(tenant);
    let device = |column| (device::Entity, column);
    let owned = Query::select()
        .column(device_member::Column::DeviceId)
        .from(device_member::Entity)
        .and_where(Expr::col((device_member::Entity, device_member::Column::UserId)).equals((Entity, Column::UserId)))
        .and_where(device_member::Column::Role.eq(DeviceMemberRole::Owner))
        .and_where(holds_at(now))
        .take();
    let owned = Expr::col(device(device::Column::Id)).in_subquery(owned);
    let by_owner = maker().is_in(sharers.owners.iter().copied()).and(owned);
    let group = Expr::col((master_data::Entity, master_data::Column::Id)).equals((Entity, Column::DeviceGroupId));
    let is_shown = Expr::col(device(device::Column::Id)).equals((Entity, Column::DeviceId)).or(groups::is_in(group));
    let devices = Query::select()
        .column(device(device::Column::Id))
        .from(device::Entity)
        .and_where(Expr::col(device(device::Column::TenantId)).equals((Entity, Column::TenantId)))
        .cond_where(device::is_there())
        .and_where(is_shown)
        .and_where(by_admin.or(by_platform).or(by_owner))
        .take();
    Expr::exists(devices)
}
