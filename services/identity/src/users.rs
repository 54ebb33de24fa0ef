//! Users: managed by platform owners everywhere, and within a tenant by its admins and by whom their roles let.

mod input;
mod roles;
mod set_roles;
mod summary;

use std::{collections::HashMap, mem};

use armada_proto::{
    TenantId, UserId, Violations,
    v1::{
        BulkUsersRequest, ImportUsersRequest, ListUsersRequest, RoleName, SendLinkRequest, SentLink, User, UserInput,
        UserList, UserRolesInput, UserStatus, UserSummary, users_server,
    },
};
use armada_runtime::{
    Caller, Database, Error, Jobs, Result, Scope, acts,
    list::{List, Searched, Sort, among_ids, called},
    outbox::OutboxHandle,
    resource::{Acts, Resource, Row, tenant_of_new},
    resource_service,
};
use sea_orm::{
    ColumnTrait, Condition, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
};
use serde_json::{Map, Value};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::{
    counting,
    ended::{self, EndedSessions},
    entity::{
        role, session, tenant,
        user::{self, Column, Entity, Model},
        user_role,
    },
    limits,
    links::{self, Links},
    passwords::Passwords,
    policy, saved_views, widening,
};

/// The RPCs.
#[derive(Clone)]
pub struct Users {
    pub(crate) db: Database,
    pub(crate) passwords: Passwords,
    pub(crate) ended: EndedSessions,
    pub(crate) links: Links,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
    pub(crate) jobs: Jobs,
}

resource_service! {
    impl users_server::Users, for Users:
        List, Get, Create, Update, Delete, Export, Bulk(BulkUsersRequest), Import(ImportUsersRequest);

    async fn summary(&self, request: Request<ListUsersRequest>) -> Result<Response<UserSummary>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.summary(&caller, request.into_inner()).await?))
    }

    async fn set_roles(&self, request: Request<UserRolesInput>) -> Result<Response<User>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.set_roles(&caller, &request.into_inner()).await?))
    }

    async fn send_link(&self, request: Request<SendLinkRequest>) -> Result<Response<SentLink>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.links.send(&caller, request.into_inner()).await?))
    }
}

/// What is found out before a user is written.
#[derive(Default, Clone)]
pub struct Prepared {
    /// Of the password that the caller sets.
    password_hash: Option<String>,
    /// Whether the address is that of an account elsewhere, if it is another one than before.
    is_used_elsewhere: Option<bool>,
}

/// What a change of a user leads to.
#[derive(Default)]
pub struct Effects {
    sets_password: bool,
    /// Roles of a new user.
    role_ids: Vec<String>,
    /// Sessions that have ended.
    ended: Vec<Uuid>,
}

impl Resource for Users {
    type Entity = Entity;
    type Row = Model;
    type Message = User;
    type Input = UserInput;
    type Request = ListUsersRequest;
    type List = UserList;
    type Prepared = Prepared;
    type Effects = Effects;

    const ACTS: Acts = acts!("user");
    const LIST: List<Column> = List {
        sortable: &[
            ("name", Sort::Plain(Column::NameFolded)),
            ("email", Sort::Plain(Column::Email)),
            ("phone", Sort::Plain(Column::Phone)),
            ("last_login", Sort::OrZero(Column::LastLogin)),
            ("created_at", Sort::Plain(Column::CreatedAt)),
        ],
        searched: Searched::Indexed(Column::Search),
        id: Column::Id,
    };

    fn db(&self) -> &Database {
        &self.db
    }

    fn outbox(&self) -> Option<&OutboxHandle> {
        Some(&self.outbox)
    }

    fn visible(_: &Caller, scope: Scope) -> Select<Entity> {
        Entity::within(scope)
    }

    /// A service on its own, which takes away what belongs to users who are removed, finds those of deleted tenants too:
    /// they are not.
    fn readable(caller: &Caller) -> Select<Entity> {
        match (&caller.grant, caller.scope()) {
            (Some(_), scope) => Entity::within(scope),
            (None, Scope::Tenant(tenant)) => Entity::find().filter(Column::TenantId.eq(tenant)),
            (None, Scope::Platform) => Entity::find(),
        }
    }

    fn filter(&self, rows: Select<Entity>, request: &ListUsersRequest) -> Result<Select<Entity>> {
        let rows =
            called(self.db().backend(), rows, &[Column::NameFolded, Column::Email, Column::Phone], &request.names);
        let mut rows = among_ids::<_, UserId>(rows, Column::Id, &request.ids);
        if !request.role_ids.is_empty() {
            let roles = request.role_ids.iter().filter_map(|id| Uuid::try_parse(id).ok());
            let users = user_role::Entity::find().filter(user_role::Column::RoleId.is_in(roles));
            let users = users.select_only().column(user_role::Column::UserId).into_query();
            rows = rows.filter(Column::Id.in_subquery(users));
        }
        if let Some(is_admin) = request.is_tenant_admin {
            rows = rows.filter(Column::IsTenantAdmin.eq(is_admin));
        }
        if let Some(active) = request.is_subscription_active {
            rows = rows.filter(Column::IsSubscriptionActive.eq(active));
        }
        let statuses: Vec<UserStatus> = counting::specified(&request.statuses);
        if statuses.is_empty() {
            return Ok(rows);
        }
        Ok(rows.filter(statuses.into_iter().fold(Condition::any(), |any, status| any.add(user::of_status(status)))))
    }

    /// With their tenants and roles.
    async fn present(&self, tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<User>> {
        let tenants = tenant::Entity::within(Scope::Platform)
            .filter(tenant::Column::Id.is_in(rows.iter().filter_map(|row| row.tenant_id)));
        let tenants: HashMap<TenantId, tenant::Model> =
            tenants.all(tx).await?.into_iter().map(|tenant| (tenant.id, tenant)).collect();
        let mut roles = roles_of(tx, rows.iter().map(|row| row.id)).await?;
        let with_both = |row: Model| {
            let tenant = row.tenant_id.and_then(|id| tenants.get(&id));
            User {
                status: row.status(tenant).into(),
                tenant_name: tenant.map(|tenant| tenant.name.clone()),
                roles: roles.remove(&row.id).unwrap_or_default(),
                ..row.into()
            }
        };
        Ok(rows.into_iter().map(with_both).collect())
    }

    /// Roles are read with their names, and given by their ids.
    fn wanted_again(mut before: Map<String, Value>) -> Option<Map<String, Value>> {
        if let Some(Value::Array(roles)) = before.remove("roles") {
            let ids = roles.iter().filter_map(|role| role.get("id").cloned()).collect();
            before.insert("role_ids".to_owned(), ids);
        }
        Some(before)
    }

    /// They have no roles yet, and may do nothing until they are given some.
    fn new_row(caller: &Caller, input: &UserInput, violations: &mut Violations) -> Option<Model> {
        tenant_of_new(caller, input.tenant_id.as_deref(), violations).map(|tenant| Model::new(Some(tenant)))
    }

    fn check(&self, caller: &Caller, before: Option<&Model>, input: &mut UserInput, violations: &mut Violations) {
        if let Some(before) = before {
            input::check_change(caller, before, input, violations);
        }
        input::check_password(before.is_none(), input, violations);
    }

    async fn prepare(&self, caller: &Caller, row: &Model, input: &mut UserInput) -> Result<Prepared> {
        let password_hash = match input.password.take().filter(|password| !password.is_empty()) {
            Some(password) => Some(self.passwords.hash(password).await?),
            None => None,
        };
        let is_used_elsewhere = match &input.email {
            Some(email) if *email != row.email => Some(self.is_used_elsewhere(caller, email, row.tenant_id).await?),
            _ => None,
        };
        Ok(Prepared { password_hash, is_used_elsewhere })
    }

    async fn before_lock(&self, tx: &DatabaseTransaction, row: &Model) -> Result<()> {
        if row.is_platform_owner { limits::lock_owners(tx).await } else { Ok(()) }
    }

    async fn apply(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        before: Option<&Model>,
        row: &mut Model,
        mut input: UserInput,
        prepared: Prepared,
    ) -> Result<Effects> {
        let role_ids = mem::take(&mut input.role_ids);
        match before {
            Some(before) => input::must_be_allowed(tx, caller, before, &input).await?,
            None => {
                input::refuse_flags(caller, row, &input)?;
                roles::may_give(caller, &role_ids)?;
            }
        }
        row.apply(input);
        let sets_password = prepared.password_hash.is_some();
        match prepared.password_hash {
            Some(hash) => input::set_password(row, caller, hash),
            // Who is invited chooses a password of their own.
            None if before.is_none() => row.is_pending = true,
            None => {}
        }
        row.is_address_elsewhere = prepared.is_used_elsewhere.unwrap_or(row.is_address_elsewhere);
        if let Some(before) = before {
            row.policy_version += i32::from(sets_password) + i32::from(row.flags() != before.flags());
            if row.email != before.email {
                row.is_email_verified = false;
                row.email_set_by = input::manager(caller);
            }
        }
        input::must_be_free(tx, row).await?;
        Ok(Effects { sets_password, role_ids, ended: Vec::new() })
    }

    async fn apply_new(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        rows: &mut [Model],
        inputs: Vec<UserInput>,
        prepared: Vec<Prepared>,
    ) -> Result<Vec<Effects>> {
        if let Some(first) = rows.first() {
            input::must_have_room(tx, first, rows.len() as u64).await?;
        }
        let mut effects = Vec::with_capacity(rows.len());
        for ((row, input), prepared) in rows.iter_mut().zip(inputs).zip(prepared) {
            effects.push(self.apply(tx, caller, None, row, input, prepared).await?);
        }
        Ok(effects)
    }

    async fn written(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        before: Option<&Model>,
        row: &mut Model,
        effects: &mut Effects,
    ) -> Result<()> {
        policy::mark(tx, &[row.id]).await?;
        let Some(before) = before else { return roles::give(tx, caller, row, &effects.role_ids).await };
        if effects.sets_password || (before.is_active && !row.is_active) {
            effects.ended = ended::end(tx, session::Column::UserId.eq(row.id)).await?;
        }
        if effects.sets_password || row.email != before.email || (row.is_active && !before.is_active) {
            // Whoever has one might have it from an address that is no longer the user's, or from before they were barred.
            links::forget(tx, row.id, None).await?;
        }
        if row.is_tenant_admin && !before.is_tenant_admin {
            effects.ended.extend(widening::end(tx, &self.links.mail, &[row.id]).await?);
        }
        Ok(())
    }

    /// What they did stays in the audit.
    async fn removing(&self, tx: &DatabaseTransaction, caller: &Caller, row: &Model) -> Result<Effects> {
        if input::is_own(caller, row) {
            return Err(Error::field("id", "own_account"));
        }
        policy::must_cover(tx, caller, row).await?;
        limits::another_admin(tx, row, "id").await?;
        let ended = ended::end(tx, session::Column::UserId.eq(row.id)).await?;
        policy::mark(tx, &[row.id]).await?;
        saved_views::remove_of_maker(tx, row.id).await?;
        Ok(Effects { ended, ..Effects::default() })
    }

    fn unseen_change(effects: &Effects) -> Option<&'static str> {
        effects.sets_password.then_some("password_changed")
    }

    async fn committed(&self, effects: Effects) {
        self.links.mail.wake_relay();
        self.ended.announce(effects.ended).await;
    }

    fn claim(input: &UserInput) -> Option<(&'static str, String)> {
        Some(("email", input.email.clone()?))
    }

    fn claimed(row: &Model) -> Option<String> {
        Some(row.email.clone())
    }

    fn unique(error: sea_orm::DbErr) -> Error {
        input::taken(error)
    }
}

impl Users {
    /// Whether an account outside of a tenant signs in with an address. Only platform owners are told, as an error: they
    /// see all users anyhow.
    async fn is_used_elsewhere(&self, caller: &Caller, email: &str, tenant: Option<TenantId>) -> Result<bool> {
        let tx = self.db.read(&Scope::Platform).await?;
        let found = Entity::of_address(email).one(&tx).await?;
        match found.is_some_and(|user| user.tenant_id != tenant) {
            true if caller.is_platform_owner() || caller.grant.is_none() => Err(Error::taken("email")),
            is_used_elsewhere => Ok(is_used_elsewhere),
        }
    }
}

/// The roles of users, by name.
async fn roles_of(
    tx: &DatabaseTransaction,
    users: impl Iterator<Item = UserId>,
) -> Result<HashMap<UserId, Vec<RoleName>>> {
    let links = user_role::Entity::find()
        .filter(user_role::Column::UserId.is_in(users))
        .find_also_related(role::Entity)
        .order_by_asc(role::Column::Name);
    let mut roles = HashMap::<UserId, Vec<RoleName>>::new();
    for (link, role) in links.all(tx).await? {
        let name = role.map(|role| role.name).unwrap_or_default();
        roles.entry(link.user_id).or_default().push(RoleName { id: link.role_id.to_string(), name });
    }
    Ok(roles)
}
