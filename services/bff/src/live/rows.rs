//! A position as a row of `LivePositions`.

use armada_proto::v1::{DayActivity, LastPosition, LivePositions};
pub use armada_track::row_bits::{CHARGE_KNOWN, CHARGING, IGNITION_KNOWN, IGNITION_ON, VALID};
use armada_track::row_bits::{COLUMNS, flag};

/// The bit of `present` for what a vehicle has come to today.
pub const TODAY: u32 = 1 << 17;
/// The same of how many litres are in its tank.
pub const LITRES: u32 = 1 << 18;

/// Adds a row. `time` is that of the row before; of devices that the client names there is more to tell.
pub fn push(rows: &mut LivePositions, index: u32, position: &LastPosition, time: &mut i64, is_named: bool) {
    let recorded_at = position.recorded_at.unwrap_or_default().millis();
    rows.index.push(index);
    rows.recorded_at.push(recorded_at - *time);
    *time = recorded_at;
    rows.lat.push(degrees(position.lat));
    rows.lng.push(degrees(position.lng));

    let mut present = (position.motion as u32) & 3;
    present |= if position.valid { VALID } else { 0 };
    present |= flag(position.ignition, IGNITION_KNOWN, IGNITION_ON);
    present |= flag(position.charge, CHARGE_KNOWN, CHARGING);
    let since = position.motion_since.map(|since| (recorded_at - since.millis()) as f64 / 1000.0);
    let columns: [(Option<u32>, &mut Vec<u32>); 8] = [
        (scaled(position.speed, 10.0), &mut rows.speed),
        (scaled(position.course, 10.0), &mut rows.course),
        (position.sat, &mut rows.sat),
        (scaled(position.batt_percent, 1.0), &mut rows.batt_percent),
        (scaled(position.gsm_signal, 1.0), &mut rows.gsm_signal),
        (scaled(position.fuel_percent, 1.0), &mut rows.fuel_percent),
        (scaled(position.odometer, 1.0), &mut rows.odometer),
        (scaled(since, 1.0), &mut rows.motion_since),
    ];
    for (place, (value, column)) in columns.into_iter().enumerate() {
        if let Some(value) = value {
            present |= 1 << (COLUMNS + place as u32);
            column.push(value);
        }
    }
    if let Some(alarm) = &position.alarm {
        present |= 1 << (COLUMNS + 8);
        rows.alarm.push(alarm.clone());
    }
    if let Some(today) = position.today.filter(|_| is_named) {
        present |= TODAY;
        push_today(rows, recorded_at, &today);
    }
    if let Some(litres) = scaled(position.fuel_liter, 10.0).filter(|_| is_named) {
        present |= LITRES;
        rows.fuel_liter.push(litres);
    }
    rows.present.push(present);
}

fn push_today(rows: &mut LivePositions, recorded_at: i64, today: &DayActivity) {
    let left = today.until.unwrap_or_default().millis().saturating_sub(recorded_at);
    let whole = |value: f64| value.round() as u32;
    rows.today_until.push(whole(left as f64 / 1000.0));
    rows.today_engine.push(whole(today.engine_seconds.unwrap_or_default()));
    rows.today_moving.push(whole(today.moving_seconds));
    rows.today_idle.push(whole(today.idle_seconds));
    rows.today_parked.push(whole(today.parked_seconds));
    rows.today_distance.push(whole(today.distance));
}

fn degrees(value: f64) -> i32 {
    (value * 1e7).round() as i32
}

fn scaled(value: Option<f64>, by: f64) -> Option<u32> {
    value.map(|value| (value * by).round() as u32)
}
