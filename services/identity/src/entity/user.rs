use armada_proto::{TenantId, Timestamp, UserId, v1};
use armada_runtime::{Scope, auth::Grant};
use sea_orm::entity::prelude::*;

/// A person who signs in.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "user")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: UserId,
    /// None for platform owners.
    pub tenant_id: Option<TenantId>,
    pub name: String,
    /// In lower case, unique on the platform.
    pub email: String,
    pub phone: String,
    /// Argon2id in PHC form.
    pub password_hash: String,
    pub is_platform_owner: bool,
    pub is_tenant_admin: bool,
    pub is_active: bool,
    /// Grows with every change of what the user may do.
    pub policy_version: i32,
    pub last_login: Option<i64>,
    /// What a search looks in: name and email in lower case.
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(belongs_to = "super::tenant::Entity", from = "Column::TenantId", to = "super::tenant::Column::Id")]
    Tenant,
}

impl Related<super::tenant::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Tenant.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// The users of a scope: how every query of this table begins. Platform owners are in that of the platform alone.
    pub fn within(scope: Scope) -> Select<Self> {
        match scope {
            Scope::Tenant(tenant) => Self::find().filter(Column::TenantId.eq(tenant)),
            Scope::Platform => Self::find(),
        }
    }
}

/// Without the hash of the password.
impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("user").field("id", &self.id).field("tenant_id", &self.tenant_id).finish_non_exhaustive()
    }
}

impl Model {
    /// What the user's tokens of a session say.
    pub fn grant(&self, session: Uuid) -> Grant {
        Grant {
            user_id: self.id,
            tenant_id: self.tenant_id,
            is_platform_owner: self.is_platform_owner,
            is_tenant_admin: self.is_tenant_admin,
            policy_version: self.policy_version,
            sid: Some(session),
        }
    }

    /// The user as they are told who they are, with what matters of their tenant.
    pub fn signed_in(self, tenant: Option<super::tenant::Model>) -> v1::SessionUser {
        let tenant_id = self.tenant_id.map(|id| id.to_string());
        v1::SessionUser {
            id: self.id.to_string(),
            user_id: self.id.to_string(),
            tenant_id: tenant_id.clone(),
            tenant_id_camel: tenant_id,
            name: self.name,
            email: self.email,
            roles: Vec::new(),
            is_platform_owner: self.is_platform_owner,
            is_tenant_admin: self.is_tenant_admin,
            is_subscription_user: false,
            policy_version: self.policy_version,
            is_demo: tenant.as_ref().is_some_and(|tenant| tenant.is_demo),
            time_zone: tenant.map(|tenant| tenant.time_zone),
        }
    }
}

impl From<Model> for v1::User {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.to_string(),
            tenant_id: row.tenant_id.map(|id| id.to_string()),
            name: row.name,
            email: row.email,
            phone: row.phone,
            is_platform_owner: row.is_platform_owner,
            is_tenant_admin: row.is_tenant_admin,
            is_active: row.is_active,
            last_login: row.last_login.map(Timestamp::from_millis),
            row_version: row.row_version,
            created_at: Some(Timestamp::from_millis(row.created_at)),
            updated_at: Some(Timestamp::from_millis(row.updated_at)),
        }
    }
}
