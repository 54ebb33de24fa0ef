//! The days to which sealing has added blocks since they were last looked through for devices with too many.

use sea_orm::entity::prelude::*;

/// One day of one partition.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "compaction_backlog")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub partition: i32,
    /// Days since 1970-01-01 UTC.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
