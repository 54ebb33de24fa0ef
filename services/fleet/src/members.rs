//! Members of devices: who may do what with one.

use armada_proto::{DeviceId, Timestamp, UserId, access::permission as p, v1::DeviceMemberRole};
use armada_runtime::{Caller, Error, Result, resource::Row};
use sea_orm::{ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter};

use crate::{
    acts, bindings,
    entity::{
        device,
        device_member::{ActiveModel, Column, Entity, Model},
    },
};

/// Who looks.
const EVERYBODY: &[DeviceMemberRole] =
    &[DeviceMemberRole::Owner, DeviceMemberRole::Technician, DeviceMemberRole::Viewer];
/// Who changes what is there.
pub const MAINTAINERS: &[DeviceMemberRole] = &[DeviceMemberRole::Owner, DeviceMemberRole::Technician];
/// Who removes a device, and shares it.
pub const OWNERS: &[DeviceMemberRole] = &[DeviceMemberRole::Owner];

/// What can be done with a device, as permissions, and the members who may who have them.
pub const ACTS: &[(&str, &[DeviceMemberRole])] = &[
    (p::DEVICE_LIST, EVERYBODY),
    (p::POSITION_LIVE, EVERYBODY),
    (p::POSITION_HISTORY, EVERYBODY),
    (p::DOCUMENT_LIST, EVERYBODY),
    (p::DEVICE_UPDATE, MAINTAINERS),
    (p::DOCUMENT_UPDATE, MAINTAINERS),
    (p::DEVICE_DELETE, OWNERS),
    (p::DEVICE_MEMBER_CREATE, OWNERS),
];

/// An error unless the caller is one of these to a device, which they see. Admins are above that.
pub async fn must_be(
    tx: &DatabaseTransaction,
    caller: &Caller,
    device: DeviceId,
    roles: &[DeviceMemberRole],
) -> Result<()> {
    let Some(user) = limited_user(caller) else { return Ok(()) };
    let member = of(tx, device, user).await?.filter(|member| member.holds(Timestamp::now()));
    if member.is_some_and(|member| roles.contains(&member.role)) { Ok(()) } else { Err(Error::forbidden()) }
}

/// A user's link to a device, whether it has ended or not.
pub async fn of(tx: &DatabaseTransaction, device: DeviceId, user: UserId) -> Result<Option<Model>> {
    Ok(Entity::find().filter(Column::DeviceId.eq(device)).filter(Column::UserId.eq(user)).one(tx).await?)
}

/// The user whose links decide what a caller sees and may do; none for those who are above that.
pub fn limited_user(caller: &Caller) -> Option<UserId> {
    caller.grant.as_ref().filter(|_| !caller.is_admin()).map(|grant| grant.user_id)
}

/// Makes a user the owner of a device that is locked, or nobody.
pub async fn change_owner(
    tx: &DatabaseTransaction,
    caller: &Caller,
    before: device::Model,
    owner: Option<UserId>,
) -> Result<()> {
    if before.user_id == owner {
        return Ok(());
    }
    let mut device = before.clone();
    device.user_id = owner;
    device.touch(Timestamp::now());
    let device = device.into_active_model().reset_all().update(tx).await?;
    set_owner(tx, &device).await?;
    bindings::mark(tx, &device, &device.imei).await?;
    acts::changed(tx, caller, Some(&before), Some(&device)).await
}

/// Brings the links to a device in step with what it says, now that it is written: its owner, and what it is called.
pub async fn written(tx: &DatabaseTransaction, before: Option<&device::Model>, device: &device::Model) -> Result<()> {
    if before.is_none_or(|before| before.user_id != device.user_id) {
        set_owner(tx, device).await?;
    }
    let described = ActiveModel::describing(device);
    if before.is_some_and(|before| ActiveModel::describing(before) != described) {
        Entity::update_many().set(described).filter(Column::DeviceId.eq(device.id)).exec(tx).await?;
    }
    Ok(())
}

async fn set_owner(tx: &DatabaseTransaction, device: &device::Model) -> Result<()> {
    let mut former =
        Entity::delete_many().filter(Column::DeviceId.eq(device.id)).filter(Column::Role.eq(DeviceMemberRole::Owner));
    if let Some(owner) = device.user_id {
        former = former.filter(Column::UserId.ne(owner));
    }
    former.exec(tx).await?;
    let Some(owner) = device.user_id else { return Ok(()) };
    match of(tx, device.id, owner).await? {
        Some(link) if link.role == DeviceMemberRole::Owner => {}
        // Who was a viewer or technician before is the owner now, and that does not end.
        Some(mut link) => {
            link.role = DeviceMemberRole::Owner;
            link.ends_on.clear();
            link.ends_at = None;
            link.touch(Timestamp::now());
            link.into_active_model().reset_all().update(tx).await?;
        }
        None => {
            let link = Model::to(device, owner, DeviceMemberRole::Owner);
            Entity::insert(link.into_active_model().reset_all()).exec_without_returning(tx).await?;
        }
    }
    Ok(())
}

/// Removes all members of a device that goes away.
pub async fn remove_all(tx: &DatabaseTransaction, device: DeviceId) -> Result<()> {
    Entity::delete_many().filter(Column::DeviceId.eq(device)).exec(tx).await?;
    Ok(())
}
