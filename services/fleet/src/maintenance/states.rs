//! How maintenance stands: never stored, always as of today and of what meters show.

use armada_proto::{Choice, v1::MaintenanceState};
use chrono::NaiveDate;
use sea_orm::{ColumnTrait, Condition};

use super::dues;
use crate::{
    entity::maintenance::{Column, Model},
    today::Today,
};

/// How one stands on a day.
pub fn of(row: &Model, today: NaiveDate) -> MaintenanceState {
    match row {
        Model { is_done: true, .. } => MaintenanceState::Done,
        Model { paused: true, .. } => MaintenanceState::Paused,
        _ => dues::by_limits(row, &today.to_string(), row.odometer_m, row.engine_s),
    }
}

/// The condition that one stands as one of these, by their numbers; none when there is none, or `unspecified`.
pub fn is_any(today: &Today, states: &[i32]) -> Option<Condition> {
    let states: Vec<_> = states.iter().filter_map(|number| MaintenanceState::specified(*number)).collect();
    let any = states.iter().fold(Condition::any(), |any, state| any.add(is(today, *state)));
    (!states.is_empty()).then_some(any)
}

/// The condition that one stands so, each by the day of its own tenant.
pub fn is(today: &Today, state: MaintenanceState) -> Condition {
    let mut usual = Condition::all().add(on(today.usual, state));
    let mut any = Condition::any();
    for (day, tenants) in &today.others {
        usual = usual.add(Column::TenantId.is_not_in(tenants.iter().copied()));
        let theirs = Condition::all().add(Column::TenantId.is_in(tenants.iter().copied()));
        any = any.add(theirs.add(on(*day, state)));
    }
    any.add(usual)
}

/// The condition that one stands so on a day.
fn on(day: NaiveDate, state: MaintenanceState) -> Condition {
    let day = day.to_string();
    let open = Condition::all().add(Column::IsDone.eq(false)).add(Column::Paused.eq(false));
    let [soon, due, overdue] = [
        (Column::SoonOn, Column::SoonM, Column::SoonS),
        (Column::DueOn, Column::DueM, Column::DueS),
        (Column::OverdueOn, Column::OverdueM, Column::OverdueS),
    ]
    .map(|(on, metres, seconds)| {
        Condition::any().add(on.lte(&day)).add(past(Column::OdometerM, metres)).add(past(Column::EngineS, seconds))
    });
    match state {
        MaintenanceState::Done => Condition::all().add(Column::IsDone.eq(true)),
        MaintenanceState::Paused => Condition::all().add(Column::IsDone.eq(false)).add(Column::Paused.eq(true)),
        MaintenanceState::Overdue => open.add(overdue),
        MaintenanceState::Due => open.add(due).add(overdue.not()),
        MaintenanceState::DueSoon => open.add(soon).add(due.not()).add(overdue.not()),
        MaintenanceState::Scheduled | MaintenanceState::Unspecified => {
            open.add(soon.not()).add(due.not()).add(overdue.not())
        }
    }
}

fn past(shown: Column, limit: Column) -> sea_orm::sea_query::Expr {
    use sea_orm::sea_query::{Expr, ExprTrait};
    Expr::col(shown).gte(Expr::col(limit))
}
