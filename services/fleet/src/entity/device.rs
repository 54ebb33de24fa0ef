use armada_proto::{DeviceId, TenantId, Timestamp, UserId, v1};
use armada_runtime::{Caller, Scope};
use sea_orm::{QuerySelect, QueryTrait, entity::prelude::*};

use super::device_member;

/// A vehicle with its tracker.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "device")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: DeviceId,
    pub tenant_id: TenantId,
    /// The owner, who is also a member with that role.
    pub user_id: Option<UserId>,
    /// 15 digits, unique on the platform.
    pub imei: String,
    pub name: String,
    pub sim_number: String,
    /// Seconds; 0 for never.
    pub max_parking_time: i64,
    pub status: Status,
    /// Fixes of the IMEI before this instant belonged to somebody else; 0 when nobody had it before.
    pub bound_from: i64,
    /// What a search looks in, in lower case: see [`Model::searched`].
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
    pub icon_type: IconType,
    /// The number plate, or the fleet's own code.
    pub vehicle_code: String,
    pub vehicle_type: String,
    /// The name of who usually drives.
    pub primary_driver: String,
}

/// Whether a device is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::None)")]
pub enum Status {
    #[sea_orm(string_value = "active")]
    Active,
    #[sea_orm(string_value = "inactive")]
    Inactive,
}

/// What a vehicle is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::None)", rename_all = "snake_case")]
pub enum IconType {
    Car,
    Van,
    Pickup,
    Truck,
    Bus,
    Motorcycle,
    HeavyEquipment,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// The devices of a scope: how every query of this table begins, unless it begins with what a caller sees.
    pub fn within(scope: Scope) -> Select<Self> {
        match scope {
            Scope::Tenant(tenant) => Self::find().filter(Column::TenantId.eq(tenant)),
            Scope::Platform => Self::find(),
        }
    }

    /// What a caller sees of a scope, which must be theirs: admins everything, others what they are linked to.
    pub fn visible_to(caller: &Caller, scope: Scope) -> Select<Self> {
        match &caller.grant {
            Some(grant) if !caller.is_admin() => Self::within(scope).filter(linked_to([grant.user_id])),
            _ => Self::within(scope),
        }
    }
}

impl Model {
    /// What a search looks in: everything that people know a vehicle by.
    pub fn searched(&self) -> String {
        let Self { name, vehicle_code, imei, sim_number, primary_driver, .. } = self;
        [name, vehicle_code, imei, sim_number, primary_driver].map(String::as_str).join("\n").to_lowercase()
    }
}

/// Devices that one of the users owns or is linked to.
pub fn linked_to(users: impl IntoIterator<Item = UserId>) -> Expr {
    let links = device_member::Entity::find()
        .select_only()
        .column(device_member::Column::DeviceId)
        .filter(device_member::Column::UserId.is_in(users));
    Column::Id.in_subquery(links.into_query())
}

impl From<Status> for v1::DeviceStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Active => Self::Active,
            Status::Inactive => Self::Inactive,
        }
    }
}

impl From<IconType> for v1::DeviceIconType {
    fn from(icon: IconType) -> Self {
        match icon {
            IconType::Car => Self::Car,
            IconType::Van => Self::Van,
            IconType::Pickup => Self::Pickup,
            IconType::Truck => Self::Truck,
            IconType::Bus => Self::Bus,
            IconType::Motorcycle => Self::Motorcycle,
            IconType::HeavyEquipment => Self::HeavyEquipment,
        }
    }
}

impl From<Model> for v1::Device {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.to_string(),
            tenant_id: row.tenant_id.to_string(),
            user_id: row.user_id.map(|id| id.to_string()),
            imei: row.imei,
            name: row.name,
            sim_number: row.sim_number,
            max_parking_time: u32::try_from(row.max_parking_time).unwrap_or_default(),
            status: v1::DeviceStatus::from(row.status).into(),
            row_version: row.row_version,
            created_at: Some(Timestamp::from_millis(row.created_at)),
            updated_at: Some(Timestamp::from_millis(row.updated_at)),
            warnings: Vec::new(),
            icon_type: v1::DeviceIconType::from(row.icon_type).into(),
            vehicle_code: row.vehicle_code,
            vehicle_type: row.vehicle_type,
            primary_driver: row.primary_driver,
        }
    }
}

impl From<Model> for v1::DeviceBinding {
    fn from(row: Model) -> Self {
        Self {
            device_id: row.id.to_string(),
            tenant_id: row.tenant_id.to_string(),
            bound_from: row.bound_from,
            row_version: row.row_version,
            name: row.name,
            vehicle_code: row.vehicle_code,
            icon_type: v1::DeviceIconType::from(row.icon_type).into(),
            primary_driver: row.primary_driver,
        }
    }
}
