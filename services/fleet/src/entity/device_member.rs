use armada_proto::{
    DeviceId, DeviceMemberId, TenantId, Timestamp, UserId,
    v1::{self, DeviceMemberRole, DeviceMemberStatus},
};
use armada_runtime::{Scope, row, text};
use sea_orm::{
    ActiveValue::Set,
    QuerySelect, QueryTrait,
    entity::prelude::*,
    sea_query::{ExprTrait, SelectStatement},
};

use super::device;

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
    /// The links of a scope, ended or not, but for those to devices of deleted tenants.
    pub fn within(scope: Scope) -> Select<Self> {
        let rows = scope.tenant().map_or(Self::find(), |tenant| Self::find().filter(Column::TenantId.eq(tenant)));
        rows.filter(Column::DeviceId.not_in_subquery(device::Entity::hidden()))
    }

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
    /// A link as it begins.
    pub fn to(device: &device::Model, user_id: UserId, role: DeviceMemberRole) -> Self {
        let (device_name_folded, search) = described(device);
        Self { device_id: device.id, user_id, role, device_name_folded, search, ..Self::new(device.tenant_id) }
    }

    /// Whether it has not ended at an instant.
    pub fn holds(&self, now: Timestamp) -> bool {
        self.ends_at.is_none_or(|end| end > now.millis())
    }

    /// It as a message, of the device that it names.
    pub fn message(self, device: Option<&device::Model>) -> v1::DeviceMember {
        let status = match self.holds(Timestamp::now()) {
            true => DeviceMemberStatus::Active,
            false => DeviceMemberStatus::Ended,
        };
        let mut message = v1::DeviceMember { status: status.into(), ..self.into() };
        if let Some(device) = device {
            message.name.clone_from(&device.name);
            message.vehicle_code.clone_from(&device.vehicle_code);
            message.imei.clone_from(&device.imei);
        }
        message
    }
}

impl ActiveModel {
    /// What links to a device say of it, as of now.
    pub fn describing(device: &device::Model) -> Self {
        let (device_name_folded, search) = described(device);
        Self { device_name_folded: Set(device_name_folded), search: Set(search), ..Default::default() }
    }
}

/// What a device is sorted by and found by among links: its name, and that with its vehicle code and IMEI.
fn described(device: &device::Model) -> (String, String) {
    let name = text::fold(&device.name);
    let search = [name.as_str(), &text::fold(&device.vehicle_code), &device.imei].join("\n");
    (name, search)
}
