//! What all devices of a fleet came to on a day.

use armada_proto::v1::{FleetDay, FleetDayRequest, SeenByUsers};
use armada_runtime::{Caller, Result, Scope};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, FromQueryResult, QueryFilter, QuerySelect, QueryTrait,
    sea_query::{CaseStatement, Expr, ExprTrait},
};

use crate::{
    entity::{
        device,
        device_meter_day::{Column, Entity},
    },
    seen_by,
};

/// Metres that are a drive and no manoeuvre; as of the trips of a track.
const DRIVE_M: i64 = 200;

/// The sums of a day.
#[derive(FromQueryResult)]
struct Sums {
    distance: Option<i64>,
    engine: Option<i64>,
    heard: i64,
    driven: Option<i64>,
    moving: Option<i64>,
    idle: Option<i64>,
    trips: Option<i64>,
}

/// Of the devices of a scope that a caller sees, and that some users see, if they are told.
pub async fn of(
    tx: &DatabaseTransaction,
    caller: &Caller,
    scope: Scope,
    request: &FleetDayRequest,
    seen: Option<&SeenByUsers>,
) -> Result<FleetDay> {
    let mut devices = device::Entity::visible_to(caller, scope);
    if let Some(seen) = seen {
        devices = devices.filter(seen_by::devices(seen));
    }
    let devices = devices.select_only().column(device::Column::Id).into_query();
    let since_first = |last: Column, first: Column| Expr::col(last).sub(Expr::col(first));
    let distance = since_first(Column::DistanceM, Column::FirstDistanceM);
    let engine = since_first(Column::EngineS, Column::FirstEngineS);
    let trips = since_first(Column::Trips, Column::FirstTrips);
    // None where they were not counted all day, and none less where they were counted anew.
    let trips = CaseStatement::new().case(trips.clone().gt(0), trips).finally(0);
    let driven = CaseStatement::new().case(distance.clone().gte(DRIVE_M), 1).finally(0);
    // PostgreSQL sums whole numbers to decimals.
    let sum = |of: Expr| of.sum().cast_as("bigint");
    let rows = Entity::find()
        .select_only()
        .column_as(sum(distance), "distance")
        .column_as(sum(engine), "engine")
        .column_as(Column::DeviceId.count(), "heard")
        .column_as(sum(driven.into()), "driven")
        .column_as(sum(since_first(Column::MovingS, Column::FirstMovingS)), "moving")
        .column_as(sum(since_first(Column::IdleS, Column::FirstIdleS)), "idle")
        .column_as(sum(trips.into()), "trips")
        .filter(Column::Day.eq(&request.day))
        .filter(Column::DeviceId.in_subquery(devices));
    let Some(sums) = rows.into_model::<Sums>().one(tx).await? else { return Ok(FleetDay::default()) };
    let whole = |count: Option<i64>| u32::try_from(count.unwrap_or_default()).unwrap_or(u32::MAX);
    Ok(FleetDay {
        distance: sums.distance.unwrap_or_default() as f64,
        engine_seconds: sums.engine.unwrap_or_default() as f64,
        heard: whole(Some(sums.heard)),
        driven: whole(sums.driven),
        moving_seconds: sums.moving.unwrap_or_default() as f64,
        idle_seconds: sums.idle.unwrap_or_default() as f64,
        trips: u32::try_from(sums.trips.unwrap_or_default()).unwrap_or_default(),
    })
}
