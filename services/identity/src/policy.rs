//! What users may do, from their flags and roles, and how every service learns of it: the bucket `policies`, kept in
//! step with the tables by the outbox. The relay that carries it tells of tenants as well.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    str::FromStr,
};

use armada_proto::{
    UserId, access, coded,
    policy::BUCKET,
    v1::{self, Effect},
};
use armada_runtime::{
    Caller, Context, Database, Error, Result, Scope,
    bus::Bucket,
    outbox::{self, OutboxHandle, Relay, Rows, States},
};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Expr, ExprTrait, IntoCondition},
};
use tokio_util::{bytes::Bytes, sync::CancellationToken};
use uuid::Uuid;

use crate::{
    catalogue,
    entity::{
        role, role_permission, tenant,
        user::{self, Column, Entity},
        user_role,
    },
    tenant_entries::{self, TenantEntries},
};

/// Users who are marked at a time.
const CHUNK: usize = 500;

/// What several roles allow together: deny beats allow, and allow beats silence. What one says of a permission that
/// stands for others, it says of each of them.
pub fn allowed<'a>(effects: impl IntoIterator<Item = (&'a str, Effect)>) -> BTreeSet<&'a str> {
    let mut strongest = BTreeMap::new();
    for (key, effect) in effects {
        for key in expand_wildcard(key) {
            let decides = strongest.entry(key).or_insert(effect);
            *decides = Ord::max(effect, *decides);
        }
    }
    strongest.into_iter().filter(|(_, effect)| *effect == Effect::Allow).map(|(key, _)| key).collect()
}

/// The permissions that somebody means who names one: itself, and those that it stands for.
fn expand_wildcard<'a>(key: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
    std::iter::once(key).chain(access::under(key).map(|key| -> &'a str { key }))
}

/// The same of what stands in rows.
fn allowed_by<'a>(rows: impl IntoIterator<Item = &'a role_permission::Model>) -> BTreeSet<&'a str> {
    allowed(rows.into_iter().map(|row| (&*row.key, row.effect)))
}

/// What the roles of a user say, role by role.
pub async fn permissions_of_roles(tx: &DatabaseTransaction, user: UserId) -> Result<Vec<role_permission::Model>> {
    let roles = roles_of(user).into_query();
    let rows = role_permission::Entity::find().filter(role_permission::Column::RoleId.in_subquery(roles));
    Ok(rows.all(tx).await?)
}

/// The ids of a user's roles.
fn roles_of(user: UserId) -> sea_orm::Select<user_role::Entity> {
    user_role::Entity::find().select_only().column(user_role::Column::RoleId).filter(user_role::Column::UserId.eq(user))
}

/// The names of a user's roles, sorted.
pub async fn role_names(tx: &DatabaseTransaction, user: UserId) -> Result<Vec<String>> {
    let rows = role::Entity::find().filter(role::Column::Id.in_subquery(roles_of(user).into_query()));
    let rows = rows.select_only().column(role::Column::Name).order_by_asc(role::Column::Name);
    Ok(rows.into_tuple().all(tx).await?)
}

/// The keys of what a user may do: all there are for owners and admins.
pub async fn permissions(tx: &DatabaseTransaction, user: &user::Model) -> Result<Vec<String>> {
    if user.is_admin() {
        return catalogue::keys(tx).await;
    }
    let permissions = permissions_of_roles(tx, user.id).await?;
    Ok(allowed_by(&permissions).into_iter().map(str::to_owned).collect())
}

/// What users may do now, those of them who may be signed in. Admins may have to set up a second factor first. A few
/// queries for all of them together.
pub async fn of(
    tx: &DatabaseTransaction,
    users: &[UserId],
    admins_need_totp: bool,
) -> Result<Vec<(UserId, v1::Policy)>> {
    let rows = Entity::find().filter(Column::Id.is_in(users.iter().copied()));
    let rows = rows.find_also_related(tenant::Entity).all(tx).await?;
    let admitted = rows.into_iter().filter(|(user, tenant)| user.is_admitted(tenant.as_ref())).map(|(user, _)| user);
    let admitted: Vec<_> = admitted.collect();
    let ordinary: Vec<UserId> = admitted.iter().filter(|user| !user.is_admin()).map(|user| user.id).collect();
    let permissions = permissions_of(tx, &ordinary).await?;
    let policies = admitted.into_iter().map(|user| {
        let policy = v1::Policy {
            version: user.policy_version,
            tenant_id: user.tenant_id.map(|id| id.to_string()),
            is_platform_owner: user.is_platform_owner,
            is_tenant_admin: user.is_tenant_admin,
            is_subscription_user: user.is_subscription_active,
            must_set_up_totp: admins_need_totp && user.is_admin() && !user.has_totp,
            must_change_password: user.must_change_password,
            permissions: permissions.get(&user.id).cloned().unwrap_or_default(),
        };
        (user.id, policy)
    });
    Ok(policies.collect())
}

/// What the roles of these users allow together. Users share roles: what each role says is read once.
async fn permissions_of(tx: &DatabaseTransaction, users: &[UserId]) -> Result<HashMap<UserId, Vec<String>>> {
    let links = user_role::Entity::find().filter(user_role::Column::UserId.is_in(users.iter().copied()));
    let mut roles = BTreeMap::<UserId, Vec<Uuid>>::new();
    for link in links.all(tx).await? {
        roles.entry(link.user_id).or_default().push(link.role_id);
    }
    let ids: BTreeSet<Uuid> = roles.values().flatten().copied().collect();
    let rows = role_permission::Entity::find().filter(role_permission::Column::RoleId.is_in(ids));
    let mut permissions = HashMap::<Uuid, Vec<role_permission::Model>>::new();
    for row in rows.all(tx).await? {
        permissions.entry(row.role_id).or_default().push(row);
    }
    let of_user = |roles: Vec<Uuid>| {
        let permissions = roles.iter().filter_map(|role| permissions.get(role)).flatten();
        allowed_by(permissions).into_iter().map(str::to_owned).collect()
    };
    Ok(roles.into_iter().map(|(user, roles)| (user, of_user(roles))).collect())
}

/// Users who are told that what they may do has changed, in the transaction that changes it.
pub async fn changed(tx: &DatabaseTransaction, which: impl IntoCondition) -> Result<()> {
    let which = which.into_condition();
    Entity::update_many()
        .col_expr(Column::PolicyVersion, Expr::col(Column::PolicyVersion).add(1))
        .filter(which.clone())
        .exec(tx)
        .await?;
    let ids: Vec<UserId> = Entity::find().filter(which).select_only().column(Column::Id).into_tuple().all(tx).await?;
    for chunk in ids.chunks(CHUNK) {
        mark(tx, chunk).await?;
    }
    Ok(())
}

/// The same for users whose version the caller of this has raised.
pub async fn mark(tx: &DatabaseTransaction, users: &[UserId]) -> Result<()> {
    outbox::mark(tx, users.iter().map(UserId::to_string)).await
}

/// The users who have a role.
pub fn has_role(role: Uuid) -> impl IntoCondition {
    let users = user_role::Entity::find()
        .select_only()
        .column(user_role::Column::UserId)
        .filter(user_role::Column::RoleId.eq(role));
    Column::Id.in_subquery(users.into_query())
}

/// An error unless the caller holds each of these permissions, and those that they stand for: nobody grants more than
/// they hold.
pub fn must_hold<'a>(caller: &Caller, field: &str, keys: impl IntoIterator<Item = &'a str>) -> Result<()> {
    match keys.into_iter().flat_map(expand_wildcard).find(|key| !caller.can(key)) {
        None => Ok(()),
        Some(_) => Err(exceeds_own_rights(field)),
    }
}

/// An error unless a user may do no more than the caller: who sets somebody's password could act in their name.
pub async fn must_cover(tx: &DatabaseTransaction, caller: &Caller, user: &user::Model) -> Result<()> {
    if caller.is_platform_owner() || (caller.is_admin() && !user.is_platform_owner) {
        return Ok(());
    }
    if user.is_admin() {
        return Err(exceeds_own_rights("id"));
    }
    let permissions = permissions_of_roles(tx, user.id).await?;
    must_hold(caller, "id", allowed_by(&permissions))
}

/// Whether somebody may do at least what a user may, as things are now: who has gone, or is barred, may do nothing.
pub async fn covers(tx: &DatabaseTransaction, id: UserId, user: &user::Model) -> Result<bool> {
    let found = Entity::find_by_id(id).find_also_related(tenant::Entity).one(tx).await?;
    let Some((other, _)) = found.filter(|(other, tenant)| other.is_admitted(tenant.as_ref())) else { return Ok(false) };
    if other.is_platform_owner || (other.is_tenant_admin && other.tenant_id == user.tenant_id) {
        return Ok(true);
    }
    if user.is_admin() || other.tenant_id != user.tenant_id {
        return Ok(false);
    }
    let held = permissions(tx, &other).await?;
    Ok(permissions(tx, user).await?.iter().all(|key| held.contains(key)))
}

/// The users of a condition who are no admins, and not the caller: those whose rights a role decides.
pub async fn ordinary(tx: &DatabaseTransaction, caller: &Caller, which: impl IntoCondition) -> Result<Vec<UserId>> {
    let own = caller.grant.as_ref().map(|grant| grant.user_id);
    let rows = Entity::find().filter(which.into_condition()).filter(Column::IsTenantAdmin.eq(false));
    let ids: Vec<UserId> = rows.select_only().column(Column::Id).into_tuple().all(tx).await?;
    Ok(ids.into_iter().filter(|id| Some(*id) != own).collect())
}

/// The caller would give somebody, or act as somebody with, rights that they lack themselves.
pub fn exceeds_own_rights(field: &str) -> Error {
    let message = "this takes rights that you do not have yourself";
    Error::new(armada_runtime::Code::Forbidden, "more_than_held", message).with_field(field, "more_than_held")
}

/// The tables that policies are made of.
#[derive(Clone)]
pub struct Publisher {
    tenants: Relay<TenantEntries>,
    admins_need_totp: bool,
    bucket: Bucket,
    /// What was written to the bucket later is in step.
    opened_at: u64,
}

impl Publisher {
    /// What carries changes into the bucket.
    pub async fn relay(
        db: Database,
        context: &Context,
        tenants: Relay<TenantEntries>,
        admins_need_totp: bool,
        handle: OutboxHandle,
    ) -> Result<Relay<Self>> {
        let bucket = context.own_bucket(BUCKET).await?;
        let info = bucket.store().stream.get_info().await.map_err(Error::unavailable)?;
        let states = Self { tenants, admins_need_totp, bucket: bucket.clone(), opened_at: info.state.last_sequence };
        Ok(Relay { db, bucket, handle, states })
    }
}

impl States for Publisher {
    /// What is no user's id is no key of the bucket.
    async fn states(&self, db: &Database, keys: Vec<String>) -> Result<HashMap<String, Bytes>> {
        let tenants = keys.iter().filter_map(|key| key.strip_prefix(tenant_entries::MARK)).map(str::to_owned);
        let tenants: Vec<String> = tenants.collect();
        if !tenants.is_empty() {
            self.tenants.put(tenants).await?;
        }
        let users: Vec<UserId> = keys.iter().filter_map(|key| UserId::from_str(key).ok()).collect();
        let tx = db.read(&Scope::Platform).await?;
        let policies = of(&tx, &users, self.admins_need_totp).await?;
        Ok(policies.into_iter().map(|(user, policy)| (user.to_string(), coded::encode(&policy).into())).collect())
    }
}

impl Rows for Publisher {
    type Place = UserId;

    async fn keys(&self, db: &Database, after: Option<UserId>) -> Result<Option<(Vec<String>, UserId)>> {
        outbox::next_ids(db, Entity::within(Scope::Platform), Column::Id, after).await
    }

    /// Those that were there when the bucket was opened: a user who was made after the table was read is none too many.
    async fn without_row(&self, db: &Database, mut keys: Vec<String>) -> Result<Vec<String>> {
        let tx = db.read(&Scope::Platform).await?;
        let asked = keys.iter().filter_map(|key| UserId::from_str(key).ok());
        let rows = Entity::within(Scope::Platform).filter(Column::Id.is_in(asked));
        let known: Vec<UserId> = rows.select_only().column(Column::Id).into_tuple().all(&tx).await?;
        tx.commit().await?;
        let known: HashSet<_> = known.iter().map(UserId::to_string).collect();
        keys.retain(|key| !known.contains(key));
        let mut older = Vec::new();
        for key in keys {
            let entry = self.bucket.entry(&key).await?;
            if entry.is_some_and(|entry| entry.revision <= self.opened_at) {
                older.push(key);
            }
        }
        Ok(older)
    }
}

/// Brings the buckets in step with the tables once, both ways, whatever happened to any of them; then rests until shutdown.
pub async fn reconcile(policies: Relay<Publisher>, shutdown: CancellationToken) -> Result<()> {
    let failure = "cannot compare the bucket of policies with the tables; will try again";
    let attempt = || async {
        policies.reconcile().await?;
        policies.states.tenants.reconcile().await
    };
    outbox::until_done(shutdown, failure, attempt).await
}
