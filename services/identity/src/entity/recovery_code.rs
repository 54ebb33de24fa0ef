use armada_proto::{TenantId, UserId};
use sea_orm::entity::prelude::*;

/// A code that stands in for the authenticator once; then its row is gone.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "recovery_code")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub user_id: UserId,
    /// The user's.
    pub tenant_id: Option<TenantId>,
    /// SHA-256 of the code, which has 120 random bits.
    pub hash: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Without the hash.
impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("recovery_code").field("user_id", &self.user_id).finish_non_exhaustive()
    }
}
