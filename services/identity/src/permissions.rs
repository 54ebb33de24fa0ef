//! The catalogue of permissions: read by who manages roles, added to by platform owners.

use armada_proto::{
    Timestamp,
    v1::{DeletePermissionRequest, Empty, Permission, PermissionInput, PermissionList, permissions_server},
};
use armada_runtime::{
    Caller, Database, Error, Result, Scope, Validate,
    audit::{self, Act, Object},
    outbox::OutboxHandle,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, ModelTrait, QueryFilter,
    QuerySelect, QueryTrait,
};
use tonic::{Request, Response, Status};

use crate::{
    catalogue,
    entity::{
        permission::{Entity, Model},
        role_permission, user, user_role,
    },
    policy,
};

/// The RPCs.
pub struct Permissions {
    pub(crate) db: Database,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
}

impl permissions_server::Permissions for Permissions {
    async fn list(&self, request: Request<Empty>) -> Result<Response<PermissionList>, Status> {
        let caller = Caller::of(&request)?;
        let tx = self.db.read(&caller.scope()).await.map_err(Status::from)?;
        let items = catalogue::list(&tx).await?;
        let total = u32::try_from(items.len()).unwrap_or(u32::MAX);
        Ok(Response::new(PermissionList { items, total }))
    }

    async fn create(&self, request: Request<PermissionInput>) -> Result<Response<Permission>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.create(&caller, request.into_inner()).await?.into()))
    }

    async fn update(&self, request: Request<PermissionInput>) -> Result<Response<Permission>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.update(&caller, request.into_inner()).await?.into()))
    }

    async fn delete(&self, request: Request<DeletePermissionRequest>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        self.delete(&caller, &request.into_inner()).await?;
        Ok(Response::new(Empty {}))
    }
}

impl Permissions {
    async fn create(&self, caller: &Caller, mut input: PermissionInput) -> Result<Model> {
        check(&mut input)?;
        let PermissionInput { key, description, .. } = input;
        if catalogue::is_built_in(&key) {
            return Err(Error::taken("key"));
        }
        let now = Timestamp::now().millis();
        let row = Model { key, description, row_version: 1, created_at: now, updated_at: now };
        let tx = self.db.write(&Scope::Platform).await?;
        let taken = |error| Error::on_unique(error, &[("permission", "key")]);
        let row = row.into_active_model().insert(&tx).await.map_err(taken)?;
        record(&tx, caller, "permission:create", None, Some(&row)).await?;
        tx.commit().await?;
        Ok(row)
    }

    async fn update(&self, caller: &Caller, mut input: PermissionInput) -> Result<Model> {
        check(&mut input)?;
        let tx = self.db.write(&Scope::Platform).await?;
        let before = locked(&tx, &input.key, input.row_version).await?;
        let mut row = before.clone();
        row.description = input.description;
        row.row_version += 1;
        row.updated_at = Timestamp::now().millis();
        let row = row.into_active_model().reset_all().update(&tx).await?;
        record(&tx, caller, "permission:update", Some(&before), Some(&row)).await?;
        tx.commit().await?;
        Ok(row)
    }

    /// What roles say of it goes with it.
    async fn delete(&self, caller: &Caller, request: &DeletePermissionRequest) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        let row = locked(&tx, &request.key, request.row_version).await?;
        let of_roles = role_permission::Entity::find().filter(role_permission::Column::Key.eq(&row.key));
        let roles = of_roles.select_only().column(role_permission::Column::RoleId).into_query();
        let users = user_role::Entity::find().filter(user_role::Column::RoleId.in_subquery(roles));
        let users = users.select_only().column(user_role::Column::UserId).into_query();
        policy::changed(&tx, user::Column::Id.in_subquery(users)).await?;
        role_permission::Entity::delete_many().filter(role_permission::Column::Key.eq(&row.key)).exec(&tx).await?;
        record(&tx, caller, "permission:delete", Some(&row), None).await?;
        row.delete(&tx).await?;
        tx.commit().await?;
        self.outbox.flush().await;
        Ok(())
    }
}

/// Records what was done to the catalogue, in the chain of the platform.
async fn record(
    tx: &DatabaseTransaction,
    caller: &Caller,
    act: &'static str,
    before: Option<&Model>,
    after: Option<&Model>,
) -> Result<()> {
    let Some(row) = after.or(before) else { return Ok(()) };
    let message = |row: Option<&Model>| row.map(|row| Permission::from(row.clone()));
    let change = audit::changes(message(before).as_ref(), message(after).as_ref());
    let object = Object::new("permission", &row.key, &row.key);
    audit::record(tx, caller, Act { act, tenant: None, object, change }).await
}

/// A permission that was added, for changing it.
async fn locked(tx: &DatabaseTransaction, key: &str, row_version: Option<i32>) -> Result<Model> {
    if catalogue::is_built_in(key) {
        return Err(Error::field("key", "built_in"));
    }
    // Not every text can be a value in PostgreSQL.
    if !is_key(key) {
        return Err(Error::not_found());
    }
    let row = Entity::find_by_id(key).lock_exclusive().one(tx).await?.ok_or_else(Error::not_found)?;
    if row_version.is_some_and(|version| version != row.row_version) {
        return Err(Error::version_mismatch());
    }
    Ok(row)
}

/// Brings the input into the form in which it is stored, or says what is wrong with it.
pub fn check(input: &mut PermissionInput) -> Result<()> {
    let mut violations = input.validate();
    if !is_key(&input.key) {
        violations.add("key", "invalid_permission_key");
    }
    Ok(violations.check()?)
}

/// `<module>:<act>` or `<act>-<things>`, as the catalogue's own.
pub fn is_key(text: &str) -> bool {
    let word = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_lowercase() || c == b'_');
    let words = |part: &str| part.split('-').all(word);
    match text.split_once(':') {
        Some((module, act)) => words(module) && words(act),
        None => text.contains('-') && words(text),
    }
}
