use std::time::Duration;

use armada_proto::{TenantId, Timestamp, UserId};
use sea_orm::{Condition, entity::prelude::*};

/// One sign-in and all refresh tokens that follow from it. Only hashes of tokens are here: see `refresh_token`.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub struct Model {
    /// Random, and a part of each of its tokens.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Who is signed in.
    pub user_id: UserId,
    /// The user's.
    pub tenant_id: Option<TenantId>,
    /// SHA-256 of the secret that is good now.
    pub current_hash: Vec<u8>,
    /// SHA-256 of the one before it; empty at first.
    pub previous_hash: Vec<u8>,
    /// What the present secret was derived with from the one before it; empty at first.
    pub salt: Vec<u8>,
    /// When the present secret took the place of the one before it.
    pub rotated_at: i64,
    /// What the program calls itself in which one is signed in.
    pub user_agent: String,
    /// From where it was used last; empty when nobody told.
    pub address: String,
    /// When it was used last.
    pub last_used_at: i64,
    /// When its user signed in.
    pub created_at: i64,
    /// Its end, however often it is refreshed.
    pub expires_at: i64,
    /// When its user last proved who they are.
    pub authenticated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Sessions that have neither come to their end nor gone unused for `idle`.
pub fn is_active_at(now: Timestamp, idle: Duration) -> Condition {
    let unused_since = now.millis() - idle.as_millis() as i64;
    Condition::all().add(Column::ExpiresAt.gt(now.millis())).add(Column::LastUsedAt.gt(unused_since))
}

/// Without the hashes.
impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("session").field("user_id", &self.user_id).finish_non_exhaustive()
    }
}
