use armada_proto::{
    DocumentId, FileId, MaintenanceLogId, TenantId, Timestamp, UserId,
    v1::{self, FileKind},
};
use sea_orm::entity::prelude::*;

/// A file that is kept, on its way in, or on its way out. A row is there before its object and goes after it, so that no
/// object is nobody's.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "file")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: FileId,
    pub tenant_id: TenantId,
    pub name: String,
    pub kind: FileKind,
    /// Bytes; while it is being uploaded, those that it may have at most.
    pub size: i64,
    /// In hexadecimal; empty while it is being uploaded.
    pub sha256: String,
    /// Whether its object is whole.
    pub is_stored: bool,
    /// Who uploaded it; none for a service.
    pub uploaded_by: Option<UserId>,
    /// The document that names it.
    pub document_id: Option<DocumentId>,
    /// Or the completed maintenance that does.
    pub maintenance_log_id: Option<MaintenanceLogId>,
    /// Since when it is to be removed.
    pub removed_at: Option<i64>,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// The files that can be seen or named: whole, and not to be removed.
    pub fn kept() -> Select<Self> {
        Self::find().filter(Column::IsStored.eq(true)).filter(Column::RemovedAt.is_null())
    }
}

impl From<Model> for v1::File {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.to_string(),
            name: row.name,
            kind: row.kind.into(),
            size: u32::try_from(row.size).unwrap_or(u32::MAX),
            sha256: row.sha256,
            created_at: Some(Timestamp::from_millis(row.created_at)),
        }
    }
}
