//! What a message of the stream says, as a row.

use armada_proto::{
    Choice,
    v1::{DocumentReminder, Event, MaintenanceDue, VehicleEvent, event::Details},
};
use armada_runtime::text;
use prost::Message;
use sea_orm::prelude::Uuid;
use serde_json::json;

use crate::entity::event::Model;

/// What a message says; none when it is no event of its subject. Who may tell what is decided by subjects, so an event
/// that says something else of itself is nobody's.
pub fn read(subject: &str, payload: &[u8]) -> Option<Model> {
    let event = Event::decode(payload).ok()?;
    if subject != format!("event.{}.{}", event.tenant_id, event.kind) {
        return None;
    }
    let parsed = ParsedDetails::of(event.details);
    let title = storable(parsed.title);
    let vehicle = parsed.vehicle;
    Some(Model {
        id: Uuid::try_parse(&event.id).ok()?,
        tenant_id: event.tenant_id.parse().ok()?,
        kind: storable(event.kind),
        device_id: event.device_id.as_deref().map(str::parse).transpose().ok()?,
        driver_id: event.driver_id.as_deref().map(str::parse).transpose().ok()?,
        subject_id: storable(event.subject_id),
        occurred_at: event.occurred_at?.millis(),
        recorded_at: event.recorded_at?.millis(),
        search: text::search_key(&title),
        title,
        lat: number(vehicle.lat),
        lng: number(vehicle.lng),
        speed: number(vehicle.speed),
        value: number(vehicle.value),
        limit_value: number(vehicle.limit),
        since: vehicle.since.map(|since| since.millis()),
        details: parsed.details,
    })
}

/// What the details of an event say.
#[derive(Default)]
struct ParsedDetails {
    title: String,
    /// JSON.
    details: Option<String>,
    vehicle: VehicleEvent,
}

impl ParsedDetails {
    fn of(details: Option<Details>) -> Self {
        match details {
            Some(Details::Document(reminder)) => {
                Self { details: Some(document(&reminder)), title: reminder.name, ..Self::default() }
            }
            Some(Details::Maintenance(due)) => {
                Self { details: Some(maintenance(&due)), title: due.title, ..Self::default() }
            }
            Some(Details::Vehicle(vehicle)) => Self { details: measured(&vehicle), vehicle, ..Self::default() },
            None => Self::default(),
        }
    }
}

fn document(reminder: &DocumentReminder) -> String {
    json!({
        "kind": reminder.kind().name(),
        "number": reminder.number,
        "subject_name": reminder.subject_name,
        "expires_on": reminder.expires_on,
        "days_left": reminder.days_left,
        "lead_days": reminder.lead_days,
    })
    .to_string()
}

fn maintenance(due: &MaintenanceDue) -> String {
    json!({
        "device_name": due.device_name,
        "priority": due.priority,
        "state": due.state().name(),
        "due_date": due.due_date,
        "due_odometer": due.due_odometer,
        "due_engine_hours": due.due_engine_hours,
        "odometer": due.odometer,
        "engine_hours": due.engine_hours,
    })
    .to_string()
}

/// What there is to say besides of a fill or a drain, of a meter that was reset, and of what fixes far apart show.
fn measured(vehicle: &VehicleEvent) -> Option<String> {
    let apart = || vehicle.fixes_apart_seconds.map(|apart| json!({ "fixes_apart_seconds": apart }));
    let fuel = |confidence| json!({ "before": vehicle.before, "after": vehicle.after, "confidence": confidence });
    let reset = || vehicle.before.map(|before| json!({ "before": before, "after": vehicle.after }));
    Some(vehicle.confidence.map(fuel).or_else(reset).or_else(apart)?.to_string())
}

/// What is no number has no form in JSON.
fn number(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

/// PostgreSQL stores no zero characters.
fn storable(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }
}
