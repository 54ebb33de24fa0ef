//! Watching over maintenance: what has become due is told once of each occurrence, as an event and by email, and what meters
//! show is brought into the rows. When one is to be looked at next stands in its row.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::{Duration, Instant},
};

use armada_proto::{
    DeviceId, MaintenanceId, TenantId, Timestamp,
    v1::{Event, MaintenanceDue, MaintenanceState, event::Details},
};
use armada_runtime::{Database, Result, Scope, ServiceKey, events};
use chrono::NaiveDate;
use chrono_tz::Tz;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, DatabaseTransaction, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect,
    sea_query::{Expr, ExprTrait, Query},
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{
    dues::{self, Facts},
    mails, states, vehicles,
};
use crate::{
    entity::{
        device_meter_day,
        maintenance::{Column, Entity, Model, NEVER, UNKNOWN},
    },
    identity::IdentityClient,
    meters::Changed,
    today::{self, Today},
};

/// Vehicles of one statement.
const AT_ONCE: usize = 500;
/// How often the calendar and the meters are looked at.
const PERIOD: Duration = Duration::from_secs(60);
/// When to try again what failed.
const RETRY: Duration = Duration::from_secs(2);
/// So many times as long as a look took it rests before the next: each one looks through all of them, and thousands that are
/// made one after the other are looked at together.
const REST: u32 = 4;
/// Rows of one look.
const CHUNK: u64 = 500;

/// Announces what has become due.
pub struct Watch {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    /// Wakes it: something may be due at once.
    pub(crate) changed: Arc<Notify>,
    /// Vehicles of whose meters more was read.
    pub(crate) read: Changed,
    /// Vehicles whose meters were corrected.
    pub(crate) corrected: Changed,
    /// Wakes whoever hands emails on.
    pub(crate) mailed: Arc<Notify>,
}

impl Watch {
    /// Works until shutdown. What fails is tried again.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let for_ever = async {
            loop {
                let begun = Instant::now();
                let round = self.round().await;
                let rest = REST * begun.elapsed();
                if let Err(error) = &round {
                    tracing::warn!(%error, "maintenance is not looked at; will try again");
                }
                let pause = if round.is_ok() { PERIOD } else { RETRY };
                tokio::select! {
                    () = self.changed.notified() => {}
                    _ = self.read.next() => {}
                    devices = self.corrected.next() => if let Err(error) = self.recheck_devices(devices).await {
                        tracing::warn!(%error, "maintenance hears of a corrected meter when it is read next");
                    },
                    () = tokio::time::sleep(pause) => {}
                }
                tokio::time::sleep(rest).await;
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    /// What was read of these did not change, but what it means did.
    async fn recheck_devices(&self, devices: BTreeSet<DeviceId>) -> Result<()> {
        let tx = self.db.write(&Scope::Platform).await?;
        for devices in Vec::from_iter(devices).chunks(AT_ONCE) {
            vehicles::recheck(&tx, devices).await?;
        }
        Ok(tx.commit().await?)
    }

    /// All whose day has come, each in the time zone of its tenant, and all whose meters show something else.
    async fn round(&self) -> Result<()> {
        let zones: HashMap<_, _> = self.identity.time_zones(&self.service_key).await?.into_iter().collect();
        let today = Today::in_zones(zones.iter().map(|(tenant, zone)| (*tenant, *zone)));
        let mut last = None;
        loop {
            let rows = self.candidates(&today, last).await?;
            let Some(end) = rows.last() else { return Ok(()) };
            last = Some(end.id);
            for row in &rows {
                // A tenant that identity does not know is on its way out.
                if let Some(zone) = zones.get(&row.tenant_id) {
                    self.check_one(row.tenant_id, row.id, *zone).await?;
                }
            }
        }
    }

    /// The next ones whose day has come, or whose vehicle has told something since.
    async fn candidates(&self, today: &Today, after: Option<MaintenanceId>) -> Result<Vec<Model>> {
        let tx = self.db.read(&Scope::Platform).await?;
        let mut rows = Entity::within(Scope::Platform)
            .filter(Column::NextLookOn.ne(""))
            .filter(is_check_due(today).add(may_have_changed()));
        if let Some(after) = after {
            rows = rows.filter(Column::Id.gt(after));
        }
        Ok(rows.order_by_asc(Column::Id).limit(CHUNK).all(&tx).await?)
    }

    /// Brings one up to date and tells how it stands, unless somebody has, in one transaction. No change of the
    /// maintenance: its version stays.
    async fn check_one(&self, tenant: TenantId, id: MaintenanceId, zone: Tz) -> Result<()> {
        let scope = Scope::Tenant(tenant);
        let tx = self.db.write(&scope).await?;
        let rows = Entity::within(scope).filter(Column::Id.eq(id)).lock_exclusive();
        let Some(before) = rows.one(&tx).await?.filter(Model::is_open) else { return Ok(()) };
        let facts = Facts::of(&tx, before.device_id, zone).await?;
        let mut row = before.clone();
        dues::settle(&mut row, &facts);
        let is_announced = announce(&tx, &mut row, &facts, zone).await?;
        row.next_look_on = next_look(&row, facts.today());
        if row != before {
            row.into_active_model().reset_all().update(&tx).await?;
        }
        tx.commit().await?;
        if is_announced {
            self.mailed.notify_one();
        }
        Ok(())
    }
}

/// The condition that the day on which one is to be looked at has come for its tenant.
fn is_check_due(today: &Today) -> Condition {
    let mut usual = Condition::all().add(Column::NextLookOn.lte(today.usual.to_string()));
    let mut any = Condition::any();
    for (day, tenants) in &today.others {
        usual = usual.add(Column::TenantId.is_not_in(tenants.iter().copied()));
        let theirs = Condition::all().add(Column::TenantId.is_in(tenants.iter().copied()));
        any = any.add(theirs.add(Column::NextLookOn.lte(day.to_string())));
    }
    any.add(usual)
}

/// The condition that a figure of its vehicle, which it does not take into account yet, may have brought it to another state.
fn may_have_changed() -> Condition {
    use device_meter_day::{Column as Of, Entity as Figures};
    let newer = Query::select()
        .expr(Expr::val(1))
        .from(Figures)
        .and_where(Expr::col((Figures, Of::DeviceId)).equals((Entity, Column::DeviceId)))
        .and_where(Expr::col((Figures, Of::Day)).gte(Expr::col((Entity, Column::MeteredOn))))
        .and_where(Expr::col((Figures, Of::RecordedAt)).gt(Expr::col((Entity, Column::MeteredAt))))
        .and_where(Expr::col((Figures, Of::RecordedAt)).gte(Expr::col((Entity, Column::LookAfter))))
        .take();
    Condition::all().add(Column::LookAfter.lte(Timestamp::now().millis())).add(Expr::exists(newer))
}

/// Announces how one stands, if that was not announced of this occurrence: an event, and an email to each address. Of
/// several states that came at once the worst says it all.
async fn announce(tx: &DatabaseTransaction, row: &mut Model, facts: &Facts, zone: Tz) -> Result<bool> {
    let state = states::of(row, facts.today());
    let (kind, rank, since) = match state {
        MaintenanceState::DueSoon => ("maintenance.due_soon", 1, state_since(row, &row.soon_on, facts, zone)),
        MaintenanceState::Due => ("maintenance.due", 2, state_since(row, &row.due_on, facts, zone)),
        MaintenanceState::Overdue => ("maintenance.overdue", 3, state_since(row, &row.overdue_on, facts, zone)),
        _ => return Ok(false),
    };
    if rank <= row.announced {
        return Ok(false);
    }
    row.announced = rank;
    let event = event(row, kind, state, since);
    mails::queue(tx, row, state, &event.id).await?;
    events::record(tx, event).await?;
    Ok(true)
}

/// When a state began: with its day, or else when the meters showed it.
fn state_since(row: &Model, day: &str, facts: &Facts, zone: Tz) -> Option<Timestamp> {
    let begins = today::parse(day).filter(|day| *day <= facts.today()).and_then(|day| today::begins(day, zone));
    begins.or_else(|| (row.metered_at > 0).then(|| Timestamp::from_millis(row.metered_at)))
}

fn event(row: &Model, kind: &str, state: MaintenanceState, occurred_at: Option<Timestamp>) -> Event {
    let (tenant, id) = (row.tenant_id.to_string(), row.id.to_string());
    let count = |number: i32| u32::try_from(number).unwrap_or_default();
    let shown = |figure: i64, unit: i64| (figure != UNKNOWN).then_some(figure as f64 / unit as f64);
    let due = MaintenanceDue {
        title: row.name.clone(),
        device_name: row.device_name.clone(),
        priority: row.priority.clone(),
        state: state.into(),
        due_date: row.due_date.clone(),
        due_odometer: count(row.due_odometer),
        due_engine_hours: count(row.due_engine_hours),
        odometer: shown(row.odometer_m, dues::KILOMETRE),
        engine_hours: shown(row.engine_s, dues::HOUR),
    };
    Event {
        id: events::id(&[&tenant, kind, &id, &row.occurrence.to_string()]),
        tenant_id: tenant,
        kind: kind.to_owned(),
        device_id: Some(row.device_id.to_string()),
        driver_id: None,
        subject_id: id,
        occurred_at,
        recorded_at: None,
        row_version: row.row_version,
        details: Some(Details::Maintenance(due)),
    }
}

/// The next day on which something may be told, or on which meters show something else and the forecast is another one.
fn next_look(row: &Model, today: NaiveDate) -> String {
    if row.has_meter_limit() || row.metered_at > 0 {
        return today.succ_opt().unwrap_or(today).to_string();
    }
    let today = today.to_string();
    let days = [&row.soon_on, &row.due_on, &row.overdue_on].into_iter().filter(|day| **day > today && *day != NEVER);
    days.min().cloned().unwrap_or_default()
}
