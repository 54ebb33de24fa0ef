//! Users: managed by platform owners everywhere, and within a tenant by its admins and by whom their roles let.

mod create;
mod edit;
mod input;
mod list;
mod set_roles;

use std::collections::HashMap;

use armada_proto::{
    TenantId, UserId,
    v1::{
        DeleteRequest, Empty, GetRequest, ListUsersRequest, RoleName, SendLinkRequest, SentLink, User, UserInput,
        UserList, UserRolesInput, UserSummary, users_server,
    },
};
use armada_runtime::{
    Caller, Database, Error, Result, Scope,
    audit::{self, Act, Change, Object},
    outbox::OutboxHandle,
};
use futures::stream::BoxStream;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};
use tonic::{Request, Response, Status};

use crate::{
    ended::Ended,
    entity::{
        role, tenant,
        user::{Column, Entity, Model},
        user_role,
    },
    limits,
    links::Links,
    passwords::Passwords,
};

/// The RPCs.
pub struct Users {
    pub(crate) db: Database,
    pub(crate) passwords: Passwords,
    pub(crate) ended: Ended,
    pub(crate) links: Links,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
}

#[tonic::async_trait]
impl users_server::Users for Users {
    async fn list(&self, request: Request<ListUsersRequest>) -> Result<Response<UserList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.page(&caller, &request.into_inner()).await?))
    }

    type ExportStream = BoxStream<'static, Result<UserList, Status>>;

    async fn export(&self, request: Request<ListUsersRequest>) -> Result<Response<Self::ExportStream>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.whole(&caller, &request.into_inner()).await?))
    }

    async fn summary(&self, request: Request<ListUsersRequest>) -> Result<Response<UserSummary>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.counted(&caller, &request.into_inner()).await?))
    }

    async fn get(&self, request: Request<GetRequest>) -> Result<Response<User>, Status> {
        let caller = Caller::of(&request)?;
        let tx = self.db.read(&caller.scope()).await.map_err(Status::from)?;
        let id = request.into_inner().id;
        let user = match caller.grant {
            Some(_) => one(&tx, &caller, &id).await?,
            None => there(&tx, &caller, &id).await?,
        };
        Ok(Response::new(told_one(&tx, user).await?))
    }

    async fn create(&self, request: Request<UserInput>) -> Result<Response<User>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.make(&caller, request.into_inner()).await?))
    }

    async fn update(&self, request: Request<UserInput>) -> Result<Response<User>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.change(&caller, request.into_inner()).await?))
    }

    async fn set_roles(&self, request: Request<UserRolesInput>) -> Result<Response<User>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.assign(&caller, &request.into_inner()).await?))
    }

    async fn delete(&self, request: Request<DeleteRequest>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        self.remove(&caller, &request.into_inner()).await?;
        Ok(Response::new(Empty {}))
    }

    async fn send_link(&self, request: Request<SendLinkRequest>) -> Result<Response<SentLink>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.links.send(&caller, request.into_inner()).await?))
    }
}

/// A user whom the caller may know.
async fn one(tx: &DatabaseTransaction, caller: &Caller, id: &str) -> Result<Model> {
    let id: UserId = id.parse()?;
    let rows = Entity::within(caller.scope()).filter(Column::Id.eq(id));
    rows.one(tx).await?.ok_or_else(Error::not_found)
}

/// The same for a service on its own, which takes away what belongs to users who are removed: those of a deleted tenant
/// are not.
async fn there(tx: &DatabaseTransaction, caller: &Caller, id: &str) -> Result<Model> {
    let id: UserId = id.parse()?;
    let found = Entity::find_by_id(id).one(tx).await?;
    let in_scope = |user: &Model| caller.scope().tenant().is_none_or(|tenant| user.tenant_id == Some(tenant));
    found.filter(in_scope).ok_or_else(Error::not_found)
}

/// The same for changing them; refused when they are no longer at the version that the caller knows.
async fn locked(tx: &DatabaseTransaction, caller: &Caller, id: &str, row_version: Option<i32>) -> Result<Model> {
    let id: UserId = id.parse()?;
    let rows = Entity::within(caller.scope()).filter(Column::Id.eq(id));
    if rows.clone().filter(Column::IsPlatformOwner.eq(true)).count(tx).await? > 0 {
        limits::lock_owners(tx).await?;
    }
    let user = rows.lock_exclusive().one(tx).await?.ok_or_else(Error::not_found)?;
    if row_version.is_some_and(|version| version != user.row_version) {
        return Err(Error::version_mismatch());
    }
    Ok(user)
}

/// Takes over a password that the caller has set for somebody else, who must change it when they sign in. Programs are
/// nobody else: what they make is for whoever runs them.
fn password_of_another(user: &mut Model, caller: &Caller, hash: String) {
    user.password_hash = hash;
    user.is_pending = false;
    user.registration_expires_at = None;
    user.must_change_password = caller.grant.is_some();
    user.password_set_by = manager(caller);
}

impl Users {
    /// Whether an account outside of a tenant signs in with an address. Only platform owners are told, as an error: they
    /// see all users anyhow.
    async fn is_elsewhere(&self, caller: &Caller, email: &str, tenant: Option<TenantId>) -> Result<bool> {
        let tx = self.db.read(&Scope::Platform).await?;
        let found = Entity::of_address(email).one(&tx).await?;
        match found.is_some_and(|user| user.tenant_id != tenant) {
            true if caller.is_platform_owner() || caller.grant.is_none() => Err(Error::taken("email")),
            is_elsewhere => Ok(is_elsewhere),
        }
    }
}

/// Who manages a user and might come to know less than they one day: a platform owner never does.
fn manager(caller: &Caller) -> Option<UserId> {
    caller.grant.as_ref().filter(|grant| !grant.is_platform_owner).map(|grant| grant.user_id)
}

/// Whether the caller is this user.
fn is_own(caller: &Caller, user: &Model) -> bool {
    caller.grant.as_ref().is_some_and(|grant| grant.user_id == user.id)
}

/// Records what was done to a user.
async fn record(
    tx: &DatabaseTransaction,
    caller: &Caller,
    act: &'static str,
    user: &User,
    change: Change,
) -> Result<()> {
    let tenant = user.tenant_id.as_deref().map(str::parse::<TenantId>).transpose()?;
    let object = Object::new("user", &user.id, &user.name);
    audit::record(tx, caller, Act { act, tenant, object, change }).await
}

/// Users with their tenants and roles.
async fn told(tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<User>> {
    let tenants = tenant::Entity::within(Scope::Platform)
        .filter(tenant::Column::Id.is_in(rows.iter().filter_map(|row| row.tenant_id)));
    let tenants: HashMap<TenantId, tenant::Model> =
        tenants.all(tx).await?.into_iter().map(|tenant| (tenant.id, tenant)).collect();
    let links = user_role::Entity::find()
        .filter(user_role::Column::UserId.is_in(rows.iter().map(|row| row.id)))
        .find_also_related(role::Entity)
        .order_by_asc(role::Column::Name);
    let mut roles = HashMap::<UserId, Vec<RoleName>>::new();
    for (link, role) in links.all(tx).await? {
        let name = role.map(|role| role.name).unwrap_or_default();
        roles.entry(link.user_id).or_default().push(RoleName { id: link.role_id.to_string(), name });
    }
    let one = |row: Model| {
        let tenant = row.tenant_id.and_then(|id| tenants.get(&id));
        let roles = roles.remove(&row.id).unwrap_or_default();
        row.told(tenant, roles)
    };
    Ok(rows.into_iter().map(one).collect())
}

async fn told_one(tx: &DatabaseTransaction, row: Model) -> Result<User> {
    told(tx, vec![row]).await?.pop().ok_or_else(Error::not_found)
}
