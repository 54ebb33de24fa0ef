use armada_proto::{TenantId, v1::Effect};
use armada_runtime::Result;
use sea_orm::{ActiveValue::Set, DatabaseTransaction, QueryOrder, entity::prelude::*};

/// What a role says of a permission. Of those that it says nothing of there is no row.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "role_permission")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub role_id: Uuid,
    /// Of a built-in permission or of one in the table `permission`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    /// The role's.
    pub tenant_id: TenantId,
    /// Allow or deny. Over all roles of a user the stronger one decides, which is the greater one.
    pub effect: Effect,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(belongs_to = "super::role::Entity", from = "Column::RoleId", to = "super::role::Column::Id")]
    Role,
}

impl Related<super::role::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Role.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}

/// What a role says, by key.
pub async fn of_role(tx: &DatabaseTransaction, role: Uuid) -> Result<Vec<Model>> {
    Ok(Entity::find().filter(Column::RoleId.eq(role)).order_by_asc(Column::Key).all(tx).await?)
}

/// Stores what a role says of permissions that it says nothing of.
pub async fn insert(
    tx: &DatabaseTransaction,
    role: &super::role::Model,
    says: impl IntoIterator<Item = (String, Effect)>,
) -> Result<()> {
    let rows: Vec<_> = says
        .into_iter()
        .map(|(key, effect)| ActiveModel {
            role_id: Set(role.id),
            key: Set(key),
            tenant_id: Set(role.tenant_id),
            effect: Set(effect),
        })
        .collect();
    if !rows.is_empty() {
        Entity::insert_many(rows).exec_without_returning(tx).await?;
    }
    Ok(())
}
