//! The row of an act that was done under a key.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "idempotent_call")]
pub struct Model {
    /// A hash of user, method and key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// A hash of what was asked for.
    pub digest: Vec<u8>,
    /// Which of several tries did it.
    pub attempt: i64,
    /// When, in milliseconds since 1970.
    pub created_at: i64,
    /// What was answered, sealed under the key; none until it was, or when it is too long.
    pub answer: Option<Vec<u8>>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
