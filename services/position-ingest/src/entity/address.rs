//! What a geocoder has said, so that it is not asked again. Places are public, and of no tenant: who was there stands
//! nowhere.

use sea_orm::entity::prelude::*;

/// A place in one language.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "address")]
pub struct Model {
    /// Degrees north, times 10,000: some 11 m.
    #[sea_orm(primary_key, auto_increment = false)]
    pub lat_e4: i32,
    /// Degrees east, times 10,000.
    #[sea_orm(primary_key, auto_increment = false)]
    pub lng_e4: i32,
    /// As the geocoder was asked for it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub language: String,
    /// None where the geocoder knows of nothing.
    pub text: Option<String>,
    /// When the geocoder said so, milliseconds since 1970.
    pub fetched_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
