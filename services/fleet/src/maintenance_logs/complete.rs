//! Completing a maintenance: what was done is written down, and the next one is due an interval later.

use armada_proto::{
    MaintenanceId, Timestamp,
    access::permission::MAINTENANCE_UPDATE,
    v1::{Maintenance, MaintenanceLogInput, MaintenanceState},
};
use armada_runtime::{
    Caller, Code, Error, Result, Scope,
    audit::{self, Act, Object},
    resource::Row,
};
use chrono::NaiveDate;
use chrono_tz::Tz;
use sea_orm::{ActiveModelTrait, ColumnTrait, DatabaseTransaction, IntoActiveModel, QueryFilter, QuerySelect};

use crate::{
    entity::{
        maintenance::{self, PENDING},
        maintenance_log::Model,
    },
    maintenance::{
        check_now,
        dues::{self, Facts},
        reset_notifications,
    },
    members, today,
};

/// The status of what does not come again.
const DONE: &str = "done";

/// Fills in what was completed, by what the request says and what the maintenance is, and makes the next one due.
pub async fn complete(
    tx: &DatabaseTransaction,
    caller: &Caller,
    row: &mut Model,
    mut input: MaintenanceLogInput,
    zone: Tz,
) -> Result<()> {
    let before = named(tx, caller, Scope::Tenant(row.tenant_id), input.maintenance_id.as_deref()).await?;
    members::must_be(tx, caller, before.device_id, members::MAINTAINERS).await?;
    let facts = Facts::of(tx, before.device_id, zone).await?;
    let mut next = before.clone();
    dues::settle(&mut next, &facts);
    input.done_on = input.done_on.filter(|day| !day.is_empty()).or_else(|| Some(facts.today().to_string()));
    // What the meters showed on another day is not known here.
    let is_today = input.done_on.as_ref().is_some_and(|day| *day == facts.today().to_string());
    let known = |shown: Option<i32>| shown.filter(|_| is_today).and_then(|shown| u32::try_from(shown).ok());
    input.odometer = input.odometer.or_else(|| known(facts.odometer()));
    input.engine_hours = input.engine_hours.or_else(|| known(facts.engine_hours()));
    row.maintenance_id = Some(before.id);
    row.device_id = before.device_id;
    (row.device_name, row.vehicle_code) = (before.device_name.clone(), before.vehicle_code.clone());
    row.name = before.name.clone();
    (row.due_date, row.due_odometer, row.due_engine_hours) =
        (next.due_date.clone(), next.due_odometer, next.due_engine_hours);
    row.apply(input);
    row.is_late = is_late(&next, row);
    row.report_at = next.auto_generate_report.then(|| Timestamp::now().millis());
    roll(&mut next, row, &facts)?;
    write(tx, caller, before, next).await
}

/// What is completed, locked: two who complete it at once do so one after the other.
async fn named(
    tx: &DatabaseTransaction,
    caller: &Caller,
    scope: Scope,
    id: Option<&str>,
) -> Result<maintenance::Model> {
    let unknown = || Error::field("maintenance_id", "unknown");
    let id: MaintenanceId = id.unwrap_or_default().parse().map_err(|_| unknown())?;
    let rows = maintenance::Entity::visible_to(caller, scope).filter(maintenance::Column::Id.eq(id));
    let row = rows.lock_exclusive().one(tx).await?.ok_or_else(unknown)?;
    match row.is_done {
        true => Err(Error::new(Code::Conflict, "conflict", "it is done").with_field("maintenance_id", "already_done")),
        false => Ok(row),
    }
}

/// Whether it was overdue on the day on which it was done, and by what the meters showed then.
fn is_late(due: &maintenance::Model, row: &Model) -> bool {
    let (metres, seconds) = (i64::from(row.odometer) * dues::KILOMETRE, i64::from(row.engine_hours) * dues::HOUR);
    dues::by_limits(due, &row.done_on, metres, seconds) == MaintenanceState::Overdue
}

/// Makes of a maintenance the next one, or ends it.
fn roll(next: &mut maintenance::Model, done: &Model, facts: &Facts) -> Result<()> {
    let day: NaiveDate = today::parse(&done.done_on).ok_or_else(|| Error::field("done_on", "invalid_date"))?;
    next.last_done_on = done.done_on.clone();
    if dues::is_recurring(next) {
        dues::roll(next, day, done.odometer, done.engine_hours);
        next.status = PENDING.to_owned();
    } else {
        next.is_done = true;
        next.status = DONE.to_owned();
    }
    dues::settle(next, facts);
    reset_notifications(next);
    check_now(next);
    Ok(())
}

async fn write(
    tx: &DatabaseTransaction,
    caller: &Caller,
    before: maintenance::Model,
    mut next: maintenance::Model,
) -> Result<()> {
    next.touch(Timestamp::now());
    let next = next.into_active_model().reset_all().update(tx).await?;
    let message = |row: &maintenance::Model| Maintenance::from(row.clone());
    let act = Act {
        act: MAINTENANCE_UPDATE,
        tenant: Some(next.tenant_id),
        object: Object::new("maintenance", next.id, &next.name),
        change: audit::changes(Some(&message(&before)), Some(&message(&next))),
    };
    audit::record(tx, caller, act).await
}
