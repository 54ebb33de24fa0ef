use armada_proto::{TenantId, UserId};
use sea_orm::entity::prelude::*;

/// The authenticator of a user.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "second_factor")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: UserId,
    /// The user's.
    pub tenant_id: Option<TenantId>,
    /// The one that holds, sealed.
    pub secret: Option<Vec<u8>>,
    /// The one that waits for its first code, sealed.
    pub pending: Option<Vec<u8>>,
    /// The last step of which a code was used: that one and those before it are used up.
    pub last_step: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Without the secrets.
impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("second_factor").field("user_id", &self.user_id).finish_non_exhaustive()
    }
}
