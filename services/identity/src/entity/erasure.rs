use armada_proto::{TenantId, v1};
use sea_orm::entity::prelude::*;

/// What the erase ledger said last of a tenant, so that identity can write it again when somebody else wrote over it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "erasure")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    /// The number of an [`v1::ErasureState`].
    pub state: i64,
    /// Milliseconds since 1970.
    pub deleted_at: i64,
    /// Milliseconds since 1970.
    pub erase_after: i64,
    /// The user who wanted it.
    pub actor_id: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Model {
    /// What an entry of the ledger says.
    pub fn new(tenant_id: TenantId, erasure: &v1::Erasure) -> Self {
        let v1::Erasure { state, deleted_at, erase_after, actor_id } = erasure.clone();
        Self { tenant_id, state: state.into(), deleted_at, erase_after, actor_id }
    }
}

impl From<Model> for v1::Erasure {
    fn from(row: Model) -> Self {
        let Model { state, deleted_at, erase_after, actor_id, .. } = row;
        Self { state: i32::try_from(state).unwrap_or_default(), deleted_at, erase_after, actor_id }
    }
}
