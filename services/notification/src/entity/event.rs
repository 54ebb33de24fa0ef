use armada_proto::{DeviceId, DriverId, TenantId, Timestamp, v1};
use armada_runtime::Scope;
use sea_orm::entity::prelude::*;

/// Something that has happened.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "event")]
pub struct Model {
    /// That of the event, whose 32 digits are 16 bytes: it enters once.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: TenantId,
    /// `<module>.<what>`.
    pub kind: String,
    /// The vehicle that it concerns.
    pub device_id: Option<DeviceId>,
    /// The driver whom it concerns.
    pub driver_id: Option<DriverId>,
    /// What it is about.
    pub subject_id: String,
    /// Milliseconds since 1970.
    pub occurred_at: i64,
    /// When it was noticed.
    pub recorded_at: i64,
    /// The name of a document, the title of a maintenance; else empty.
    pub title: String,
    /// What a search looks in: the title, folded.
    pub search: String,
    /// Where the vehicle was, degrees.
    pub lat: Option<f64>,
    pub lng: Option<f64>,
    /// km/h.
    pub speed: Option<f64>,
    /// What was measured.
    pub value: Option<f64>,
    /// What it was measured against. `limit` is a word of SQL.
    pub limit_value: Option<f64>,
    /// When that began which had lasted too long, milliseconds since 1970.
    pub since: Option<i64>,
    /// JSON.
    pub details: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// The events of a scope: how every query for somebody begins.
    pub fn within(scope: Scope) -> Select<Self> {
        match scope {
            Scope::Tenant(tenant) => Self::find().filter(Column::TenantId.eq(tenant)),
            Scope::Platform => Self::find(),
        }
    }
}

/// Without the name of the vehicle, which fleet knows.
impl From<Model> for v1::EventEntry {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.simple().to_string(),
            tenant_id: row.tenant_id.to_string(),
            occurred_at: Some(Timestamp::from_millis(row.occurred_at)),
            recorded_at: Some(Timestamp::from_millis(row.recorded_at)),
            kind: row.kind,
            device_id: row.device_id.map(|id| id.to_string()),
            device_name: String::new(),
            driver_id: row.driver_id.map(|id| id.to_string()),
            title: row.title,
            lat: row.lat,
            lng: row.lng,
            speed: row.speed,
            value: row.value,
            limit: row.limit_value,
            since: row.since.map(Timestamp::from_millis),
            details: row.details,
            subject_id: row.subject_id,
        }
    }
}
