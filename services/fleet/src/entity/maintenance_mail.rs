use armada_proto::TenantId;
use sea_orm::entity::prelude::*;

/// An email about a maintenance on its way to the queue of mail.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "maintenance_mail")]
pub struct Model {
    /// Made of what has happened and the address: the same is asked for once.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub tenant_id: TenantId,
    /// The `MaintenanceMail`; empty once it was refused.
    pub mail: Vec<u8>,
    pub created_at: i64,
    /// When it was refused since too many had gone to addresses of nobody's account; kept for a day, to be told of.
    pub refused_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
