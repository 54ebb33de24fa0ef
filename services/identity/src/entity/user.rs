use armada_proto::{
    TenantId, Timestamp, UserId,
    v1::{self, Locale, UserStatus},
};
use armada_runtime::{Scope, auth::Grant, folded_columns, row};
use sea_orm::{Condition, QuerySelect, QueryTrait, entity::prelude::*};

use super::tenant;

/// A person who signs in.
#[derive(Clone, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "user")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: UserId,
    /// None for platform owners.
    pub tenant_id: Option<TenantId>,
    pub name: String,
    /// What they are sorted by: the name as [`armada_runtime::text::sort_key`] makes it.
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
    /// What a search looks in: name, email and phone, folded.
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

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(belongs_to = "tenant::Entity", from = "Column::TenantId", to = "tenant::Column::Id")]
    Tenant,
}

impl Related<tenant::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Tenant.def()
    }
}

folded_columns!(ActiveModel; folded: name => name_folded; search: name, email, phone);

// Without their tenant and their roles, and without how the account stands, which depends on the tenant.
row! {
    Model as v1::User, v1::UserInput, tenant: |row| row.tenant_id;
    made: id, tenant_id, is_platform_owner, last_login, created_at, updated_at, has_totp;
    given: name, email, phone, is_tenant_admin, is_active, is_subscription_active, locale;
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
            is_active: true,
            policy_version: 1,
            row_version: 1,
            created_at: now,
            updated_at: now,
            is_subscription_active: true,
            locale: Locale::Id,
            ..Self::default()
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
            locale: self.locale.into(),
            must_set_up_totp: false,
            must_change_password: self.must_change_password,
        }
    }
    /// What decides over their rights besides their roles.
    pub fn flags(&self) -> [bool; 3] {
        [self.is_tenant_admin, self.is_active, self.is_subscription_active]
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
    pub fn status(&self, tenant: Option<&tenant::Model>) -> UserStatus {
        match (self.is_admitted(tenant), self.is_pending) {
            (false, _) => UserStatus::Inactive,
            (true, true) => UserStatus::Invited,
            (true, false) => UserStatus::Active,
        }
    }
}

/// Who has a status: what [`Model::status`] says, for the database.
pub fn of_status(status: UserStatus) -> Condition {
    let inactive = tenant::Entity::find().select_only().column(tenant::Column::Id);
    let inactive = inactive.filter(tenant::Column::Active.eq(false)).into_query();
    let barred = Condition::any()
        .add(Column::IsActive.eq(false))
        .add(Condition::all().add(Column::TenantId.is_not_null()).add(Column::TenantId.in_subquery(inactive)));
    match status {
        UserStatus::Inactive => barred,
        UserStatus::Invited => Condition::all().add(barred.not()).add(Column::IsPending.eq(true)),
        UserStatus::Active => Condition::all().add(barred.not()).add(Column::IsPending.eq(false)),
        UserStatus::Unspecified => Condition::all(),
    }
}
