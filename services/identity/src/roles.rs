//! Roles: sets of permissions under a name. What one says of each permission is in `mapping`, how it follows the template that
//! it was made from in `following`; why a user may do something, in `explain`.

mod explain;
mod following;
pub mod mapping;
mod numbers;

use armada_proto::{
    TenantId, Timestamp, Violations,
    v1::{
        DecisionList, Effect, Empty, ExplainRequest, GetRequest, ListRolesRequest, Role, RoleInput, RoleList,
        RolePermissions, RolePermissionsInput, RoleTemplateList, roles_server,
    },
};
use armada_runtime::{
    Caller, Code, Database, Error, Result, Scope, acts,
    list::{List, Searched, Sort},
    outbox::OutboxHandle,
    resource::{Acts, Resource, Row, tenant_of_new},
    resource_service, text,
};
use sea_orm::{ActiveModelTrait, ColumnTrait, DatabaseTransaction, IntoActiveModel, QueryFilter, Select};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::{
    ended::EndedSessions,
    entity::{
        role::{Column, Entity, Model},
        role_permission, tenant,
    },
    mail::MailQueue,
    policy,
    templates::{self, Template},
    widening,
};

/// The RPCs.
#[derive(Clone)]
pub struct Roles {
    pub(crate) db: Database,
    pub(crate) ended: EndedSessions,
    pub(crate) mail: MailQueue,
    /// Wakes the relay.
    pub(crate) outbox: OutboxHandle,
}

resource_service! {
    impl roles_server::Roles, for Roles: List, Get, Create, Update, Delete;

    async fn get_permissions(&self, request: Request<GetRequest>) -> Result<Response<RolePermissions>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.get_permissions(&caller, &request.into_inner().id).await?))
    }

    async fn set_permissions(
        &self,
        request: Request<RolePermissionsInput>,
    ) -> Result<Response<RolePermissions>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.set_permissions(&caller, &request.into_inner()).await?))
    }

    async fn templates(&self, _request: Request<Empty>) -> Result<Response<RoleTemplateList>, Status> {
        Ok(Response::new(templates::list()))
    }

    async fn explain(&self, request: Request<ExplainRequest>) -> Result<Response<DecisionList>, Status> {
        let caller = Caller::of(&request)?;
        Ok(Response::new(self.explain(&caller, &request.into_inner()).await?))
    }
}

/// What a change of a role leads to.
#[derive(Default)]
pub struct Effects {
    /// What a new role says at first.
    permissions: Vec<(String, Effect)>,
    /// Sessions that have ended.
    ended: Vec<Uuid>,
}

impl Resource for Roles {
    type Entity = Entity;
    type Row = Model;
    type Message = Role;
    type Input = RoleInput;
    type Request = ListRolesRequest;
    type List = RoleList;
    type Prepared = ();
    type Effects = Effects;

    const ACTS: Acts = acts!("role");
    const LIST: List<Column> = List {
        sortable: &[
            ("name", Sort::Plain(Column::NameFolded)),
            ("created_at", Sort::Plain(Column::CreatedAt)),
            ("updated_at", Sort::Plain(Column::UpdatedAt)),
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

    fn filter(&self, rows: Select<Entity>, _: &ListRolesRequest) -> Result<Select<Entity>> {
        Ok(rows)
    }

    /// With their numbers.
    async fn present(&self, tx: &DatabaseTransaction, rows: Vec<Model>) -> Result<Vec<Role>> {
        numbers::with_numbers(tx, rows).await
    }

    fn new_row(caller: &Caller, input: &RoleInput, violations: &mut Violations) -> Option<Model> {
        tenant_of_new(caller, input.tenant_id.as_deref(), violations).map(Model::new)
    }

    fn check(&self, _: &Caller, _: Option<&Model>, input: &mut RoleInput, violations: &mut Violations) {
        if input.name.as_deref().is_some_and(is_platform_owners) {
            violations.add("name", "reserved_role");
        }
    }

    /// What a role is called is nobody's right, so that a change of it changes no policy.
    async fn apply(
        &self,
        tx: &DatabaseTransaction,
        caller: &Caller,
        before: Option<&Model>,
        row: &mut Model,
        input: RoleInput,
        (): (),
    ) -> Result<Effects> {
        let mut effects = Effects::default();
        if before.is_none() {
            let tenant = tenant::Entity::within(Scope::Tenant(row.tenant_id)).one(tx).await?;
            tenant.ok_or_else(|| Error::field("tenant_id", "unknown"))?;
            effects.permissions = beginning(tx, caller, row.tenant_id, &input).await?;
            row.template = given(input.template.as_deref());
        }
        row.apply(input);
        Ok(effects)
    }

    async fn written(
        &self,
        tx: &DatabaseTransaction,
        _: &Caller,
        _: Option<&Model>,
        row: &mut Model,
        effects: &mut Effects,
    ) -> Result<()> {
        role_permission::insert(tx, row, std::mem::take(&mut effects.permissions)).await
    }

    async fn removing(&self, tx: &DatabaseTransaction, caller: &Caller, row: &Model) -> Result<Effects> {
        // Without the role, its users may do what other roles of theirs allow and this one denied.
        let permissions = role_permission::of_role(tx, row.id).await?;
        let denied = permissions
            .iter()
            .filter(|permission| permission.effect == Effect::Deny)
            .map(|permission| &*permission.key);
        policy::must_hold(caller, "id", denied.clone())?;
        let wider = match denied.count() {
            0 => Vec::new(),
            _ => policy::ordinary(tx, caller, policy::has_role(row.id)).await?,
        };
        policy::changed(tx, policy::has_role(row.id)).await?;
        let ended = widening::end(tx, &self.mail, &wider).await?;
        Ok(Effects { ended, ..Effects::default() })
    }

    async fn committed(&self, effects: Effects) {
        self.mail.wake_relay();
        self.ended.announce(effects.ended).await;
    }

    fn unique(error: sea_orm::DbErr) -> Error {
        Error::on_unique(error, &[("role_name", "name"), ("role.name_folded", "name")])
    }
}

/// Makes the roles that a new tenant begins with, one of each template.
pub async fn make_first(tx: &DatabaseTransaction, tenant: TenantId) -> Result<()> {
    for template in templates::ALL {
        let role = insert(tx, tenant, template).await?;
        role_permission::insert(tx, &role, template.effects()).await?;
    }
    Ok(())
}

async fn insert(tx: &DatabaseTransaction, tenant: TenantId, template: &Template) -> Result<Model> {
    let role = Model {
        name: template.name.to_owned(),
        description: template.description.to_owned(),
        template: Some(template.key.to_owned()),
        ..Model::new(tenant)
    };
    role.into_active_model().insert(tx).await.map_err(Roles::unique)
}

/// What a request names, if it names something.
fn given(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.is_empty()).map(str::to_owned)
}

/// What a new role says at first: what a template or another role says.
async fn beginning(
    tx: &DatabaseTransaction,
    caller: &Caller,
    tenant: TenantId,
    input: &RoleInput,
) -> Result<Vec<(String, Effect)>> {
    let (field, permissions) = match (given(input.template.as_deref()), given(input.copy_of.as_deref())) {
        (None, None) => return Ok(Vec::new()),
        (Some(_), Some(_)) => return Err(Error::field("copy_of", "template_or_copy")),
        (Some(key), None) => {
            let template = templates::find(&key).ok_or_else(|| Error::field("template", "unknown"))?;
            ("template", template.effects().collect::<Vec<_>>())
        }
        (None, Some(id)) => {
            let unknown = |error: Error| match error.class {
                Code::NotFound => Error::field("copy_of", "unknown"),
                _ => error,
            };
            let role = one(tx, Scope::Tenant(tenant), &id).await.map_err(unknown)?;
            let permissions = role_permission::of_role(tx, role.id).await?;
            ("copy_of", permissions.into_iter().map(|permission| (permission.key, permission.effect)).collect())
        }
    };
    let allows = permissions.iter().filter(|(_, effect)| *effect == Effect::Allow).map(|(key, _)| key.as_str());
    policy::must_hold(caller, field, allows)?;
    Ok(permissions)
}

/// A role of a scope.
async fn one(tx: &DatabaseTransaction, scope: Scope, id: &str) -> Result<Model> {
    let id = Uuid::try_parse(id).map_err(|_| Error::not_found())?;
    Entity::within(scope).filter(Column::Id.eq(id)).one(tx).await?.ok_or_else(Error::not_found)
}

/// Stores a role that has changed, as its next version.
async fn touched(tx: &DatabaseTransaction, mut role: Model) -> Result<Model> {
    role.row_version += 1;
    role.updated_at = Timestamp::now().millis();
    role.into_active_model().reset_all().update(tx).await.map_err(Roles::unique)
}

/// Whether programs that go by the names of roles take it for that of platform owners, as the specification lets them.
fn is_platform_owners(name: &str) -> bool {
    let name = text::fold(name.trim());
    name.contains("platform_owner") || name.contains("admin_platform") || name == "po" || name == "platform_admin"
}
