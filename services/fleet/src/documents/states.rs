//! How documents stand: never stored, always as of today.

use armada_proto::{Choice, v1::DocumentState};
use chrono::{Days, NaiveDate};
use sea_orm::{ColumnTrait, Condition};

use crate::{
    entity::document::Column,
    today::{self, Today},
};

/// How many days before its last day a document is expiring.
const EXPIRING: u64 = 30;

/// How a document with this last day stands, and how many days are left.
pub fn of(expires_on: &str, today: NaiveDate) -> (DocumentState, Option<i32>) {
    let Some(last) = today::parse(expires_on) else { return (DocumentState::None, None) };
    let days = (last - today).num_days();
    let state = match days {
        ..0 => DocumentState::Expired,
        days if days.unsigned_abs() <= EXPIRING => DocumentState::Expiring,
        _ => DocumentState::Valid,
    };
    (state, i32::try_from(days).ok())
}

/// The condition that a document stands as one of these, by their numbers; none when there is none, or `unspecified`.
pub fn is_any(today: &Today, states: &[i32]) -> Option<Condition> {
    let states: Vec<_> = states.iter().filter_map(|number| DocumentState::specified(*number)).collect();
    let any = states.iter().fold(Condition::any(), |any, state| any.add(is(today, *state)));
    (!states.is_empty()).then_some(any)
}

/// The condition that a document stands so, each by the day of its own tenant.
pub fn is(today: &Today, state: DocumentState) -> Condition {
    let mut usual = Condition::all().add(on(today.usual, state));
    let mut any = Condition::any();
    for (day, tenants) in &today.others {
        usual = usual.add(Column::TenantId.is_not_in(tenants.iter().copied()));
        let theirs = Condition::all().add(Column::TenantId.is_in(tenants.iter().copied()));
        any = any.add(theirs.add(on(*day, state)));
    }
    any.add(usual)
}

/// The condition that a document stands so on a day.
fn on(day: NaiveDate, state: DocumentState) -> Condition {
    let (first, last) = (day.to_string(), (day + Days::new(EXPIRING)).to_string());
    let expires = Condition::all().add(Column::ExpiresOn.ne(""));
    match state {
        DocumentState::None | DocumentState::Unspecified => Condition::all().add(Column::ExpiresOn.eq("")),
        DocumentState::Expired => expires.add(Column::ExpiresOn.lt(first)),
        DocumentState::Expiring => expires.add(Column::ExpiresOn.gte(first)).add(Column::ExpiresOn.lte(last)),
        DocumentState::Valid => expires.add(Column::ExpiresOn.gt(last)),
    }
}
