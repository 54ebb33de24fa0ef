use armada_proto::{DeviceId, MeterCorrectionId, TenantId, Timestamp, UserId, v1};
use armada_track::MeterOffsets;
use sea_orm::entity::prelude::*;

/// That somebody said what the meters of a device showed.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "meter_correction")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: MeterCorrectionId,
    pub tenant_id: TenantId,
    pub device_id: DeviceId,
    /// Of those of its device, from 1: the newest has the highest.
    pub number: i32,
    /// Milliseconds since 1970.
    pub effective_from: i64,
    pub reason: String,
    /// When the fix was recorded at which the meters showed it: the last one before it is effective, or that moment where
    /// there was none.
    pub anchor_at: i64,
    /// What the odometer showed; none when it was not corrected.
    pub odometer_m: Option<i64>,
    /// What it would have shown.
    pub odometer_m_before: Option<i64>,
    /// What is added since to what the device says, and to what is computed.
    pub odometer_m_device: i64,
    pub odometer_m_computed: i64,
    /// The same of engine hours, in seconds.
    pub engine_s: Option<i64>,
    pub engine_s_before: Option<i64>,
    pub engine_s_device: i64,
    pub engine_s_computed: i64,
    /// None for a service.
    pub created_by: Option<UserId>,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Model {
    /// What is added to the odometer since, if it was corrected.
    pub fn odometer(&self) -> Option<MeterOffsets> {
        let (from, device, computed) = (self.anchor_at, self.odometer_m_device, self.odometer_m_computed);
        self.odometer_m.map(|_| MeterOffsets { from, device, computed })
    }

    /// The same of engine hours.
    pub fn engine(&self) -> Option<MeterOffsets> {
        let (from, device, computed) = (self.anchor_at, self.engine_s_device, self.engine_s_computed);
        self.engine_s.map(|_| MeterOffsets { from, device, computed })
    }
}

impl From<Model> for v1::MeterCorrection {
    fn from(row: Model) -> Self {
        let whole = |value: Option<i64>| value.map(|value| value as f64);
        Self {
            id: row.id.to_string(),
            device_id: row.device_id.to_string(),
            effective_from: Some(Timestamp::from_millis(row.effective_from)),
            odometer: whole(row.odometer_m),
            engine_seconds: whole(row.engine_s),
            reason: row.reason,
            odometer_before: whole(row.odometer_m_before),
            engine_seconds_before: whole(row.engine_s_before),
            created_at: Some(Timestamp::from_millis(row.created_at)),
            created_by: row.created_by.map(|user| user.to_string()),
            created_by_name: String::new(),
            is_newest: false,
        }
    }
}
