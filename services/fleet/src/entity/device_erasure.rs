use armada_proto::{DeviceId, TenantId, v1};
use sea_orm::entity::prelude::*;

/// That a device was erased. Stays for ever, as in the bucket that is made of it.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "device_erasure")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub device_id: DeviceId,
    pub tenant_id: TenantId,
    /// Milliseconds since 1970.
    pub erased_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl From<Model> for v1::DeviceErasure {
    fn from(row: Model) -> Self {
        Self { tenant_id: row.tenant_id.to_string(), erased_at: row.erased_at }
    }
}
