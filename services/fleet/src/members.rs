//! Members of devices: who may do what with one.

use std::{slice, sync::Arc};

use armada_proto::{
    DeviceId, Timestamp, UserId,
    access::permission as p,
    v1::{DeviceMember, DeviceMemberRole, DeviceMemberStatus},
};
use armada_runtime::{Caller, Code, Error, Policies, Result, Scope, audit, auth::Rights, resource::Row, text};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect, Select,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    acts, bindings,
    entity::{
        device,
        device_member::{Column, Entity, Model},
    },
};

/// Who looks.
const VIEWING_ROLES: &[DeviceMemberRole] =
    &[DeviceMemberRole::Owner, DeviceMemberRole::Technician, DeviceMemberRole::Viewer];
/// Who changes what is there.
pub const MAINTAINERS: &[DeviceMemberRole] = &[DeviceMemberRole::Owner, DeviceMemberRole::Technician];
/// Who removes a device, and shares it.
pub const OWNERS: &[DeviceMemberRole] = &[DeviceMemberRole::Owner];

/// What can be done with a device, as permissions, and the members who may who have them.
pub const ACTS: &[(&str, &[DeviceMemberRole])] = &[
    (p::DEVICE_LIST, VIEWING_ROLES),
    (p::POSITION_LIVE, VIEWING_ROLES),
    (p::POSITION_HISTORY, VIEWING_ROLES),
    (p::DOCUMENT_LIST, VIEWING_ROLES),
    (p::MAINTENANCE_LIST, VIEWING_ROLES),
    (p::DEVICE_UPDATE, MAINTAINERS),
    (p::DEVICE_CORRECT_METERS, MAINTAINERS),
    (p::DOCUMENT_UPDATE, MAINTAINERS),
    (p::COMMAND_CREATE, MAINTAINERS),
    (p::MAINTENANCE_UPDATE, MAINTAINERS),
    (p::MAINTENANCE_LOG_CREATE, MAINTAINERS),
    (p::DEVICE_DELETE, OWNERS),
    (p::DEVICE_MEMBER_CREATE, OWNERS),
    (p::SHARE_LINK_CREATE, OWNERS),
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

/// A device that the caller sees and maintains, locked until the transaction ends.
pub async fn maintained(tx: &DatabaseTransaction, caller: &Caller, id: DeviceId) -> Result<device::Model> {
    let rows = device::Entity::visible_to(caller, caller.scope()).filter(device::Column::Id.eq(id));
    let device = rows.lock_exclusive().one(tx).await?.ok_or_else(Error::not_found)?;
    must_be(tx, caller, id, MAINTAINERS).await?;
    Ok(device)
}

/// What a user may do now; none for one who may not be signed in.
pub async fn rights(policies: &Policies, user: UserId) -> Result<Option<Arc<Rights>>> {
    match policies.of(user).await {
        Ok(rights) => Ok(Some(rights)),
        Err(error) if error.class == Code::Unauthenticated => Ok(None),
        Err(error) => Err(error),
    }
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

/// Makes a user, who is linked to devices as their owner, the only one of these, or nobody. The devices are locked, and of
/// one tenant.
pub async fn change_owners(
    tx: &DatabaseTransaction,
    caller: &Caller,
    devices: &[&device::Model],
    owner: Option<UserId>,
) -> Result<()> {
    let changed = devices.iter().filter(|device| device.user_id != owner);
    let (before, after): (Vec<_>, Vec<_>) = changed
        .map(|before| {
            let mut device = device::Model { user_id: owner, ..(*before).clone() };
            device.touch(Timestamp::now());
            (*before, device)
        })
        .unzip();
    let Some(first) = after.first() else { return Ok(()) };
    let ids = || after.iter().map(|device| device.id);
    let update = device::Entity::update_many()
        .col_expr(device::Column::UserId, Expr::val(owner))
        .col_expr(device::Column::RowVersion, Expr::col(device::Column::RowVersion).add(1))
        .col_expr(device::Column::UpdatedAt, Expr::val(first.updated_at));
    update.filter(device::Column::Id.is_in(ids())).exec(tx).await?;
    let former = Entity::delete_many().filter(Column::DeviceId.is_in(ids()));
    let former = former.filter(Column::Role.eq(DeviceMemberRole::Owner));
    let former = owner.map_or(former.clone(), |owner| former.filter(Column::UserId.ne(owner)));
    former.exec(tx).await?;
    bindings::mark_all(tx, &after).await?;
    let acts = before.iter().zip(&after).filter_map(|(before, after)| acts::change(Some(before), Some(after)));
    audit::record_all(tx, caller, acts.collect()).await
}

/// Links new devices to their owners.
pub async fn begin(tx: &DatabaseTransaction, devices: &[device::Model]) -> Result<()> {
    let owned = devices.iter().filter_map(|device| Some((device, device.user_id?)));
    let links = owned.map(|(device, owner)| new_link(device, owner, DeviceMemberRole::Owner).into_active_model());
    let links: Vec<_> = links.map(ActiveModelTrait::reset_all).collect();
    if !links.is_empty() {
        Entity::insert_many(links).exec_without_returning(tx).await?;
    }
    Ok(())
}

/// Brings the links to a device in step with what it says, now that it is written: its owner, and what it is called.
pub async fn written(tx: &DatabaseTransaction, before: &device::Model, device: &device::Model) -> Result<()> {
    if before.user_id != device.user_id {
        set_owner(tx, device).await?;
    }
    if described(before) != described(device) {
        let (name, search) = described(device);
        let links = Entity::update_many().col_expr(Column::DeviceNameFolded, Expr::val(name));
        let links = links.col_expr(Column::Search, Expr::val(search));
        links.filter(Column::DeviceId.eq(device.id)).exec(tx).await?;
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
        None => begin(tx, slice::from_ref(device)).await?,
    }
    Ok(())
}

/// The links of a scope, ended or not, but for those to devices of deleted tenants.
pub fn links_within(scope: Scope) -> Select<Entity> {
    let links = Entity::find().filter(Column::DeviceId.not_in_subquery(device::Entity::hidden()));
    scope.tenant().map_or(links.clone(), |tenant| links.filter(Column::TenantId.eq(tenant)))
}

/// A link as it begins.
pub fn new_link(device: &device::Model, user_id: UserId, role: DeviceMemberRole) -> Model {
    let (device_name_folded, search) = described(device);
    Model { device_id: device.id, user_id, role, device_name_folded, search, ..Model::new(device.tenant_id) }
}

/// A link as it is read, of the device that it names.
pub fn link_message(link: Model, device: Option<&device::Model>) -> DeviceMember {
    let status = match link.holds(Timestamp::now()) {
        true => DeviceMemberStatus::Active,
        false => DeviceMemberStatus::Ended,
    };
    let mut message = DeviceMember { status: status.into(), ..link.into() };
    if let Some(device) = device {
        message.name.clone_from(&device.name);
        message.vehicle_code.clone_from(&device.vehicle_code);
        message.imei.clone_from(&device.imei);
    }
    message
}

/// What a device is sorted by and found by among links: its name, and that with its vehicle code and IMEI.
fn described(device: &device::Model) -> (String, String) {
    let search = [device.name.as_str(), &device.vehicle_code, &device.imei].join("\n");
    (text::sort_key(&device.name), text::search_key(&search))
}

/// Removes all members of a device that goes away.
pub async fn remove_all(tx: &DatabaseTransaction, device: DeviceId) -> Result<()> {
    Entity::delete_many().filter(Column::DeviceId.eq(device)).exec(tx).await?;
    Ok(())
}
