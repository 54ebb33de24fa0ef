//! What the meters of vehicles show: the newest odometer and engine hours of each day.

use armada_proto::{DeviceId, Timestamp};
use armada_runtime::Result;
use chrono::{Days, Utc};
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder};

use crate::entity::device_meter_day::{Column, Entity, Model};

/// What the meters of a vehicle show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Metres; none when nobody knows.
    pub odometer_m: Option<i64>,
    /// Seconds that the engine has run; none when nobody knows.
    pub engine_s: Option<i64>,
    /// When they showed it.
    pub recorded_at: Timestamp,
}

/// How far a vehicle goes in a day.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Average {
    /// Metres a day; none when nobody knows.
    pub odometer_m: Option<f64>,
    /// Seconds a day that the engine runs; none when nobody knows.
    pub engine_s: Option<f64>,
}

/// What the meters of a vehicle show now; none when it never told.
pub async fn latest(tx: &DatabaseTransaction, device: DeviceId) -> Result<Option<Reading>> {
    let newest = async |column: Column| {
        let days = Entity::find().filter(Column::DeviceId.eq(device)).filter(column.is_not_null());
        days.order_by_desc(Column::Day).one(tx).await
    };
    let (odometer, engine) = (newest(Column::OdometerM).await?, newest(Column::EngineS).await?);
    let recorded_at = [&odometer, &engine].into_iter().flatten().map(|day| day.recorded_at).max();
    Ok(recorded_at.map(|recorded_at| Reading {
        odometer_m: odometer.and_then(|day| day.odometer_m),
        engine_s: engine.and_then(|day| day.engine_s),
        recorded_at: Timestamp::from_millis(recorded_at),
    }))
}

/// How far a vehicle went in a day, over the last days up to now.
pub async fn average_per_day(tx: &DatabaseTransaction, device: DeviceId, days: u32) -> Result<Average> {
    let first = (Utc::now().date_naive() - Days::new(days.into())).to_string();
    let rows = Entity::find().filter(Column::DeviceId.eq(device)).filter(Column::Day.gte(first));
    let rows = rows.order_by_asc(Column::Day).all(tx).await?;
    Ok(Average {
        odometer_m: rate(rows.iter().filter_map(|day| Some((day, day.odometer_m?)))),
        engine_s: rate(rows.iter().filter_map(|day| Some((day, day.engine_s?)))),
    })
}

/// What is added in a day, from the first figure to now; none of fewer than two figures.
fn rate<'a>(mut figures: impl Iterator<Item = (&'a Model, i64)>) -> Option<f64> {
    let (first, begin) = figures.next()?;
    let (_, end) = figures.last()?;
    let days = (Timestamp::now().millis() - first.recorded_at) as f64 / 86_400_000.0;
    (days >= 1.0).then(|| (end - begin).max(0) as f64 / days)
}
