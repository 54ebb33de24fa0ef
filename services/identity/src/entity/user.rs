use armada_proto::{TenantId, Timestamp, UserId, v1};
use armada_runtime::{Scope, auth::Grant};
use sea_orm::entity::prelude::*;

use super::tenant::{self, told_as};

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
    /// What a search looks in: name, email and phone in lower case.
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
    /// The subscription covers them.
    pub is_subscription_active: bool,
    pub locale: Locale,
    /// Has not used the link of the invitation, or of the registration, that their account began with.
    pub is_pending: bool,
    /// Signs in with a second factor.
    pub has_totp: bool,
}

/// The language in which a person is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::None)", rename_all = "snake_case")]
pub enum Locale {
    Id,
    En,
    Zh,
    Jv,
}

told_as!(Locale: Id En Zh Jv);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(belongs_to = "super::tenant::Entity", from = "Column::TenantId", to = "super::tenant::Column::Id")]
    Tenant,
}

impl Related<tenant::Entity> for Entity {
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
    /// A user as they begin: ordinary, and nameless.
    pub fn new(tenant_id: Option<TenantId>) -> Self {
        let now = Timestamp::now().millis();
        Self {
            id: UserId::new(),
            tenant_id,
            name: String::new(),
            email: String::new(),
            phone: String::new(),
            password_hash: String::new(),
            is_platform_owner: false,
            is_tenant_admin: false,
            is_active: true,
            policy_version: 1,
            last_login: None,
            search: String::new(),
            row_version: 1,
            created_at: now,
            updated_at: now,
            is_subscription_active: true,
            locale: Locale::Id,
            is_pending: false,
            has_totp: false,
        }
    }

    /// What the user's tokens of a session say.
    pub fn grant(&self, session: Uuid) -> Grant {
        Grant {
            user_id: self.id,
            tenant_id: self.tenant_id,
            is_platform_owner: self.is_platform_owner,
            is_tenant_admin: self.is_tenant_admin,
            is_subscription_user: self.is_subscription_active,
            policy_version: self.policy_version,
            sid: Some(session),
        }
    }

    /// The user as they are told who they are, with what matters of their tenant, the names of their roles and what they
    /// may do.
    pub fn signed_in(
        self,
        tenant: Option<tenant::Model>,
        roles: Vec<String>,
        permissions: Vec<String>,
    ) -> v1::SessionUser {
        let tenant_id = self.tenant_id.map(|id| id.to_string());
        v1::SessionUser {
            id: self.id.to_string(),
            user_id: self.id.to_string(),
            tenant_id: tenant_id.clone(),
            tenant_id_camel: tenant_id,
            name: self.name,
            email: self.email,
            roles,
            is_platform_owner: self.is_platform_owner,
            is_tenant_admin: self.is_tenant_admin,
            is_subscription_user: self.is_subscription_active,
            policy_version: self.policy_version,
            is_demo: tenant.as_ref().is_some_and(|tenant| tenant.is_demo),
            time_zone: tenant.as_ref().map(|tenant| tenant.time_zone.clone()),
            permissions,
            tenant_name: tenant.map(|tenant| tenant.name),
            locale: v1::Locale::from(self.locale).into(),
            must_set_up_totp: false,
        }
    }
}

impl Model {
    /// What a search looks in.
    pub fn searched(&self) -> String {
        format!("{}\n{}\n{}", self.name, self.email, self.phone).to_lowercase()
    }

    /// May do everything: on the platform, or in their tenant.
    pub fn is_admin(&self) -> bool {
        self.is_platform_owner || self.is_tenant_admin
    }

    /// Whether the user may be signed in; `tenant` is theirs.
    pub fn is_admitted(&self, tenant: Option<&tenant::Model>) -> bool {
        self.is_active && tenant.map_or(self.is_platform_owner, |tenant| tenant.active)
    }

    /// How the account stands; `tenant` is the user's.
    pub fn status(&self, tenant: Option<&tenant::Model>) -> v1::UserStatus {
        match (self.is_admitted(tenant), self.is_pending) {
            (false, _) => v1::UserStatus::Inactive,
            (true, true) => v1::UserStatus::Invited,
            (true, false) => v1::UserStatus::Active,
        }
    }

    /// The user as others see them, with their tenant and their roles.
    pub fn told(self, tenant: Option<&tenant::Model>, roles: Vec<v1::RoleName>) -> v1::User {
        v1::User {
            status: self.status(tenant).into(),
            id: self.id.to_string(),
            tenant_id: self.tenant_id.map(|id| id.to_string()),
            name: self.name,
            email: self.email,
            phone: self.phone,
            is_platform_owner: self.is_platform_owner,
            is_tenant_admin: self.is_tenant_admin,
            is_active: self.is_active,
            last_login: self.last_login.map(Timestamp::from_millis),
            row_version: self.row_version,
            created_at: Some(Timestamp::from_millis(self.created_at)),
            updated_at: Some(Timestamp::from_millis(self.updated_at)),
            is_subscription_active: self.is_subscription_active,
            roles,
            locale: v1::Locale::from(self.locale).into(),
            has_totp: self.has_totp,
            tenant_name: tenant.map(|tenant| tenant.name.clone()),
        }
    }
}
