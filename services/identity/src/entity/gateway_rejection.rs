use armada_proto::GatewayId;
use sea_orm::entity::prelude::*;

/// How many positions of a gateway were refused on a day, for one reason.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "gateway_rejection")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub gateway_id: GatewayId,
    /// Days since 1970 (UTC).
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i32,
    #[sea_orm(primary_key, auto_increment = false)]
    pub reason: String,
    pub count: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
