use armada_proto::{
    DeviceId, DeviceMemberId, TenantId, Timestamp, UserId,
    v1::{self, DeviceMemberRole},
};
use armada_runtime::row;
use sea_orm::{
    QuerySelect, QueryTrait,
    entity::prelude::*,
    sea_query::{ExprTrait, SelectStatement},
};

/// That a user is linked to a device.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "device_member")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: DeviceMemberId,
    /// The device's.
    pub tenant_id: TenantId,
    /// With the user it is unique.
    pub device_id: DeviceId,
    pub user_id: UserId,
    /// One owner at most; the device names them too.
    pub role: DeviceMemberRole,
    /// `YYYY-MM-DD`, the last day in the tenant's time zone; empty for none.
    pub ends_on: String,
    /// When that day is over.
    pub ends_at: Option<i64>,
    /// What it is sorted by: the device's name, folded.
    pub device_name_folded: String,
    /// What a search looks in, of the device, folded.
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

// Without what the device is called, and whether it ended.
row! {
    Model as v1::DeviceMember, v1::DeviceMemberInput, tenant: |row| Some(row.tenant_id);
    made: id, tenant_id, device_id, user_id, created_at, updated_at;
    given: role, ends_on;
    new: role = DeviceMemberRole::Viewer;
}

impl Entity {
    /// The ids of the devices to which one of the users is linked now, as one of these roles if there are any.
    pub fn devices_of(users: impl IntoIterator<Item = UserId>, roles: &[DeviceMemberRole]) -> SelectStatement {
        let mut links = Self::find().select_only().column(Column::DeviceId).filter(Column::UserId.is_in(users));
        if !roles.is_empty() {
            links = links.filter(Column::Role.is_in(roles.iter().copied()));
        }
        links.filter(holds_at(Timestamp::now())).into_query()
    }
}

/// Links that have not ended at an instant.
pub fn holds_at(now: Timestamp) -> Expr {
    Column::EndsAt.is_null().or(Column::EndsAt.gt(now.millis()))
}

impl Model {
    /// Whether it has not ended at an instant.
    pub fn holds(&self, now: Timestamp) -> bool {
        self.ends_at.is_none_or(|end| end > now.millis())
    }
}
