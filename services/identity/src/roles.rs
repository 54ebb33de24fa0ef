//! Roles: sets of permissions under a name. What one says of each permission is in `mapping`; why a user may do
//! something, in `explain`.

mod explain;
mod mapping;

use std::collections::HashMap;

use armada_proto::{
    TenantId, Timestamp,
    access::permission,
    v1::{
        DecisionList, DeleteRequest, Empty, ExplainRequest, GetRequest, ListRolesRequest, Role, RoleInput, RoleList,
        RolePermissions, RolePermissionsInput, RoleTemplateList, roles_server,
    },
};
use armada_runtime::{
    Caller, Code, Database, Error, Fields, Result, Scope,
    audit::{self, Act, Object},
    list::{List, Searched, Sort, Wanted},
    outbox::OutboxHandle,
};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, ModelTrait, QueryFilter,
    QuerySelect,
};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::{
    ended::Ended,
    entity::{
        role::{Column, Entity, Model},
        role_permission::{self, Effect},
        tenant, user_role,
    },
    mail::Mail,
    policy, templates, widening,
};

const NAME_MAX: usize = 100;
const DESCRIPTION_MAX: usize = 500;

/// How roles are listed.
const LIST: List<Column> = List {
    sortable: &[
        ("name", Sort::Plain(Column::NameFolded)),
        ("created_at", Sort::Plain(Column::CreatedAt)),
        ("updated_at", Sort::Plain(Column::UpdatedAt)),
    ],
    searched: Searched::Indexed(Column::Search),
    id: Column::Id,
};

/// The RPCs.
pub struct Roles {
    pub(crate) db: Database,
    pub(crate) ended: Ended,
    pub(crate) mail: Mail,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
}

#[tonic::async_trait]
impl roles_server::Roles for Roles {
    async fn list(&self, request: Request<ListRolesRequest>) -> Result<Response<RoleList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.page(&caller, &request.into_inner()).await?))
    }

    async fn get(&self, request: Request<GetRequest>) -> Result<Response<Role>, Status> {
        let caller = Caller::of(&request)?;
        let tx = self.db.read(&caller.scope()).await.map_err(Status::from)?;
        let role = one(&tx, caller.scope(), &request.into_inner().id).await?;
        Ok(Response::new(told_one(&tx, role).await?))
    }

    async fn create(&self, request: Request<RoleInput>) -> Result<Response<Role>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.make(&caller, request.into_inner()).await?))
    }

    async fn update(&self, request: Request<RoleInput>) -> Result<Response<Role>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.change(&caller, request.into_inner()).await?))
    }

    async fn delete(&self, request: Request<DeleteRequest>) -> Result<Response<Empty>, Status> {
        let caller = Caller::of(&request)?;
        self.remove(&caller, &request.into_inner()).await?;
        Ok(Response::new(Empty {}))
    }

    async fn get_permissions(&self, request: Request<GetRequest>) -> Result<Response<RolePermissions>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.mapping(&caller, &request.into_inner().id).await?))
    }

    async fn set_permissions(
        &self,
        request: Request<RolePermissionsInput>,
    ) -> Result<Response<RolePermissions>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.set_mapping(&caller, &request.into_inner()).await?))
    }

    async fn templates(&self, _request: Request<Empty>) -> Result<Response<RoleTemplateList>, Status> {
        Ok(Response::new(templates::list()))
    }

    async fn explain(&self, request: Request<ExplainRequest>) -> Result<Response<DecisionList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.decisions(&caller, &request.into_inner()).await?))
    }
}

impl Roles {
    async fn page(&self, caller: &Caller, request: &ListRolesRequest) -> Result<RoleList> {
        let scope = caller.narrow(request.tenant_id.as_deref())?;
        let wanted = Wanted { page: request.page, page_size: request.page_size, sort: &request.sort, q: &request.q };
        let tx = self.db.read(&scope).await?;
        let (rows, total) = LIST.fetch(&tx, Entity::within(scope), wanted).await?;
        Ok(RoleList { items: told(&tx, rows).await?, total })
    }

    async fn make(&self, caller: &Caller, mut input: RoleInput) -> Result<Role> {
        let mut fields = Fields::default();
        let tenant = tenant_of_new(caller, input.tenant_id.as_deref(), &mut fields);
        check(&mut input, true, fields)?;
        let tenant = tenant.ok_or_else(Error::not_found)?;
        let tx = self.db.write(&Scope::Tenant(tenant)).await?;
        if tenant::Entity::within(Scope::Tenant(tenant)).one(&tx).await?.is_none() {
            return Err(Error::field("tenant_id", "unknown"));
        }
        let says = beginning(&tx, caller, tenant, &input).await?;
        let role = insert(&tx, tenant, input.name.unwrap_or_default(), input.description.unwrap_or_default()).await?;
        mapping::insert(&tx, &role, says).await?;
        let role = told_one(&tx, role).await?;
        record(&tx, caller, permission::ROLE_CREATE, None, Some(&role)).await?;
        tx.commit().await?;
        Ok(role)
    }

    /// What a role is called is nobody's right, so that no policy changes.
    async fn change(&self, caller: &Caller, mut input: RoleInput) -> Result<Role> {
        let tx = self.db.write(&caller.scope()).await?;
        let mut role = locked(&tx, caller.scope(), &input.id, input.row_version).await?;
        let mut fields = Fields::default();
        if input.tenant_id.as_ref().is_some_and(|wanted| *wanted != role.tenant_id.to_string()) {
            fields.wrong("tenant_id", "not_changeable");
        }
        check(&mut input, false, fields)?;
        let before = told_one(&tx, role.clone()).await?;
        role.name = input.name.unwrap_or(role.name);
        role.description = input.description.unwrap_or(role.description);
        role.search = role.searched();
        let role = touched(&tx, role).await?;
        let role = told_one(&tx, role).await?;
        record(&tx, caller, permission::ROLE_UPDATE, Some(&before), Some(&role)).await?;
        tx.commit().await?;
        Ok(role)
    }

    async fn remove(&self, caller: &Caller, request: &DeleteRequest) -> Result<()> {
        let tx = self.db.write(&caller.scope()).await?;
        let role = locked(&tx, caller.scope(), &request.id, request.row_version).await?;
        // Without the role, its users may do what other roles of theirs allow and this one denied.
        let says = mapping::of(&tx, role.id).await?;
        let denied = says.iter().filter(|says| says.effect == Effect::Deny).map(|says| &*says.key);
        policy::must_hold(caller, "id", denied.clone())?;
        let wider = match denied.count() {
            0 => Vec::new(),
            _ => policy::ordinary(&tx, caller, policy::who_has(role.id)).await?,
        };
        policy::changed(&tx, policy::who_has(role.id)).await?;
        let told = told_one(&tx, role.clone()).await?;
        record(&tx, caller, permission::ROLE_DELETE, Some(&told), None).await?;
        role.delete(&tx).await?;
        let ended = widening::end(&tx, &self.mail, &wider).await?;
        tx.commit().await?;
        self.mail.wake_relay();
        self.outbox.flush().await;
        self.ended.tell(ended).await;
        Ok(())
    }
}

/// Records what was done to a role.
async fn record(
    tx: &DatabaseTransaction,
    caller: &Caller,
    act: &'static str,
    before: Option<&Role>,
    after: Option<&Role>,
) -> Result<()> {
    let Some(role) = after.or(before) else { return Ok(()) };
    let object = Object::new("role", &role.id, &role.name);
    let tenant = Some(role.tenant_id.parse()?);
    audit::record(tx, caller, Act { act, tenant, object, change: audit::changes(before, after) }).await
}

/// Makes the roles that a new tenant begins with, one of each template.
pub async fn make_first(tx: &DatabaseTransaction, tenant: TenantId) -> Result<()> {
    for template in templates::ALL {
        let role = insert(tx, tenant, template.name.to_owned(), template.description.to_owned()).await?;
        mapping::insert(tx, &role, template.allows.iter().map(|key| ((*key).to_owned(), Effect::Allow))).await?;
    }
    Ok(())
}

async fn insert(tx: &DatabaseTransaction, tenant_id: TenantId, name: String, description: String) -> Result<Model> {
    let now = Timestamp::now().millis();
    let role = Model {
        id: Uuid::now_v7(),
        tenant_id,
        name,
        name_folded: String::new(),
        description,
        search: String::new(),
        row_version: 1,
        created_at: now,
        updated_at: now,
    };
    let role = Model { search: role.searched(), ..role };
    role.into_active_model().insert(tx).await.map_err(taken)
}

/// What a new role says at first: what a template or another role says.
async fn beginning(
    tx: &DatabaseTransaction,
    caller: &Caller,
    tenant: TenantId,
    input: &RoleInput,
) -> Result<Vec<(String, Effect)>> {
    let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let (field, says) = match (given(&input.template), given(&input.copy_of)) {
        (None, None) => return Ok(Vec::new()),
        (Some(_), Some(_)) => return Err(Error::field("copy_of", "template_or_copy")),
        (Some(key), None) => {
            let template = templates::find(&key).ok_or_else(|| Error::field("template", "unknown"))?;
            ("template", template.allows.iter().map(|key| ((*key).to_owned(), Effect::Allow)).collect::<Vec<_>>())
        }
        (None, Some(id)) => {
            let unknown = |error: Error| match error.class {
                Code::NotFound => Error::field("copy_of", "unknown"),
                _ => error,
            };
            let role = one(tx, Scope::Tenant(tenant), &id).await.map_err(unknown)?;
            let says = mapping::of(tx, role.id).await?;
            ("copy_of", says.into_iter().map(|says| (says.key, says.effect)).collect())
        }
    };
    let allows = says.iter().filter(|(_, effect)| *effect == Effect::Allow).map(|(key, _)| key.as_str());
    policy::must_hold(caller, field, allows)?;
    Ok(says)
}

/// Where something new belongs: to the caller's tenant, or to the one that a platform owner names. Another tenant than
/// one's own is as unknown as one that does not exist.
pub fn tenant_of_new(caller: &Caller, named: Option<&str>, fields: &mut Fields) -> Option<TenantId> {
    match caller.narrow(named) {
        Ok(Scope::Tenant(tenant)) => return Some(tenant),
        Ok(Scope::Platform) => fields.wrong("tenant_id", "required"),
        Err(_) => fields.wrong("tenant_id", "unknown"),
    }
    None
}

/// A role of a scope.
async fn one(tx: &DatabaseTransaction, scope: Scope, id: &str) -> Result<Model> {
    let id = Uuid::try_parse(id).map_err(|_| Error::not_found())?;
    Entity::within(scope).filter(Column::Id.eq(id)).one(tx).await?.ok_or_else(Error::not_found)
}

/// The same for changing it; refused when it is no longer at the version that the caller knows.
async fn locked(tx: &DatabaseTransaction, scope: Scope, id: &str, row_version: Option<i32>) -> Result<Model> {
    let id = Uuid::try_parse(id).map_err(|_| Error::not_found())?;
    let found = Entity::within(scope).filter(Column::Id.eq(id)).lock_exclusive().one(tx).await?;
    let role = found.ok_or_else(Error::not_found)?;
    if row_version.is_some_and(|version| version != role.row_version) {
        return Err(Error::version_mismatch());
    }
    Ok(role)
}

/// Stores a role that has changed, as its next version.
async fn touched(tx: &DatabaseTransaction, mut role: Model) -> Result<Model> {
    role.row_version += 1;
    role.updated_at = Timestamp::now().millis();
    role.into_active_model().reset_all().update(tx).await.map_err(taken)
}

/// Brings the input into the form in which it is stored, or says what is wrong with it.
fn check(input: &mut RoleInput, creating: bool, mut fields: Fields) -> Result<()> {
    fields.require("name", input.name.as_deref(), creating);
    fields.line("name", &mut input.name, NAME_MAX);
    fields.line("description", &mut input.description, DESCRIPTION_MAX);
    fields.check()
}

fn taken(error: sea_orm::DbErr) -> Error {
    Error::on_unique(error, &[("role_name", "name"), ("role.name_folded", "name")])
}

/// Roles with their numbers.
async fn told(tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<Role>> {
    let ids = || rows.iter().map(|row| row.id);
    let users = user_role::Entity::find()
        .filter(user_role::Column::RoleId.is_in(ids()))
        .select_only()
        .column(user_role::Column::RoleId)
        .column_as(user_role::Column::UserId.count(), "users")
        .group_by(user_role::Column::RoleId);
    let users: HashMap<Uuid, i64> = users.into_tuple::<(Uuid, i64)>().all(tx).await?.into_iter().collect();
    let says = role_permission::Entity::find()
        .filter(role_permission::Column::RoleId.is_in(ids()))
        .select_only()
        .column(role_permission::Column::RoleId)
        .column(role_permission::Column::Effect)
        .column_as(role_permission::Column::Key.count(), "permissions")
        .group_by(role_permission::Column::RoleId)
        .group_by(role_permission::Column::Effect);
    let says: Vec<(Uuid, Effect, i64)> = says.into_tuple().all(tx).await?;
    let says: HashMap<_, _> = says.into_iter().map(|(role, effect, count)| ((role, effect), count)).collect();
    let number = |count: Option<&i64>| u32::try_from(count.copied().unwrap_or_default()).unwrap_or(u32::MAX);
    let with_numbers = |row: Model| Role {
        users: number(users.get(&row.id)),
        allowed: number(says.get(&(row.id, Effect::Allow))),
        denied: number(says.get(&(row.id, Effect::Deny))),
        ..row.into()
    };
    Ok(rows.into_iter().map(with_numbers).collect())
}

async fn told_one(tx: &DatabaseTransaction, row: Model) -> Result<Role> {
    told(tx, vec![row]).await?.pop().ok_or_else(Error::not_found)
}
