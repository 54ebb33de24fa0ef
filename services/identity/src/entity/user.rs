use armada_proto::{TenantId, Timestamp, UserId, v1};
use armada_runtime::{Scope, auth::Grant, text};
use sea_orm::{ActiveValue::Set, Condition, entity::prelude::*};

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
    /// What they are sorted by: the name as [`text::fold`] makes it.
    pub name_folded: String,
    /// In lower case; unique in a tenant, and among those who can sign in.
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
    /// What a search looks in: see [`Model::searched`].
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
    /// The password was set by somebody else, or made by the program: nothing but changing it works.
    pub must_change_password: bool,
    /// Who else set the password, and may know it: kept until a link by mail has replaced it. See `widening`.
    pub password_set_by: Option<UserId>,
    /// Who else changed the address, and may read its mail. See `widening`.
    pub email_set_by: Option<UserId>,
    /// Whoever uses the account has proved that the address is theirs.
    pub is_email_verified: bool,
    /// The address is that of an account of another tenant, so that nobody signs in to this one. Whoever made it is told
    /// nothing of that: who has an account is nobody's business elsewhere.
    pub is_address_elsewhere: bool,
    /// When a registration that nobody has confirmed goes; none for everybody else.
    pub registration_expires_at: Option<i64>,
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

#[async_trait::async_trait]
impl ActiveModelBehavior for ActiveModel {
    /// Whoever writes a row, what is folded follows what it was made of. The values of a new row may be `Unchanged`.
    async fn before_save<C: ConnectionTrait>(mut self, _: &C, _: bool) -> Result<Self, DbErr> {
        if let Some(name) = self.name.try_as_ref() {
            self.name_folded = Set(text::fold(name));
        }
        Ok(self)
    }
}

impl Entity {
    /// The users of a scope: how every query of this table begins. Platform owners are in that of the platform alone,
    /// and users of deleted tenants in none.
    pub fn within(scope: Scope) -> Select<Self> {
        let rows = match scope {
            Scope::Tenant(tenant) => Self::find().filter(Column::TenantId.eq(tenant)),
            Scope::Platform => Self::find(),
        };
        let there = Column::TenantId.not_in_subquery(tenant::Entity::deleted());
        rows.filter(Condition::any().add(Column::TenantId.is_null()).add(there))
    }
}

impl Entity {
    /// The one account that an address signs in to.
    pub fn of_address(email: &str) -> Select<Self> {
        Self::find().filter(Column::Email.eq(email)).filter(Column::IsAddressElsewhere.eq(false))
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
            name_folded: String::new(),
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
            must_change_password: false,
            password_set_by: None,
            email_set_by: None,
            is_email_verified: false,
            is_address_elsewhere: false,
            registration_expires_at: None,
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
            must_change_password: self.must_change_password,
        }
    }
}

impl Model {
    /// What a search looks in: name, email and phone, folded.
    pub fn searched(&self) -> String {
        text::fold(&format!("{}\n{}\n{}", self.name, self.email, self.phone))
    }

    /// May do everything: on the platform, or in their tenant.
    pub fn is_admin(&self) -> bool {
        self.is_platform_owner || self.is_tenant_admin
    }

    /// Whether the user may be signed in; `tenant` is theirs.
    pub fn is_admitted(&self, tenant: Option<&tenant::Model>) -> bool {
        self.is_active && tenant.map_or(self.is_platform_owner, tenant::Model::is_open)
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
