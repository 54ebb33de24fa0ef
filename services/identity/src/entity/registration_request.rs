use sea_orm::entity::prelude::*;

/// That somebody has asked for a company of theirs, before it was looked at whose the address is.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "registration_request")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    /// What they said, a `RegistrationInput`.
    pub input: Vec<u8>,
    /// One more email may go to the address.
    pub may_tell: bool,
    /// From where they asked; empty when nobody knows.
    pub address: String,
    pub created_at: i64,
    /// When it is looked at.
    pub next_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Without what they said.
impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("registration_request").field("id", &self.id).finish_non_exhaustive()
    }
}
