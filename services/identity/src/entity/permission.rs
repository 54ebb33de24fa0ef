use armada_proto::v1;
use sea_orm::entity::prelude::*;

/// A permission that no service guards, added by a platform owner for systems that read it from `/auth/me`. The others
/// are built in: [`armada_proto::access::built_in_keys`].
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "permission")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    pub description: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl From<Model> for v1::Permission {
    fn from(row: Model) -> Self {
        Self { key: row.key, description: row.description, is_built_in: false, row_version: row.row_version }
    }
}
