//! Who sees a device and why, and what a user sees and why.

use std::{collections::HashMap, str::FromStr};

use armada_proto::{
    DeviceId, TenantId, Timestamp, UserId,
    access::permission as p,
    v1::{
        DeviceAccess, DeviceAccessList, DeviceAccessObstacle, DeviceAccessReason, DeviceMemberRole, User, UserAccess,
        UserAccessReason,
    },
};
use armada_runtime::{Caller, Error, Result, Scope, auth::Rights};
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect};

use super::DeviceMembers;
use crate::{
    entity::{
        device,
        device_member::{Column, Entity, Model},
    },
    members,
};

impl DeviceMembers {
    pub(super) async fn device_access(&self, caller: &Caller, id: &str) -> Result<DeviceAccessList> {
        let id = DeviceId::from_str(id).map_err(|_| Error::not_found())?;
        let tx = self.db.read(&caller.scope()).await?;
        let devices = device::Entity::visible_to(caller, caller.scope()).filter(device::Column::Id.eq(id));
        let device = devices.one(&tx).await?.ok_or_else(Error::not_found)?;
        members::must_be(&tx, caller, id, members::OWNERS).await?;
        let links = Entity::find().filter(Column::DeviceId.eq(id)).all(&tx).await?;
        drop(tx);
        let asking = self.service_key.caller(Scope::Tenant(device.tenant_id), None)?;
        let mut users = self.identity.admins(&asking).await?;
        let linked = links.iter().map(|link| link.user_id.to_string()).collect();
        users.extend(self.identity.users(&asking, linked).await?);
        users.sort_by(|a, b| (&a.name, &a.id).cmp(&(&b.name, &b.id)));
        users.dedup_by(|a, b| a.id == b.id);
        let links: HashMap<_, _> = links.into_iter().map(|link| (link.user_id.to_string(), link)).collect();
        let mut items = Vec::with_capacity(users.len());
        for user in users {
            let rights = members::rights(&self.policies, user.id.parse()?).await?;
            let link = links.get(&user.id);
            items.extend(access(user, link, rights.as_deref()));
        }
        Ok(DeviceAccessList { items })
    }

    pub(super) async fn user_access(&self, caller: &Caller, id: &str) -> Result<UserAccess> {
        let id = UserId::from_str(id).map_err(|_| Error::not_found())?;
        if members::limited_user(caller).is_some_and(|own| own != id) {
            return Err(Error::not_found());
        }
        let asking = self.service_key.caller(caller.scope(), None)?;
        let user = self.identity.user(&asking, id).await?.ok_or_else(Error::not_found)?;
        let rights = members::rights(&self.policies, user.id.parse()?).await?;
        let (reasons, ended) = match admin_reason(&user) {
            Some(reason) => (vec![self.everything(&user, reason, rights.as_deref()).await?], 0),
            None => self.by_links(caller.scope(), id, rights.as_deref()).await?,
        };
        let obstacle = access_obstacle(rights.as_deref()).map(Into::into);
        Ok(UserAccess { user_id: user.id, user_name: user.name, obstacle, reasons, ended })
    }

    async fn everything(
        &self,
        user: &User,
        reason: DeviceAccessReason,
        rights: Option<&Rights>,
    ) -> Result<UserAccessReason> {
        let tenant = user.tenant_id.as_deref().map(TenantId::from_str).transpose()?;
        let scope = tenant.map_or(Scope::Platform, Scope::Tenant);
        let tx = self.db.read(&scope).await?;
        let devices = device::Entity::within(scope).count(&tx).await?;
        Ok(access_reason(reason, devices as usize, rights))
    }

    /// Why a user who is no admin sees devices, and how many links have ended.
    async fn by_links(
        &self,
        scope: Scope,
        user: UserId,
        rights: Option<&Rights>,
    ) -> Result<(Vec<UserAccessReason>, u32)> {
        let tx = self.db.read(&scope).await?;
        let links = members::links_within(scope).filter(Column::UserId.eq(user)).select_only();
        let links = links.columns([Column::Role, Column::EndsAt]);
        let links: Vec<(DeviceMemberRole, Option<i64>)> = links.into_tuple().all(&tx).await?;
        let now = Timestamp::now().millis();
        let (hold, ended): (Vec<_>, Vec<_>) = links.into_iter().partition(|(_, end)| end.is_none_or(|end| end > now));
        let roles = [DeviceMemberRole::Owner, DeviceMemberRole::Technician, DeviceMemberRole::Viewer];
        let counted = roles.map(|role| (role, hold.iter().filter(|(held, _)| *held == role).count()));
        let reasons = counted.into_iter().filter(|(_, devices)| *devices > 0);
        let reasons = reasons.map(|(role, devices)| access_reason(reason_of(role), devices, rights));
        Ok((reasons.collect(), u32::try_from(ended.len()).unwrap_or(u32::MAX)))
    }
}

/// Why a user sees a device, and what keeps them from it; none when nothing links them to it.
fn access(user: User, link: Option<&Model>, rights: Option<&Rights>) -> Option<DeviceAccess> {
    let reason = admin_reason(&user).or_else(|| link.map(|link| reason_of(link.role)))?;
    let by_link = link.filter(|_| admin_reason(&user).is_none());
    let has_ended = by_link.is_some_and(|link| !link.holds(Timestamp::now()));
    let obstacle = access_obstacle(rights).or(has_ended.then_some(DeviceAccessObstacle::LinkEnded));
    Some(DeviceAccess {
        user_id: user.id,
        user_name: user.name,
        user_email: user.email,
        reason: reason.into(),
        obstacle: obstacle.map(Into::into),
        ends_on: by_link.map(|link| link.ends_on.clone()).unwrap_or_default(),
        permissions: if obstacle.is_none() { permissions(reason, rights) } else { Vec::new() },
    })
}

fn access_reason(reason: DeviceAccessReason, devices: usize, rights: Option<&Rights>) -> UserAccessReason {
    let devices = u32::try_from(devices).unwrap_or(u32::MAX);
    UserAccessReason { reason: reason.into(), devices, permissions: permissions(reason, rights) }
}

fn admin_reason(user: &User) -> Option<DeviceAccessReason> {
    match user {
        _ if user.is_platform_owner => Some(DeviceAccessReason::PlatformOwner),
        _ if user.is_tenant_admin => Some(DeviceAccessReason::TenantAdmin),
        _ => None,
    }
}

fn reason_of(role: DeviceMemberRole) -> DeviceAccessReason {
    match role {
        DeviceMemberRole::Owner => DeviceAccessReason::Owner,
        DeviceMemberRole::Technician => DeviceAccessReason::Technician,
        DeviceMemberRole::Viewer | DeviceMemberRole::Unspecified => DeviceAccessReason::Viewer,
    }
}

/// What keeps a user from seeing any device.
fn access_obstacle(rights: Option<&Rights>) -> Option<DeviceAccessObstacle> {
    match rights {
        None => Some(DeviceAccessObstacle::UserInactive),
        Some(rights) if !rights.allow(p::DEVICE_LIST) => Some(DeviceAccessObstacle::NoPermission),
        Some(_) => None,
    }
}

/// What a user may do with a device that they see for a reason.
fn permissions(reason: DeviceAccessReason, rights: Option<&Rights>) -> Vec<String> {
    let may = |roles: &[DeviceMemberRole]| match reason {
        DeviceAccessReason::PlatformOwner | DeviceAccessReason::TenantAdmin => true,
        _ => roles.iter().any(|role| reason_of(*role) == reason),
    };
    let held = |key: &str| rights.is_some_and(|rights| rights.allow(key));
    let acts = members::ACTS.iter().filter(|(key, roles)| may(roles) && held(key));
    acts.map(|(key, _)| (*key).to_owned()).collect()
}
