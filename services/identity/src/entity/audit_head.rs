use armada_proto::TenantId;
use sea_orm::entity::prelude::*;

/// The last entry of a chain: without it, nobody would miss entries that were cut off the end.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_head")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub chain: Uuid,
    pub tenant_id: Option<TenantId>,
    pub seq: i64,
    /// Empty before the first entry.
    pub hash: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
