use armada_proto::TenantId;
use sea_orm::entity::prelude::*;

/// An email that is to be sent.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mail")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    /// Sealed: it may hold a link that lets somebody in.
    #[sea_orm(column_name = "letter")]
    pub message: Vec<u8>,
    pub attempts: i32,
    pub created_at: i64,
    /// When it is due; later while somebody is sending it.
    pub next_at: i64,
    /// Why it was not sent when that was tried last: the code of the mail server (RFC 5321), or of the error. Empty until then.
    pub failure: String,
    /// The tenant whose share of the mail it takes; none for what is nobody's.
    pub share_of: Option<TenantId>,
    /// Somebody waits for it who wants to sign in.
    pub is_urgent: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Without the email.
impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("mail").field("id", &self.id).field("attempts", &self.attempts).finish_non_exhaustive()
    }
}
