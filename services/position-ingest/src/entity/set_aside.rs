//! Messages that a stream does not take, kept until it does.

use sea_orm::entity::prelude::*;

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "set_aside")]
pub struct Model {
    /// A UUID of version 7: in the order of time.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// When, milliseconds since 1970.
    pub at: i64,
    /// Where it belongs.
    pub subject: String,
    /// `name: value`, a line each.
    pub headers: String,
    pub body: Vec<u8>,
    /// What the server said.
    pub why: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
