use sea_orm::entity::prelude::*;

/// A private key that signs access tokens.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "signing_key")]
pub struct Model {
    /// Its id, as tokens name it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub kid: String,
    /// Counts the keys from 1 and is unique: of two processes that make the same one, one loses and takes the other's.
    pub generation: i32,
    /// The 32 secret bytes of an Ed25519 key, sealed where there is a secret key.
    pub seed: Vec<u8>,
    /// When it was published, milliseconds since 1970.
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Without the seed.
impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("signing_key").field("kid", &self.kid).finish_non_exhaustive()
    }
}
