use armada_proto::{TenantId, UserId};
use sea_orm::entity::prelude::*;

/// The account that a provider of identities signs somebody in to. The pair of issuer and subject is the only thing that
/// never changes its meaning at a provider (OpenID Connect Core 1.0 §5.7); a user has at most one for each issuer.
#[derive(Clone, PartialEq, Eq, Debug, DeriveEntityModel)]
#[sea_orm(table_name = "provider_identity")]
pub struct Model {
    /// `iss` of the provider's tokens.
    #[sea_orm(primary_key, auto_increment = false)]
    pub issuer: String,
    /// `sub` of the provider's tokens.
    #[sea_orm(primary_key, auto_increment = false)]
    pub subject: String,
    pub user_id: UserId,
    /// The user's.
    pub tenant_id: Option<TenantId>,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
