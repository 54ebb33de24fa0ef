use armada_proto::{DocumentId, TenantId};
use sea_orm::entity::prelude::*;

/// That a reminder of a document has been given, for this last day of it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "document_reminder")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub document_id: DocumentId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub expires_on: String,
    /// Days before; -1 for the day after.
    #[sea_orm(primary_key, auto_increment = false)]
    pub lead_days: i32,
    pub tenant_id: TenantId,
    /// In milliseconds since 1970.
    pub reminded_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
