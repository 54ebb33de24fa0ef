use armada_proto::TenantId;
use sea_orm::entity::prelude::*;

/// That another service has asked for an email: the same is not queued again.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mail_request")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub created_at: i64,
    /// The tenant whose mail it is.
    pub share_of: Option<TenantId>,
    /// It went to an address that no user of the tenant has.
    pub is_to_stranger: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
