use armada_proto::{
    SavedCommandId, TenantId,
    v1::{self, CommandKind},
};
use armada_runtime::{folded_columns, row};
use sea_orm::entity::prelude::*;

/// A command that is kept to be sent again.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "saved_command")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: SavedCommandId,
    pub tenant_id: TenantId,
    pub name: String,
    /// Unique in its tenant.
    pub name_folded: String,
    pub kind: CommandKind,
    pub interval_seconds: i32,
    pub output: i32,
    pub output_on: bool,
    pub text: String,
    pub description: String,
    /// What a search looks in, folded.
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

folded_columns!(ActiveModel; folded: name => name_folded; search: name, description, text);

row! {
    Model as v1::SavedCommand, v1::SavedCommandInput, tenant: |row| Some(row.tenant_id);
    made: id, tenant_id, created_at, updated_at;
    given: name, kind, interval_seconds, output, output_on, text, description;
    new:;
}
