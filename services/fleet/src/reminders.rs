//! Reminding of documents before they expire, and when they have: each reminder is an event, told once for each last day
//! of a document. When the next one is due stands in the row, so that nobody looks through all documents.

use std::{collections::HashMap, sync::Arc, time::Duration};

use armada_proto::{
    DocumentId, TenantId, Timestamp,
    v1::{DocumentReminder, Event, event::Details},
};
use armada_runtime::{Database, Result, Scope, ServiceKey, events};
use chrono::{Days, NaiveDate};
use chrono_tz::Tz;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, OnConflict},
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{
    entity::{
        document::{Column, Entity, Model},
        document_reminder,
    },
    identity::IdentityClient,
    today,
};

/// How often the calendar is looked at: a day begins somewhere every quarter of an hour.
const PERIOD: Duration = Duration::from_secs(60);
/// Documents of one look.
const CHUNK: u64 = 500;
/// Where the day begins first, at UTC+14.
const EARLIEST_ZONE: Tz = Tz::Pacific__Kiritimati;
/// The reminder of the day after the last one.
const EXPIRED: i32 = -1;

/// Gives the reminders that are due.
pub struct Reminders {
    pub(crate) db: Database,
    pub(crate) identity: IdentityClient,
    pub(crate) service_key: ServiceKey,
    /// Wakes it: a document may be due at once.
    pub(crate) changed: Arc<Notify>,
}

impl Reminders {
    /// Works until shutdown. What fails is tried again.
    pub async fn run(self, shutdown: CancellationToken) -> Result<()> {
        let for_ever = async {
            loop {
                if let Err(error) = self.round().await {
                    tracing::warn!(%error, "reminders of documents are not given; will try again");
                }
                tokio::select! {
                    () = self.changed.notified() => {}
                    () = tokio::time::sleep(PERIOD) => {}
                }
            }
        };
        shutdown.run_until_cancelled(for_ever).await;
        Ok(())
    }

    /// All that are due now, in whatever time zone.
    async fn round(&self) -> Result<()> {
        let horizon = today::in_zone(EARLIEST_ZONE).to_string();
        let mut zones = HashMap::new();
        let mut last = None;
        loop {
            let rows = self.candidates(&horizon, last).await?;
            let Some(end) = rows.last() else { return Ok(()) };
            last = Some(end.id);
            for row in &rows {
                let zone = match zones.get(&row.tenant_id) {
                    Some(zone) => *zone,
                    None => self.identity.time_zone(&self.service_key, row.tenant_id).await?,
                };
                zones.insert(row.tenant_id, zone);
                // A tenant that identity does not know is on its way out.
                if let Some(zone) = zone
                    && row.next_reminder_on <= today::in_zone(zone).to_string()
                {
                    self.remind(row.tenant_id, row.id, zone).await?;
                }
            }
        }
    }

    /// The next documents that are due where the day begins first.
    async fn candidates(&self, horizon: &str, after: Option<DocumentId>) -> Result<Vec<Model>> {
        let tx = self.db.read(&Scope::Platform).await?;
        let mut rows = Entity::within(Scope::Platform)
            .filter(Column::NextReminderOn.ne(""))
            .filter(Column::NextReminderOn.lte(horizon));
        if let Some(after) = after {
            rows = rows.filter(Column::Id.gt(after));
        }
        Ok(rows.order_by_asc(Column::Id).limit(CHUNK).all(&tx).await?)
    }

    /// Reminds of what is due of one document, unless somebody else has, in one transaction with the record of it.
    async fn remind(&self, tenant: TenantId, id: DocumentId, zone: Tz) -> Result<()> {
        let tx = self.db.write(&Scope::Tenant(tenant)).await?;
        let rows = Entity::within(Scope::Tenant(tenant)).filter(Column::Id.eq(id)).lock_exclusive();
        let Some(row) = rows.one(&tx).await? else { return Ok(()) };
        let today = today::in_zone(zone);
        let reminded = last_reminder(&tx, &row).await?;
        if let Some((expires_on, lead)) = due(&row, reminded, today) {
            let reminder = document_reminder::ActiveModel {
                document_id: Set(row.id),
                expires_on: Set(row.expires_on.clone()),
                lead_days: Set(lead),
                tenant_id: Set(tenant),
                reminded_at: Set(Timestamp::now().millis()),
            };
            let once = OnConflict::new().do_nothing().to_owned();
            let inserted = document_reminder::Entity::insert(reminder).on_conflict(once);
            if inserted.exec_without_returning(&tx).await? == 1 {
                events::record(&tx, event(&row, expires_on, lead, today, zone)).await?;
            }
        }
        schedule(&tx, &row).await?;
        Ok(tx.commit().await?)
    }
}

/// When the next reminder of a document is due, as it is about to be written; empty for none.
pub async fn next(tx: &DatabaseTransaction, row: &Model) -> Result<String> {
    let reminded = last_reminder(tx, row).await?;
    let days = today::parse(&row.expires_on).and_then(|expires_on| next_day(expires_on, &leads(row), reminded));
    Ok(days.map(|day| day.to_string()).unwrap_or_default())
}

/// Forgets which reminders were given of a document that goes away.
pub async fn forget(tx: &DatabaseTransaction, document: DocumentId) -> Result<()> {
    use document_reminder::{Column, Entity};
    Entity::delete_many().filter(Column::DocumentId.eq(document)).exec(tx).await?;
    Ok(())
}

/// Reminders in their usual form: each once, the most days first. None for what is not one.
pub fn normal(days: &str) -> Option<String> {
    let days = days.split(',').map(str::trim).filter(|day| !day.is_empty()).map(str::parse::<i32>);
    let mut days = days.collect::<std::result::Result<Vec<_>, _>>().ok()?;
    days.sort_unstable_by(|a, b| b.cmp(a));
    days.dedup();
    let is_usual = days.iter().all(|day| (0..=365).contains(day));
    is_usual.then(|| days.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
}

/// Writes into the row when the next one is due. No change of the document: its version stays.
async fn schedule(tx: &DatabaseTransaction, row: &Model) -> Result<()> {
    let next = next(tx, row).await?;
    let scheduled = Entity::update_many().col_expr(Column::NextReminderOn, Expr::val(next));
    scheduled.filter(Column::Id.eq(row.id)).exec(tx).await?;
    Ok(())
}

/// The last reminder that was given for the present last day of a document.
async fn last_reminder(tx: &DatabaseTransaction, row: &Model) -> Result<Option<i32>> {
    use document_reminder::{Column, Entity};
    let reminded = Entity::find().filter(Column::DocumentId.eq(row.id)).filter(Column::ExpiresOn.eq(&row.expires_on));
    Ok(reminded.order_by_asc(Column::LeadDays).one(tx).await?.map(|reminded| reminded.lead_days))
}

/// All reminders of a document; none for one that has switched them off.
fn leads(row: &Model) -> Vec<i32> {
    let days: Vec<i32> = row.reminder_days.split(',').filter_map(|day| day.parse().ok()).collect();
    if days.is_empty() { days } else { [&days[..], &[EXPIRED]].concat() }
}

/// The reminder to give now: of several that are due the one that is nearest to the last day, since it says it all.
fn due(row: &Model, reminded: Option<i32>, today: NaiveDate) -> Option<(NaiveDate, i32)> {
    let expires_on = today::parse(&row.expires_on)?;
    let is_open = |lead: &i32| reminded.is_none_or(|reminded| *lead < reminded);
    let is_due = |lead: &i32| day_of(expires_on, *lead).is_some_and(|day| day <= today);
    let lead = leads(row).into_iter().filter(is_open).filter(is_due).min()?;
    Some((expires_on, lead))
}

fn next_day(expires_on: NaiveDate, leads: &[i32], reminded: Option<i32>) -> Option<NaiveDate> {
    let next = leads.iter().filter(|lead| reminded.is_none_or(|reminded| **lead < reminded)).max()?;
    day_of(expires_on, *next)
}

/// The day of a reminder.
fn day_of(expires_on: NaiveDate, lead: i32) -> Option<NaiveDate> {
    let days = Days::new(lead.unsigned_abs().into());
    if lead < 0 { expires_on.checked_add_days(days) } else { expires_on.checked_sub_days(days) }
}

fn event(row: &Model, expires_on: NaiveDate, lead: i32, today: NaiveDate, zone: Tz) -> Event {
    let kind = if lead == EXPIRED { "document.expired" } else { "document.expiring" };
    let (tenant, id) = (row.tenant_id.to_string(), row.id.to_string());
    let reminder = DocumentReminder {
        kind: row.kind.into(),
        name: row.name.clone(),
        number: row.number.clone(),
        subject_name: row.subject_name.clone(),
        expires_on: row.expires_on.clone(),
        days_left: i32::try_from((expires_on - today).num_days()).unwrap_or_default(),
        lead_days: lead,
    };
    Event {
        id: events::id(&[&tenant, kind, &id, &row.expires_on, &lead.to_string()]),
        tenant_id: tenant,
        kind: kind.to_owned(),
        device_id: row.device_id.map(|id| id.to_string()),
        driver_id: row.driver_id.map(|id| id.to_string()),
        subject_id: id,
        occurred_at: day_of(expires_on, lead).and_then(|day| today::begins(day, zone)),
        recorded_at: None,
        row_version: row.row_version,
        details: Some(Details::Document(reminder)),
    }
}
