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

/// Effects by key; none for a permission that a request says nothing more of.
type Changes = BTreeMap<String, Option<Effect>>;

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
        let before: BTreeMap<String, Effect> =
            role_permission::of_role(&tx, role.id).await?.into_iter().map(|says| (says.key, says.effect)).collect();
        let changes: Changes = wanted.into_iter().filter(|(key, effect)| before.get(key).copied() != *effect).collect();
        if changes.is_empty() {
            return current(&tx, &role).await;
        }
        let change = change_of(&before, &changes);
        let wider = changes.iter().filter(|(key, effect)| is_wider(before.get(*key).copied(), **effect));
        let wider: Vec<_> = wider.map(|(key, _)| key.clone()).collect();
        policy::must_hold(caller, "items", wider.iter().map(String::as_str))?;
        Entity::delete_many()
            .filter(Column::RoleId.eq(role.id))
            .filter(Column::Key.is_in(changes.keys().map(String::as_str)))
            .exec(&tx)
            .await?;
        role_permission::insert(
            &tx,
            &role,
            changes.into_iter().filter_map(|(key, effect)| effect.map(|effect| (key, effect))),
        )
        .await?;
        let role = touched(&tx, role).await?;
        policy::changed(&tx, policy::who_has(role.id)).await?;
        let ended = match wider.is_empty() {
            true => Vec::new(),
            false => {
                let users = policy::ordinary(&tx, caller, policy::who_has(role.id)).await?;
                widening::end(&tx, &self.mail, &users).await?
            }
        };
        let mapping = current(&tx, &role).await?;
        let object = Object::new("role", role.id, &role.name);
        let act = Act { act: permission::ROLE_UPDATE, tenant: Some(role.tenant_id), object, change };
        audit::record(&tx, caller, act).await?;
        tx.commit().await?;
        self.mail.wake_relay();
        self.outbox.flush().await;
        self.ended.announce(ended).await;
        Ok(mapping)
    }
}

/// What changes, for the audit: the effects by key.
fn change_of(before: &BTreeMap<String, Effect>, changes: &Changes) -> Change {
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
    let item = |says: Model| RolePermission { key: says.key, effect: says.effect.into() };
    let items = role_permission::of_role(tx, role.id).await?.into_iter().map(item).collect();
    Ok(RolePermissions { items, row_version: role.row_version })
}
