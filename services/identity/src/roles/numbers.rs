//! What of a role is counted.

use std::collections::HashMap;

use armada_proto::v1::{Effect, Role};
use armada_runtime::Result;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use crate::entity::{role::Model, role_permission, user_role};

/// Roles with the numbers of their users and of what they allow and deny.
pub async fn with_numbers(tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<Role>> {
    let ids = || rows.iter().map(|row| row.id);
    let users = user_role::Entity::find()
        .filter(user_role::Column::RoleId.is_in(ids()))
        .select_only()
        .column(user_role::Column::RoleId)
        .column_as(user_role::Column::UserId.count(), "users")
        .group_by(user_role::Column::RoleId);
    let users: HashMap<Uuid, i64> = users.into_tuple::<(Uuid, i64)>().all(tx).await?.into_iter().collect();
    let counts = role_permission::Entity::find()
        .filter(role_permission::Column::RoleId.is_in(ids()))
        .select_only()
        .column(role_permission::Column::RoleId)
        .column(role_permission::Column::Effect)
        .column_as(role_permission::Column::Key.count(), "permissions")
        .group_by(role_permission::Column::RoleId)
        .group_by(role_permission::Column::Effect);
    let counts: Vec<(Uuid, Effect, i64)> = counts.into_tuple().all(tx).await?;
    let counts: HashMap<_, _> = counts.into_iter().map(|(role, effect, count)| ((role, effect), count)).collect();
    let number = |count: Option<&i64>| u32::try_from(count.copied().unwrap_or_default()).unwrap_or(u32::MAX);
    let with_numbers = |row: Model| Role {
        users: number(users.get(&row.id)),
        allowed: number(counts.get(&(row.id, Effect::Allow))),
        denied: number(counts.get(&(row.id, Effect::Deny))),
        ..row.into()
    };
    Ok(rows.into_iter().map(with_numbers).collect())
}
