use armada_proto::TenantId;
use sea_orm::entity::prelude::*;

/// The last entry of a chain: without it, nobody would miss entries that were cut off the end.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit_head")]
pub struct Model {
    /// The tenant's id; that of the platform's chain is nil.
    #[sea_orm(primary_key, auto_increment = false)]
    pub chain: Uuid,
    /// None for the platform.
    pub tenant_id: Option<TenantId>,
    /// The place of the last entry; 0 before the first.
    pub seq: i64,
    /// Its hash; empty before the first.
    pub hash: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
