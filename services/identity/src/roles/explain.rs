//! Why a user may do something, or not.

use std::{cmp::Reverse, collections::HashMap};

use armada_proto::{
    UserId, access,
    v1::{Decision, DecisionList, DecisionReason, Effect, ExplainRequest, RoleSays},
};
use armada_runtime::{Caller, Error, Result};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder};
use uuid::Uuid;

use super::Roles;
use crate::{
    catalogue,
    entity::{role, tenant, user, user_role},
    policy,
};

/// What is known of a user whom one asks about.
struct Subject {
    user: user::Model,
    tenant: Option<tenant::Model>,
    roles: Vec<role::Model>,
    effects: HashMap<(Uuid, String), Effect>,
}

impl Roles {
    pub(super) async fn explain(&self, caller: &Caller, request: &ExplainRequest) -> Result<DecisionList> {
        let id: UserId = request.id.parse()?;
        let tx = self.db.read(&caller.scope()).await?;
        let rows = user::Entity::within(caller.scope()).filter(user::Column::Id.eq(id));
        let found = rows.find_also_related(tenant::Entity).one(&tx).await?;
        let (user, tenant) = found.ok_or_else(Error::not_found)?;
        let permissions = policy::permissions_of_roles(&tx, id).await?;
        let effects = permissions
            .into_iter()
            .map(|permission| ((permission.role_id, permission.key), permission.effect))
            .collect();
        let subject = Subject { roles: roles_of(&tx, id).await?, user, tenant, effects };
        let mut keys = catalogue::keys(&tx).await?;
        if !request.key.is_empty() {
            keys.retain(|key| *key == request.key);
            if keys.is_empty() {
                return Err(Error::field("key", "unknown_permission"));
            }
        }
        Ok(DecisionList { items: keys.into_iter().map(|key| subject.decide(key)).collect() })
    }
}

async fn roles_of(tx: &DatabaseTransaction, user: UserId) -> Result<Vec<role::Model>> {
    let rows = user_role::Entity::find().filter(user_role::Column::UserId.eq(user)).find_also_related(role::Entity);
    let rows = rows.order_by_asc(role::Column::Name).all(tx).await?;
    Ok(rows.into_iter().filter_map(|(_, role)| role).collect())
}

impl Subject {
    /// What a role says of a permission, and by which one it says so if it is another: the stronger word, and of two
    /// that are as strong the one of the permission itself.
    fn effect_of(&self, role: &role::Model, key: &str) -> (Option<Effect>, Option<&'static str>) {
        let of = |key: &str| self.effects.get(&(role.id, key.to_owned())).copied();
        let wildcard = access::wildcard_of(key);
        match (of(key), wildcard.and_then(of)) {
            (own, through) if through > own => (through, wildcard),
            (own, _) => (own, None),
        }
    }

    fn decide(&self, key: String) -> Decision {
        let strongest = self.roles.iter().filter_map(|role| self.effect_of(role, &key).0).max();
        let reason = self.reason(strongest);
        let allowed =
            matches!(reason, DecisionReason::PlatformOwner | DecisionReason::TenantAdmin | DecisionReason::RoleAllows);
        let mut roles: Vec<_> = self.roles.iter().map(|role| (self.effect_of(role, &key), role)).collect();
        roles.sort_by_key(|((effect, _), _)| Reverse(*effect));
        let role_says = |((effect, through), role): ((Option<Effect>, Option<&str>), &role::Model)| RoleSays {
            through: through.map(str::to_owned),
            role_id: role.id.to_string(),
            role_name: role.name.clone(),
            effect: effect.unwrap_or(Effect::None).into(),
        };
        Decision { roles: roles.into_iter().map(role_says).collect(), key, allowed, reason: reason.into() }
    }

    /// Why, in the order in which it is decided: who may not be signed in may do nothing, and flags go before roles.
    fn reason(&self, strongest: Option<Effect>) -> DecisionReason {
        match (&self.user, strongest) {
            (user, _) if !user.is_active => DecisionReason::UserInactive,
            (user, _) if !user.is_admitted(self.tenant.as_ref()) => DecisionReason::TenantInactive,
            (user, _) if user.is_platform_owner => DecisionReason::PlatformOwner,
            (user, _) if user.is_tenant_admin => DecisionReason::TenantAdmin,
            (_, Some(Effect::Deny)) => DecisionReason::RoleDenies,
            (_, Some(Effect::Allow)) => DecisionReason::RoleAllows,
            (_, _) => DecisionReason::NoRoleAllows,
        }
    }
}
