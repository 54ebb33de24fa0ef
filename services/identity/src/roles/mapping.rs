//! What a role says of each permission.

use std::collections::{BTreeMap, HashSet};

use armada_proto::{
    access::permission,
    v1::{self, RolePermission, RolePermissions, RolePermissionsInput},
};
use armada_runtime::{
    Caller, Fields, Result,
    audit::{self, Act, Change, Object},
};
use sea_orm::{ActiveValue::Set, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder};
use uuid::Uuid;

use super::{Roles, locked, one, touched};
use crate::{
    catalogue,
    entity::{
        role,
        role_permission::{ActiveModel, Column, Effect, Entity, Model},
    },
    policy, widening,
};

/// Effects by key; none for a permission that a request says nothing more of.
type Changes = BTreeMap<String, Option<Effect>>;

impl Roles {
    pub(super) async fn mapping(&self, caller: &Caller, id: &str) -> Result<RolePermissions> {
        let tx = self.db.read(&caller.scope()).await?;
        let role = one(&tx, caller.scope(), id).await?;
        told(&tx, &role).await
    }

    pub(super) async fn set_mapping(&self, caller: &Caller, input: &RolePermissionsInput) -> Result<RolePermissions> {
        let tx = self.db.write(&caller.scope()).await?;
        let role = locked(&tx, caller.scope(), &input.id, input.row_version).await?;
        let wanted = checked(&tx, &input.items).await?;
        let before: BTreeMap<String, Effect> =
            of(&tx, role.id).await?.into_iter().map(|says| (says.key, says.effect)).collect();
        let changes: Changes = wanted.into_iter().filter(|(key, effect)| before.get(key).copied() != *effect).collect();
        if changes.is_empty() {
            return told(&tx, &role).await;
        }
        let change = told_change(&before, &changes);
        let wider = changes.iter().filter(|(key, effect)| is_wider(before.get(*key).copied(), **effect));
        let wider: Vec<_> = wider.map(|(key, _)| key.clone()).collect();
        policy::must_hold(caller, "items", wider.iter().map(String::as_str))?;
        Entity::delete_many()
            .filter(Column::RoleId.eq(role.id))
            .filter(Column::Key.is_in(changes.keys().map(String::as_str)))
            .exec(&tx)
            .await?;
        insert(&tx, &role, changes.into_iter().filter_map(|(key, effect)| effect.map(|effect| (key, effect)))).await?;
        let role = touched(&tx, role).await?;
        policy::changed(&tx, policy::who_has(role.id)).await?;
        let ended = match wider.is_empty() {
            true => Vec::new(),
            false => {
                let users = policy::ordinary(&tx, caller, policy::who_has(role.id)).await?;
                widening::end(&tx, &self.mail, &users).await?
            }
        };
        let mapping = told(&tx, &role).await?;
        let object = Object::new("role", role.id, &role.name);
        let act = Act { act: permission::ROLE_UPDATE, tenant: Some(role.tenant_id), object, change };
        audit::record(&tx, caller, act).await?;
        tx.commit().await?;
        self.mail.wake_relay();
        self.outbox.flush().await;
        self.ended.tell(ended).await;
        Ok(mapping)
    }
}

/// What changes, for the audit: the effects by key.
fn told_change(before: &BTreeMap<String, Effect>, changes: &Changes) -> Change {
    let name = |effect: Option<Effect>| effect.map_or("none", Effect::name);
    let was = |key: &String| (key.clone(), name(before.get(key).copied()));
    let was: BTreeMap<_, _> = changes.keys().map(was).collect();
    let is: BTreeMap<_, _> = changes.iter().map(|(key, effect)| (key.clone(), name(*effect))).collect();
    audit::changes(Some(&was), Some(&is))
}

/// Whether who has the role may do more afterwards: it allows more, or denies less of what other roles allow.
fn is_wider(before: Option<Effect>, after: Option<Effect>) -> bool {
    let width = |effect: Option<Effect>| match effect {
        Some(Effect::Deny) => 0,
        None => 1,
        Some(Effect::Allow) => 2,
    };
    width(after) > width(before)
}

/// What a request names, if all of it is in the catalogue. The last word on a key counts.
async fn checked(tx: &DatabaseTransaction, items: &[RolePermission]) -> Result<Changes> {
    let known: HashSet<String> = catalogue::keys(tx).await?.into_iter().collect();
    let mut fields = Fields::default();
    let mut changes = Changes::new();
    for item in items {
        if !known.contains(&item.key) {
            fields.wrong("items", "unknown_permission");
        }
        let effect = match v1::Effect::try_from(item.effect) {
            Ok(v1::Effect::None) => None,
            Ok(v1::Effect::Allow) => Some(Effect::Allow),
            Ok(v1::Effect::Deny) => Some(Effect::Deny),
            Ok(v1::Effect::Unspecified) | Err(_) => {
                fields.wrong("items", "invalid_effect");
                None
            }
        };
        changes.insert(item.key.clone(), effect);
    }
    fields.check()?;
    Ok(changes)
}

/// What a role says, by key.
pub async fn of(tx: &DatabaseTransaction, role: Uuid) -> Result<Vec<Model>> {
    Ok(Entity::find().filter(Column::RoleId.eq(role)).order_by_asc(Column::Key).all(tx).await?)
}

/// Stores what a role says of permissions that it says nothing of.
pub async fn insert(
    tx: &DatabaseTransaction,
    role: &role::Model,
    says: impl IntoIterator<Item = (String, Effect)>,
) -> Result<()> {
    let rows: Vec<_> = says
        .into_iter()
        .map(|(key, effect)| ActiveModel {
            role_id: Set(role.id),
            key: Set(key),
            tenant_id: Set(role.tenant_id),
            effect: Set(effect),
        })
        .collect();
    if !rows.is_empty() {
        Entity::insert_many(rows).exec_without_returning(tx).await?;
    }
    Ok(())
}

async fn told(tx: &DatabaseTransaction, role: &role::Model) -> Result<RolePermissions> {
    let item = |says: Model| RolePermission { key: says.key, effect: v1::Effect::from(says.effect).into() };
    let items = of(tx, role.id).await?.into_iter().map(item).collect();
    Ok(RolePermissions { items, row_version: role.row_version })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn to_deny_less_is_to_allow_more() {
        let (none, allow, deny) = (None, Some(Effect::Allow), Some(Effect::Deny));
        for (before, after) in [(none, allow), (deny, none), (deny, allow)] {
            assert!(is_wider(before, after) && !is_wider(after, before));
            assert!(!is_wider(before, before));
        }
    }
}
