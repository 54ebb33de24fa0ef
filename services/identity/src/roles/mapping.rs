//! What a role says of each permission.

use std::collections::{BTreeMap, HashSet};

use armada_proto::{
    Choice,
    access::permission,
    v1::{Effect, RolePermission, RolePermissions, RolePermissionsInput},
};
use armada_runtime::{
    Caller, Error, Result, Violations,
    audit::{self, Act, Change, Object},
    resource,
};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::{Roles, one, touched};
use crate::{
    catalogue,
    entity::{
        role,
        role_permission::{self, Column, Entity, Model},
    },
    policy, widening,
};

/// The effects of a role, by the keys of permissions.
pub(super) type PermissionEffects = BTreeMap<String, Effect>;

/// Effects by key; none for a permission that nothing more is said of.
pub(super) type Changes = BTreeMap<String, Option<Effect>>;

impl Roles {
    pub(super) async fn get_permissions(&self, caller: &Caller, id: &str) -> Result<RolePermissions> {
        let tx = self.db.read(&caller.scope()).await?;
        let role = one(&tx, caller.scope(), id).await?;
        current(&tx, &role).await
    }

    pub(super) async fn set_permissions(
        &self,
        caller: &Caller,
        input: &RolePermissionsInput,
    ) -> Result<RolePermissions> {
        let tx = self.db.write(&caller.scope()).await?;
        let id = Uuid::try_parse(&input.id).map_err(|_| Error::not_found())?;
        let role = resource::locked(self, &tx, caller, id, input.row_version).await?;
        let wanted = checked(&tx, &input.items).await?;
        let before = permission_effects(&tx, role.id).await?;
        let changes: Changes = wanted.into_iter().filter(|(key, effect)| before.get(key).copied() != *effect).collect();
        if changes.is_empty() {
            return current(&tx, &role).await;
        }
        policy::must_hold(caller, "items", wider(&before, &changes))?;
        // From now on it is what people make of it.
        let role = role::Model { template: None, ..role };
        let (role, ended) = self.change(&tx, caller, role, &before, changes).await?;
        let mapping = current(&tx, &role).await?;
        tx.commit().await?;
        self.mail.wake_relay();
        self.outbox.flush().await;
        self.ended.announce(ended).await;
        Ok(mapping)
    }

    /// Has a role say something else of permissions, as its next version: with it come the sessions that end when its users
    /// may do more, which are told once it is committed.
    pub(super) async fn change(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        role: role::Model,
        before: &PermissionEffects,
        changes: Changes,
    ) -> Result<(role::Model, Vec<Uuid>)> {
        let (change, is_wider) = (change_of(before, &changes), wider(before, &changes).next().is_some());
        Entity::delete_many()
            .filter(Column::RoleId.eq(role.id))
            .filter(Column::Key.is_in(changes.keys().map(String::as_str)))
            .exec(tx)
            .await?;
        let permissions = changes.into_iter().filter_map(|(key, effect)| effect.map(|effect| (key, effect)));
        role_permission::insert(tx, &role, permissions).await?;
        let role = touched(tx, role).await?;
        policy::changed(tx, policy::has_role(role.id)).await?;
        let ended = match is_wider {
            true => {
                let users = policy::ordinary(tx, caller, policy::has_role(role.id)).await?;
                widening::end(tx, &self.mail, &users).await?
            }
            false => Vec::new(),
        };
        let object = Object::new("role", role.id, &role.name);
        let act = Act { act: permission::ROLE_UPDATE, tenant: Some(role.tenant_id), object, change };
        audit::record(tx, caller, act).await?;
        Ok((role, ended))
    }
}

/// What a role says, by key.
pub(super) async fn permission_effects(tx: &DatabaseTransaction, role: Uuid) -> Result<PermissionEffects> {
    Ok(role_permission::of_role(tx, role)
        .await?
        .into_iter()
        .map(|permission| (permission.key, permission.effect))
        .collect())
}

/// The permissions of which who has the role may do more afterwards.
fn wider<'a>(before: &PermissionEffects, changes: &'a Changes) -> impl Iterator<Item = &'a str> {
    let wider = changes.iter().filter(|(key, effect)| is_wider(before.get(*key).copied(), **effect));
    wider.map(|(key, _)| key.as_str())
}

/// What changes, for the audit: the effects by key.
fn change_of(before: &PermissionEffects, changes: &Changes) -> Change {
    let name = |effect: Option<Effect>| effect.map_or("none", Effect::name);
    let was = |key: &String| (key.clone(), name(before.get(key).copied()));
    let was: BTreeMap<_, _> = changes.keys().map(was).collect();
    let is: BTreeMap<_, _> = changes.iter().map(|(key, effect)| (key.clone(), name(*effect))).collect();
    audit::changes(Some(&was), Some(&is))
}

/// Whether who has the role may do more afterwards: it allows more, or denies less of what other roles allow.
pub fn is_wider(before: Option<Effect>, after: Option<Effect>) -> bool {
    let width = |effect: Option<Effect>| match effect {
        Some(Effect::Deny) => 0,
        Some(Effect::Allow) => 2,
        _ => 1,
    };
    width(after) > width(before)
}

/// What a request names, if all of it is in the catalogue. The last word on a key counts.
async fn checked(tx: &DatabaseTransaction, items: &[RolePermission]) -> Result<Changes> {
    let known: HashSet<String> = catalogue::keys(tx).await?.into_iter().collect();
    let mut fields = Violations::default();
    let mut changes = Changes::new();
    for item in items {
        if !known.contains(&item.key) {
            fields.add("items", "unknown_permission");
        }
        let effect = Effect::specified(item.effect);
        if effect.is_none() {
            fields.add("items", "invalid_effect");
        }
        changes.insert(item.key.clone(), effect.filter(|effect| *effect != Effect::None));
    }
    fields.check()?;
    Ok(changes)
}

async fn current(tx: &DatabaseTransaction, role: &role::Model) -> Result<RolePermissions> {
    let item = |permission: Model| RolePermission { key: permission.key, effect: permission.effect.into() };
    let items = role_permission::of_role(tx, role.id).await?.into_iter().map(item).collect();
    Ok(RolePermissions { items, row_version: role.row_version })
}
