use armada_proto::{TenantId, UserId};
use sea_orm::entity::prelude::*;

/// How somebody has chosen to see something of the console.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "preference")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: UserId,
    /// What it is of, e.g. `dashboard`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    /// The user's.
    pub tenant_id: Option<TenantId>,
    /// An object of JSON.
    pub value: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
