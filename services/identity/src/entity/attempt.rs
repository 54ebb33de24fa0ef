use sea_orm::entity::prelude::*;

/// Attempts that failed, or have not succeeded yet, of one kind and from one place: see `throttle`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "attempt")]
pub struct Model {
    /// Hash of what is counted, so that addresses and accounts do not stand here.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: Vec<u8>,
    pub failures: i32,
    pub last_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
