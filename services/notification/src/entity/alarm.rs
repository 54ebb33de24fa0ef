use armada_proto::{
    DeviceId, TenantId, Timestamp, UserId,
    v1::{self, AlarmSeverity, AlarmState},
};
use armada_runtime::Scope;
use sea_orm::entity::prelude::*;

use super::event;

/// What events of one kind have raised of a vehicle. At most one of each vehicle and kind is not acknowledged.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "alarm")]
pub struct Model {
    /// That of the event that opened it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: TenantId,
    pub device_id: DeviceId,
    /// That of its events.
    pub kind: String,
    pub severity: AlarmSeverity,
    /// When the first of its events happened, milliseconds since 1970.
    pub first_at: i64,
    /// When the last of them happened.
    pub last_at: i64,
    /// How many there were.
    pub count: i32,
    pub first_event_id: Uuid,
    pub last_event_id: Uuid,
    /// Where the vehicle was at the last of them, degrees.
    pub lat: Option<f64>,
    pub lng: Option<f64>,
    /// Milliseconds since 1970; none while it stands.
    pub acknowledged_at: Option<i64>,
    pub acknowledged_by: Option<UserId>,
    /// What they said of it.
    pub note: String,
    /// What a search looks in: that, folded.
    pub search: String,
    pub row_version: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// The alarms of a scope: how every query for somebody begins.
    pub fn within(scope: Scope) -> Select<Self> {
        match scope {
            Scope::Tenant(tenant) => Self::find().filter(Column::TenantId.eq(tenant)),
            Scope::Platform => Self::find(),
        }
    }

    /// Those that stand.
    pub fn open() -> Select<Self> {
        Self::find().filter(Column::AcknowledgedAt.is_null())
    }
}

impl Model {
    /// One that an event of a vehicle opens.
    pub fn opened_by(event: &event::Model, device_id: DeviceId, severity: AlarmSeverity) -> Self {
        Self {
            id: event.id,
            tenant_id: event.tenant_id,
            device_id,
            kind: event.kind.clone(),
            severity,
            first_at: event.occurred_at,
            last_at: event.occurred_at,
            count: 1,
            first_event_id: event.id,
            last_event_id: event.id,
            lat: event.lat,
            lng: event.lng,
            acknowledged_at: None,
            acknowledged_by: None,
            note: String::new(),
            search: String::new(),
            row_version: 1,
        }
    }

    /// Another event of the same kind has happened, or is heard of now.
    pub fn raise(&mut self, event: &event::Model) {
        self.count = self.count.saturating_add(1);
        self.row_version += 1;
        if event.occurred_at < self.first_at {
            (self.first_at, self.first_event_id) = (event.occurred_at, event.id);
        }
        if event.occurred_at >= self.last_at {
            (self.last_at, self.last_event_id) = (event.occurred_at, event.id);
            (self.lat, self.lng) = (event.lat, event.lng);
        }
    }
}

/// Without the name of the vehicle, which fleet knows.
impl From<Model> for v1::Alarm {
    fn from(row: Model) -> Self {
        let state = if row.acknowledged_at.is_some() { AlarmState::Acknowledged } else { AlarmState::Open };
        let reaction = row.acknowledged_at.map(|at| at.saturating_sub(row.first_at).max(0) / 1000);
        Self {
            severity: row.severity.into(),
            kind: row.kind,
            device_id: row.device_id.to_string(),
            device_name: String::new(),
            state: state.into(),
            first_at: Some(Timestamp::from_millis(row.first_at)),
            last_at: Some(Timestamp::from_millis(row.last_at)),
            count: u32::try_from(row.count).unwrap_or_default(),
            lat: row.lat,
            lng: row.lng,
            acknowledged_at: row.acknowledged_at.map(Timestamp::from_millis),
            acknowledged_by: row.acknowledged_by.map(|user| user.to_string()),
            note: row.note,
            reaction_seconds: reaction.map(|seconds| u32::try_from(seconds).unwrap_or(u32::MAX)),
            first_event_id: row.first_event_id.simple().to_string(),
            last_event_id: row.last_event_id.simple().to_string(),
            tenant_id: row.tenant_id.to_string(),
            id: row.id.simple().to_string(),
            row_version: row.row_version,
        }
    }
}
