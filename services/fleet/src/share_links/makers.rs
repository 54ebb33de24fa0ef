//! What those may share now who have made links.

use armada_proto::{TenantId, UserId};
use armada_runtime::{Caller, Result, Scope};
use sea_orm::QuerySelect;

use super::{
    ShareLinks,
    sharers::{Sharer, Sharers, may_share},
};
use crate::{
    entity::share_link::{Column, Entity, Model},
    members,
};

impl ShareLinks {
    /// What the maker of a link is now; none when they may not share any more.
    pub(super) async fn sharer(&self, link: &Model) -> Result<Option<Sharer>> {
        let Some(rights) = members::rights(&self.policies, link.user_id).await?.filter(|rights| may_share(rights))
        else {
            return Ok(None);
        };
        if rights.is_platform_owner {
            return Ok(self.is_active(link.tenant_id).await?.then_some(Sharer::Admin));
        }
        if rights.tenant_id != Some(link.tenant_id) {
            return Ok(None);
        }
        Ok(Some(if rights.is_tenant_admin { Sharer::Admin } else { Sharer::Owner(link.user_id) }))
    }

    /// What those are now who have made the links of a caller's scope, and the caller, who may make the first one of a
    /// tenant.
    pub(super) async fn sharers_of(&self, caller: &Caller, new_in: Option<TenantId>) -> Result<Sharers> {
        let scope = caller.scope();
        let tx = self.db.read(&scope).await?;
        let makers = Entity::visible_to(caller, scope).select_only().columns([Column::UserId, Column::TenantId]);
        let makers: Vec<(UserId, TenantId)> = makers.distinct().into_tuple().all(&tx).await?;
        drop(tx);
        let own = caller.grant.as_ref().and_then(|grant| Some((grant.user_id, new_in.or(grant.tenant_id)?)));
        let mut sharers = Sharers::default();
        for (user, tenant) in makers.into_iter().chain(own) {
            let rights = members::rights(&self.policies, user).await?.filter(|rights| may_share(rights));
            let Some(rights) = rights else { continue };
            if rights.is_platform_owner {
                sharers.platform.insert(user);
                if !sharers.active.contains(&tenant) && self.is_active(tenant).await? {
                    sharers.active.insert(tenant);
                }
            } else if rights.tenant_id == Some(tenant) {
                let those = if rights.is_tenant_admin { &mut sharers.admins } else { &mut sharers.owners };
                those.insert(user);
            }
        }
        Ok(sharers)
    }

    /// Whether a tenant is active. Who belongs to one that is suspended has no rights; who owns the platform has them all
    /// the same.
    async fn is_active(&self, tenant: TenantId) -> Result<bool> {
        let asking = self.service_key.caller(Scope::Tenant(tenant), None)?;
        Ok(self.identity.tenant(&asking, tenant).await?.is_some_and(|tenant| tenant.active))
    }
}
