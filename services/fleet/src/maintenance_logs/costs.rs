//! What maintenance has cost, of each vehicle and for each kilometre that it went.

use std::{collections::HashMap, str::FromStr};

use armada_proto::{
    DeviceId, Validate,
    v1::{MaintenanceCost, MaintenanceCosts, MaintenanceCostsRequest},
};
use armada_runtime::{Caller, Error, Result, Scope};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, FromQueryResult, QueryFilter, QuerySelect, Select,
    sea_query::{CaseStatement, Expr, Func},
};

use super::MaintenanceLogs;
use crate::{
    entity::{
        device_meter_day,
        maintenance_log::{Column, Entity},
    },
    maintenance::dues::KILOMETRE,
};

/// Vehicles that are told of by name.
const ITEMS_MAX: usize = 100;
/// Devices in one query: databases bound the values of a statement.
const CHUNK: usize = 1_000;

/// What completions of one vehicle have cost.
#[derive(FromQueryResult)]
struct Sum {
    device_id: DeviceId,
    device_name: String,
    vehicle_code: String,
    cost: i64,
    completions: i64,
    on_time: i64,
}

/// How far the odometer of one vehicle went.
#[derive(FromQueryResult)]
struct Driven {
    device_id: DeviceId,
    least: i64,
    most: i64,
}

impl MaintenanceLogs {
    /// What a caller may know.
    pub(super) async fn costs_of(
        &self,
        caller: &Caller,
        mut request: MaintenanceCostsRequest,
    ) -> Result<MaintenanceCosts> {
        let mut violations = request.validate();
        for (name, day) in [("from", &request.from), ("until", &request.until)] {
            if day.is_empty() {
                violations.add(name, "required");
            }
        }
        if !request.from.is_empty() && request.until < request.from {
            violations.add("until", "before_from");
        }
        violations.check()?;
        let scope = caller.narrow(request.tenant_id.as_deref().filter(|id| !id.is_empty()))?;
        let tenant = scope.tenant().ok_or_else(|| Error::field("tenant_id", "required"))?;
        let currency = self.identity.named_tenant(&self.service_key, &tenant.to_string()).await?.currency;
        let tx = self.db.read(&scope).await?;
        let sums = sums(&tx, logs(caller, scope, &request, &currency)).await?;
        let driven = driven(&tx, &sums, &request).await?;
        Ok(answer(currency, sums, &driven))
    }
}

fn logs(caller: &Caller, scope: Scope, request: &MaintenanceCostsRequest, currency: &str) -> Select<Entity> {
    let rows = Entity::visible_to(caller, scope).filter(Column::Currency.eq(currency));
    let rows = rows.filter(Column::DoneOn.gte(&request.from)).filter(Column::DoneOn.lte(&request.until));
    match request.device_id.as_deref().filter(|id| !id.is_empty()) {
        Some(id) => rows.filter(Column::DeviceId.is_in(DeviceId::from_str(id))),
        None => rows,
    }
}

/// By vehicle, the dearest first.
async fn sums(tx: &DatabaseTransaction, logs: Select<Entity>) -> Result<Vec<Sum>> {
    let whole = |sum: Expr| sea_orm::sea_query::ExprTrait::cast_as(sum, "bigint");
    let on_time = CaseStatement::new().case(Column::IsLate.eq(false), 1).finally(0);
    let rows = logs
        .select_only()
        .column(Column::DeviceId)
        .column_as(Column::DeviceName.max(), "device_name")
        .column_as(Column::VehicleCode.max(), "vehicle_code")
        .expr_as(whole(Func::sum(Expr::col(Column::Cost)).into()), "cost")
        .expr_as(whole(Func::count(Expr::col(Column::Id)).into()), "completions")
        .expr_as(whole(Func::sum(on_time).into()), "on_time")
        .group_by(Column::DeviceId);
    let mut sums: Vec<Sum> = rows.into_model().all(tx).await?;
    sums.sort_by(|a, b| b.cost.cmp(&a.cost).then_with(|| a.device_name.cmp(&b.device_name)));
    Ok(sums)
}

/// Kilometres that each vehicle went in these days: as its odometer tells, or else as was computed.
async fn driven(
    tx: &DatabaseTransaction,
    sums: &[Sum],
    request: &MaintenanceCostsRequest,
) -> Result<HashMap<DeviceId, f64>> {
    use device_meter_day::Column;
    let mut driven = HashMap::with_capacity(sums.len());
    for chunk in sums.chunks(CHUNK) {
        for meter in [Column::DistanceM, Column::OdometerM] {
            driven.extend(driven_by(tx, chunk, request, meter).await?);
        }
    }
    Ok(driven)
}

/// The same by one meter, from its last figure before these days.
async fn driven_by(
    tx: &DatabaseTransaction,
    sums: &[Sum],
    request: &MaintenanceCostsRequest,
    meter: device_meter_day::Column,
) -> Result<Vec<(DeviceId, f64)>> {
    use device_meter_day::{Column, Entity};
    let known = || {
        let rows = Entity::find().filter(Column::DeviceId.is_in(sums.iter().map(|sum| sum.device_id)));
        rows.filter(meter.is_not_null())
    };
    let bounds = |rows: Select<Entity>| {
        rows.select_only()
            .column(Column::DeviceId)
            .column_as(meter.min(), "least")
            .column_as(meter.max(), "most")
            .group_by(Column::DeviceId)
            .into_model::<Driven>()
    };
    let before = bounds(known().filter(Column::Day.lt(&request.from))).all(tx).await?;
    let before: HashMap<_, _> = before.into_iter().map(|row| (row.device_id, row.most)).collect();
    let during = known().filter(Column::Day.gte(&request.from)).filter(Column::Day.lte(&request.until));
    let far = |Driven { device_id, least, most }| {
        let begin = before.get(&device_id).copied().unwrap_or(least);
        (device_id, (most - begin).max(0) as f64 / KILOMETRE as f64)
    };
    Ok(bounds(during).all(tx).await?.into_iter().map(far).collect())
}

fn answer(currency: String, sums: Vec<Sum>, driven: &HashMap<DeviceId, f64>) -> MaintenanceCosts {
    let count = |number: i64| u32::try_from(number).unwrap_or_default();
    let mut all = MaintenanceCosts { currency, ..MaintenanceCosts::default() };
    // What vehicles cost of which nobody knows how far they went says nothing of a kilometre.
    let mut cost_of_driven = 0;
    for sum in &sums {
        all.cost += sum.cost;
        all.completions = all.completions.saturating_add(count(sum.completions));
        all.on_time = all.on_time.saturating_add(count(sum.on_time));
        if let Some(distance) = driven.get(&sum.device_id) {
            all.distance = Some(all.distance.unwrap_or_default() + distance);
            cost_of_driven += sum.cost;
        }
    }
    all.cost_per_km = all.distance.and_then(|distance| per_km(cost_of_driven, distance));
    let item = |sum: Sum| {
        let distance = driven.get(&sum.device_id).copied();
        MaintenanceCost {
            device_id: sum.device_id.to_string(),
            device_name: sum.device_name,
            vehicle_code: sum.vehicle_code,
            cost: sum.cost,
            completions: count(sum.completions),
            on_time: count(sum.on_time),
            distance,
            cost_per_km: distance.and_then(|distance| per_km(sum.cost, distance)),
        }
    };
    all.items = sums.into_iter().take(ITEMS_MAX).map(item).collect();
    all
}

/// None of those that stood still.
fn per_km(cost: i64, distance: f64) -> Option<f64> {
    (distance >= 1.0).then(|| cost as f64 / distance)
}
