//! Members of devices: who may do what with one.

use armada_proto::{DeviceId, Timestamp, UserId};
use armada_runtime::{Caller, Error, Result};
use sea_orm::{ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, sea_query::OnConflict};

use crate::entity::{
    device,
    device_member::{ActiveModel, Column, Entity, Role},
};

/// Brings the member with the role `owner` in step with the owner whom the device names.
pub async fn set_owner(tx: &DatabaseTransaction, device: &device::Model) -> Result<()> {
    Entity::delete_many().filter(Column::DeviceId.eq(device.id)).filter(Column::Role.eq(Role::Owner)).exec(tx).await?;
    let Some(owner) = device.user_id else { return Ok(()) };
    let member = ActiveModel {
        device_id: Set(device.id),
        user_id: Set(owner),
        tenant_id: Set(device.tenant_id),
        role: Set(Role::Owner),
        created_at: Set(Timestamp::now().millis()),
    };
    // Who was a viewer or technician before is the owner now.
    let promoted = OnConflict::columns([Column::DeviceId, Column::UserId]).update_column(Column::Role).to_owned();
    Entity::insert(member).on_conflict(promoted).exec_without_returning(tx).await?;
    Ok(())
}

/// An error unless the caller is one of these to a device, which they see. A viewer looks, a technician changes what is
/// there, an owner does everything: each as far as their permissions go. Admins are above that.
pub async fn must_be(tx: &DatabaseTransaction, caller: &Caller, device: DeviceId, roles: &[Role]) -> Result<()> {
    let Some(user) = limited_user(caller) else { return Ok(()) };
    let member = Entity::find_by_id((device, user)).one(tx).await?;
    if member.is_some_and(|member| roles.contains(&member.role)) { Ok(()) } else { Err(Error::forbidden()) }
}

/// The user whose links decide what a caller sees and may do; none for those who are above that.
pub fn limited_user(caller: &Caller) -> Option<UserId> {
    caller.grant.as_ref().filter(|_| !caller.is_admin()).map(|grant| grant.user_id)
}

/// Removes all members of a device that goes away.
pub async fn remove_all(tx: &DatabaseTransaction, device: DeviceId) -> Result<()> {
    Entity::delete_many().filter(Column::DeviceId.eq(device)).exec(tx).await?;
    Ok(())
}
