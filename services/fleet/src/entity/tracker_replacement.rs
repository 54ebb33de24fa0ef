use armada_proto::{DeviceId, TenantId, Timestamp, TrackerReplacementId, UserId, v1};
use sea_orm::entity::prelude::*;

/// That the tracker of a device was replaced.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "tracker_replacement")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: TrackerReplacementId,
    pub tenant_id: TenantId,
    pub device_id: DeviceId,
    /// Of those of its device, from 1 without a gap: the newest has the highest.
    pub number: i32,
    /// Milliseconds since 1970.
    pub replaced_at: i64,
    /// What the trackers call themselves.
    pub imei_before: String,
    pub imei: String,
    /// Metres that the odometer of the old tracker showed last, and that of the new one first; both or none.
    pub odometer_before_m: Option<i64>,
    pub odometer_after_m: Option<i64>,
    /// The same of engine hours, in seconds.
    pub engine_before_s: Option<i64>,
    pub engine_after_s: Option<i64>,
    pub reason: String,
    /// It came with another IMEI of the device, and nobody said more of it.
    pub is_by_imei: bool,
    /// None for a service.
    pub created_by: Option<UserId>,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl From<Model> for v1::TrackerReplacement {
    fn from(row: Model) -> Self {
        let whole = |value: Option<i64>| value.map(|value| value as f64);
        Self {
            id: row.id.to_string(),
            device_id: row.device_id.to_string(),
            replaced_at: Some(Timestamp::from_millis(row.replaced_at)),
            imei_before: row.imei_before,
            imei: row.imei,
            odometer_before: whole(row.odometer_before_m),
            odometer_after: whole(row.odometer_after_m),
            engine_seconds_before: whole(row.engine_before_s),
            engine_seconds_after: whole(row.engine_after_s),
            reason: row.reason,
            created_by: row.created_by.map(|user| user.to_string()),
            created_by_name: String::new(),
            created_at: Some(Timestamp::from_millis(row.created_at)),
            is_by_imei: row.is_by_imei,
        }
    }
}

impl From<Model> for v1::ReplacedTracker {
    fn from(row: Model) -> Self {
        let swap = |before: Option<i64>, after: Option<i64>| {
            before.zip(after).map(|(before, after)| v1::MeterSwap { before, after })
        };
        Self {
            at: row.replaced_at,
            odometer: swap(row.odometer_before_m, row.odometer_after_m),
            engine: swap(row.engine_before_s, row.engine_after_s),
        }
    }
}
