use armada_proto::{DeviceId, TenantId, Timestamp, UserId, v1};
use armada_runtime::{Caller, Scope, text};
use armada_track::Imei;
use sea_orm::{ActiveValue::Set, QuerySelect, QueryTrait, entity::prelude::*, sea_query::SelectStatement};

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
    /// 15 digits. Within a tenant one device names it, on the platform one is bound to it.
    pub imei: String,
    pub name: String,
    /// What it is sorted by: the name as [`text::fold`] makes it.
    pub name_folded: String,
    pub sim_number: String,
    /// Seconds; 0 for never.
    pub max_parking_time: i64,
    pub status: Status,
    /// Fixes of the IMEI before this instant belonged to somebody else; 0 when nobody had it before.
    pub bound_from: i64,
    /// What a search looks in: see [`Model::searched`].
    pub search: String,
    pub row_version: i32,
    pub created_at: i64,
    pub updated_at: i64,
    pub icon_type: IconType,
    /// The number plate, or the fleet's own code.
    pub vehicle_code: String,
    /// It, folded.
    pub vehicle_code_folded: String,
    pub vehicle_type: String,
    /// The name of who usually drives.
    pub primary_driver: String,
    /// It, folded.
    pub primary_driver_folded: String,
    /// Since when it is hidden, because its tenant is deleted.
    pub hidden_at: Option<i64>,
    pub imei_status: ImeiStatus,
    /// Why the IMEI was refused; empty for none.
    pub imei_reason: String,
}

/// Whether the fixes of its IMEI come to a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::None)", rename_all = "snake_case")]
pub enum ImeiStatus {
    Bound,
    /// A claim waits for a platform owner.
    Pending,
    /// A platform owner refused the claim.
    Rejected,
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

#[async_trait::async_trait]
impl ActiveModelBehavior for ActiveModel {
    /// Whoever writes a row, what is folded follows what it was made of. The values of a new row may be `Unchanged`.
    async fn before_save<C: ConnectionTrait>(mut self, _: &C, _: bool) -> Result<Self, DbErr> {
        if let Some(name) = self.name.try_as_ref() {
            self.name_folded = Set(text::fold(name));
        }
        if let Some(vehicle_code) = self.vehicle_code.try_as_ref() {
            self.vehicle_code_folded = Set(text::fold(vehicle_code));
        }
        if let Some(primary_driver) = self.primary_driver.try_as_ref() {
            self.primary_driver_folded = Set(text::fold(primary_driver));
        }
        Ok(self)
    }
}

impl Entity {
    /// The devices of a scope: how every query of this table begins, unless it begins with what a caller sees. Those of
    /// deleted tenants are in none.
    pub fn within(scope: Scope) -> Select<Self> {
        let rows = match scope {
            Scope::Tenant(tenant) => Self::find().filter(Column::TenantId.eq(tenant)),
            Scope::Platform => Self::find(),
        };
        rows.filter(Column::HiddenAt.is_null())
    }

    /// The ids of those of deleted tenants, for what belongs to them and is hidden with them.
    pub fn hidden() -> SelectStatement {
        Self::find().select_only().column(Column::Id).filter(Column::HiddenAt.is_not_null()).into_query()
    }

    /// The devices to which fixes come.
    pub fn bound() -> Select<Self> {
        Self::within(Scope::Platform).filter(Column::ImeiStatus.eq(ImeiStatus::Bound))
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
    /// Whether the fixes of its IMEI come to it.
    pub fn is_bound(&self) -> bool {
        self.imei_status == ImeiStatus::Bound
    }

    /// What was accepted although it looks wrong, as codes.
    pub fn warnings(&self) -> Vec<String> {
        let looks_wrong = self.imei.parse::<Imei>().is_ok_and(|imei| !imei.check_digit_ok());
        looks_wrong.then(|| "imei_check_digit".to_owned()).into_iter().collect()
    }

    /// What a search looks in: everything that people know a vehicle by, folded.
    pub fn searched(&self) -> String {
        let Self { name, vehicle_code, imei, sim_number, primary_driver, .. } = self;
        text::fold(&[name, vehicle_code, imei, sim_number, primary_driver].map(String::as_str).join("\n"))
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

impl From<ImeiStatus> for v1::ImeiStatus {
    fn from(status: ImeiStatus) -> Self {
        match status {
            ImeiStatus::Bound => Self::Bound,
            ImeiStatus::Pending => Self::Pending,
            ImeiStatus::Rejected => Self::Rejected,
        }
    }
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
            warnings: row.warnings(),
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
            icon_type: v1::DeviceIconType::from(row.icon_type).into(),
            vehicle_code: row.vehicle_code,
            vehicle_type: row.vehicle_type,
            primary_driver: row.primary_driver,
            imei_status: v1::ImeiStatus::from(row.imei_status).into(),
            imei_reason: row.imei_reason,
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
            inactive: row.status == Status::Inactive,
        }
    }
}
