use armada_proto::{TenantId, UserId, v1::LinkPurpose};
use sea_orm::entity::prelude::*;

/// A link that was sent and not used yet.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "link")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub user_id: UserId,
    /// The user's.
    pub tenant_id: Option<TenantId>,
    pub purpose: LinkPurpose,
    /// SHA-256 of its token, which has 256 random bits.
    pub hash: Vec<u8>,
    pub created_at: i64,
    pub expires_at: i64,
    /// Who made it and handed it over, where no mail goes out: they may have kept it. None when it went to the user's
    /// address, or a platform owner vouches for whom they gave it to: then using it proves that the address is theirs.
    pub shown_to: Option<UserId>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Without the hash.
impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("link").field("user_id", &self.user_id).field("purpose", &self.purpose).finish_non_exhaustive()
    }
}
