use armada_proto::{DeviceId, TenantId};
use armada_track::{Activity, MeterValues, MetersRead};
use sea_orm::entity::prelude::*;

/// What was last read of the meters of a device on a day, before any correction.
#[derive(Clone, Debug, Default, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "device_meter_day")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub device_id: DeviceId,
    /// `YYYY-MM-DD`, in the tenant's time zone.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: String,
    pub tenant_id: TenantId,
    /// Metres, as the device says; none when it never said.
    pub odometer_m: Option<i64>,
    /// Metres since its first fix.
    pub distance_m: Option<i64>,
    /// Seconds with the ignition on since its first fix; none when that is not known.
    pub engine_s: Option<i64>,
    /// Seconds, as the device says; none when it never said.
    pub device_engine_s: Option<i64>,
    /// What was computed when it was first heard of on that day.
    pub first_distance_m: Option<i64>,
    pub first_engine_s: Option<i64>,
    /// Seconds since its first fix that it moved, stood with the engine on, and was parked.
    pub moving_s: i64,
    pub idle_s: i64,
    pub parked_s: i64,
    /// The same when it was first heard of on that day.
    pub first_moving_s: i64,
    pub first_idle_s: i64,
    pub first_parked_s: i64,
    /// Trips since they are counted, and the same when that was first heard of on that day; none when it is not known.
    pub trips: Option<i64>,
    pub first_trips: Option<i64>,
    /// Of the fix, milliseconds since 1970.
    pub recorded_at: i64,
    pub first_recorded_at: i64,
    pub updated_at: i64,
    /// How far position-ingest had read: of two readings of a day the one with the higher version holds. 0 before it told.
    pub version: i64,
    /// What was computed first is that of the midnight with which the day began.
    pub is_from_midnight: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Model {
    /// What was read last.
    pub fn read(&self) -> MetersRead {
        MetersRead {
            recorded_at: self.recorded_at,
            odometer: MeterValues { device: self.odometer_m, computed: self.distance_m },
            engine: MeterValues { device: self.device_engine_s, computed: self.engine_s },
            activity: Activity { moving: self.moving_s, idle: self.idle_s, parked: self.parked_s },
            trips: self.trips,
        }
    }

    /// What was there before the first of what belongs to the day. `last` is what was read last on a day before it.
    pub fn read_before(&self, last: Option<MetersRead>) -> MetersRead {
        let first = self.first_read();
        match last {
            // What is computed is cut at midnight, and what the device itself says is not.
            Some(last) if self.is_from_midnight => MetersRead {
                recorded_at: last.recorded_at,
                odometer: MeterValues { device: last.odometer.device, ..first.odometer },
                engine: MeterValues { device: last.engine.device, ..first.engine },
                ..first
            },
            last => last.unwrap_or(first),
        }
    }

    /// What was read first.
    pub fn first_read(&self) -> MetersRead {
        MetersRead {
            recorded_at: self.first_recorded_at,
            odometer: MeterValues { device: None, computed: self.first_distance_m },
            engine: MeterValues { device: None, computed: self.first_engine_s },
            activity: Activity { moving: self.first_moving_s, idle: self.first_idle_s, parked: self.first_parked_s },
            trips: self.first_trips,
        }
    }
}
