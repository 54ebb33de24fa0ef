//! Which instances of ingest are alive: how many share the partitions.

use sea_orm::entity::prelude::*;

/// One process.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "instance")]
pub struct Model {
    /// Made anew with each process.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// Counts as alive until then, milliseconds since 1970 by the database's clock.
    pub alive_until: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
