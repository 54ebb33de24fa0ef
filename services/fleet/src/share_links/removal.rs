//! Links go with the device or the group that they show, and with who made them.

use armada_proto::{DeviceId, MasterDataId, UserId, access::permission::SHARE_LINK_DELETE, v1::ShareLink};
use armada_runtime::{
    Result,
    audit::{self, Act, Actor, Object},
};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, ModelTrait, QueryFilter, QuerySelect, Select};

use crate::{
    bindings,
    entity::share_link::{Column, Entity},
};

/// Removes the links of a device that goes away.
pub async fn remove_of_device(tx: &DatabaseTransaction, actor: impl Into<Actor>, device: DeviceId) -> Result<()> {
    remove(tx, actor.into(), Entity::find().filter(Column::DeviceId.eq(device))).await
}

/// Removes the links of a group that goes away. Whatever takes its place shows other devices, which nobody has shared.
pub async fn remove_of_group(tx: &DatabaseTransaction, actor: impl Into<Actor>, group: MasterDataId) -> Result<()> {
    remove(tx, actor.into(), Entity::find().filter(Column::DeviceGroupId.eq(group))).await
}

/// Removes the links that a user has made who is no more.
pub async fn remove_of_user(tx: &DatabaseTransaction, actor: impl Into<Actor>, user: UserId) -> Result<()> {
    remove(tx, actor.into(), Entity::find().filter(Column::UserId.eq(user))).await
}

async fn remove(tx: &DatabaseTransaction, actor: Actor, links: Select<Entity>) -> Result<()> {
    for row in links.lock_exclusive().all(tx).await? {
        let act = Act {
            act: SHARE_LINK_DELETE,
            tenant: Some(row.tenant_id),
            object: Object::new("share_link", row.id, &row.name),
            change: audit::changes(Some(&ShareLink::from(row.clone())), None),
        };
        audit::record(tx, actor.clone(), act).await?;
        bindings::mark_tenant(tx, row.tenant_id).await?;
        row.delete(tx).await?;
    }
    Ok(())
}
