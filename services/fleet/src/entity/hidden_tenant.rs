use armada_proto::TenantId;
use sea_orm::{Condition, QuerySelect, QueryTrait, entity::prelude::*};

/// A tenant that is deleted and can come back. What it has is hidden meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "hidden_tenant")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// Whether the tenant in a column is there, or is none.
    pub fn is_shown(tenant: impl ColumnTrait) -> Condition {
        let hidden = Self::find().select_only().column(Column::TenantId).into_query();
        Condition::any().add(tenant.is_null()).add(tenant.not_in_subquery(hidden))
    }
}
