use armada_proto::{TenantId, Timestamp, UserId, v1};
use armada_runtime::{auth::Grant, folded_columns, row};
use sea_orm::{Condition, entity::prelude::*};

/// A named state of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "saved_view")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// None for those of platform owners.
    pub tenant_id: Option<TenantId>,
    /// Who made it; none for a shared one whose maker is gone.
    pub user_id: Option<UserId>,
    pub screen: String,
    pub name: String,
    /// The name as [`armada_runtime::text::sort_key`] makes it: unique for a user and a screen, and what it is sorted by.
    pub name_folded: String,
    pub query: String,
    pub is_shared: bool,
    /// What a search looks in: the name, folded.
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

folded_columns!(ActiveModel; folded: name => name_folded; search: name);

// Without what its maker is called.
row! {
    Model as v1::SavedView, v1::SavedViewInput, tenant: |row| row.tenant_id;
    made: id, tenant_id, user_id, created_at, updated_at;
    given: screen, name, query, is_shared;
}

impl Entity {
    /// The views that a user sees, their own and those shared with them: how every query of this table begins.
    pub fn seen_by(grant: &Grant) -> Select<Self> {
        let of_tenant = match grant.tenant_id {
            Some(tenant) => Column::TenantId.eq(tenant),
            None => Column::TenantId.is_null(),
        };
        let shared = Condition::all().add(of_tenant).add(Column::IsShared.eq(true));
        Self::find().filter(Condition::any().add(Column::UserId.eq(grant.user_id)).add(shared))
    }
}

impl Model {
    /// A view of a user as it begins, nameless.
    pub fn new(grant: &Grant) -> Self {
        let now = Timestamp::now().millis();
        Self {
            id: Uuid::now_v7(),
            tenant_id: grant.tenant_id,
            user_id: Some(grant.user_id),
            row_version: 1,
            created_at: now,
            updated_at: now,
            ..Self::default()
        }
    }
}
