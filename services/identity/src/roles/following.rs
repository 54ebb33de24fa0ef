//! Roles that nobody has edited follow the template that they were made from: when a version brings permissions that the
//! template allows, they allow them as well. Otherwise nobody but admins would see what is new until somebody had thought of
//! it.
//!
//! It is done when the service starts. Who does it first has done it: nothing is left for another process, or for the next
//! start. Nothing is ever taken away, so that two versions that run side by side for a while do not undo each other's work.

use armada_runtime::{Caller, Result, Scope};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, QueryTrait, Select, sea_query::ExprTrait};
use uuid::Uuid;

use super::{
    Roles,
    mapping::{Changes, permission_effects},
};
use crate::{
    entity::{
        role::{Column, Entity},
        role_permission,
    },
    templates::{self, Template},
};

impl Roles {
    /// Has all roles allow what their templates do. Their users' policies are marked, and it is entered in the audit, as
    /// when `caller` had changed the roles.
    pub async fn follow_templates(&self, caller: &Caller) -> Result<()> {
        for template in templates::ALL {
            let tx = self.db.read(&Scope::Platform).await?;
            let ids: Vec<Uuid> = outdated(template).select_only().column(Column::Id).into_tuple().all(&tx).await?;
            tx.commit().await?;
            if !ids.is_empty() {
                tracing::info!(template = template.key, roles = ids.len(), "roles get what is new in their template");
            }
            for id in ids {
                self.follow(caller, template, id).await?;
            }
        }
        Ok(())
    }

    async fn follow(&self, caller: &Caller, template: &Template, id: Uuid) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        // It may have been edited in the meantime,
        let role = outdated(template).filter(Column::Id.eq(id)).lock_exclusive().one(&tx).await?;
        let Some(role) = role else { return Ok(()) };
        let before = permission_effects(&tx, role.id).await?;
        let lacking = template.effects().filter(|(key, _)| !before.contains_key(key));
        let changes: Changes = lacking.map(|(key, effect)| (key, Some(effect))).collect();
        // or another process was faster.
        if changes.is_empty() {
            return Ok(());
        }
        let (_, ended) = self.change(&tx, caller, role, &before, changes).await?;
        tx.commit().await?;
        // The relays begin after this, and carry what was marked.
        self.ended.announce(ended).await;
        Ok(())
    }
}

/// The roles that follow a template, and do not say all that it says.
fn outdated(template: &Template) -> Select<Entity> {
    use role_permission::Column as PermissionColumn;
    let complete = role_permission::Entity::find()
        .select_only()
        .column(PermissionColumn::RoleId)
        .filter(PermissionColumn::Key.is_in(template.allows.iter().copied()))
        .group_by(PermissionColumn::RoleId)
        .having(PermissionColumn::Key.count().gte(template.allows.len() as i64));
    Entity::within(Scope::Platform)
        .filter(Column::Template.eq(template.key))
        .filter(Column::Id.not_in_subquery(complete.into_query()))
}
