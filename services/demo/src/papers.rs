//! The documents of the vehicles and drivers, the maintenance of the vehicles and what has been done of it: as they stand
//! on the day on which the demonstration is made.

use armada_proto::v1::{DocumentInput, DocumentKind, MaintenanceInput, MaintenanceLogInput, MaintenanceTrigger};

use super::{
    calendar::date_of,
    random::hash,
    vehicles::{FLEET, Kind},
};

/// How many documents there are.
pub(super) const DOCUMENTS: usize = 60;
/// How many maintenances are planned.
pub(super) const PLANS: usize = 24;
/// Of these the first ones are late, the next ones due, and those behind them soon. What is behind [`DUE`] has been done before.
const OVERDUE: usize = 3;
const DUE: usize = 6;
const DUE_SOON: usize = 11;

/// A document, but for whose it is: of the vehicle at this place in the list, or of its driver.
pub(super) fn document(number: usize, today: i64) -> (usize, DocumentInput) {
    let index = number * 7 % FLEET.len();
    let kind = match (number, FLEET[index].kind) {
        (50.., _) => DocumentKind::License,
        (number, Kind::Truck | Kind::Bus | Kind::Van | Kind::Pickup) if number % 3 == 0 => DocumentKind::Kir,
        (number, _) if number % 5 == 1 => DocumentKind::Tax,
        (number, _) if number % 5 == 3 => DocumentKind::Insurance,
        _ => DocumentKind::Stnk,
    };
    let days = match number % 15 {
        4 => -3 - number as i64 / 3,
        1 | 9 => 4 + number as i64 % 23,
        _ => 45 + (hash(&[number as u64, 31]) % 900) as i64,
    };
    let input = DocumentInput {
        kind: Some(kind.into()),
        number: Some(format!("DEMO-{:04}", number + 1)),
        issued_on: Some(date_of(today + days - 1_096)),
        expires_on: Some(date_of(today + days)),
        ..DocumentInput::default()
    };
    (index, input)
}

/// Whether a document is the driver's, and not the vehicle's.
pub(super) fn is_of_driver(document: &DocumentInput) -> bool {
    document.kind() == DocumentKind::License
}

/// What is done, and after how many days again.
const WORKS: [(&str, u32, &str, &str); 6] = [
    ("Ganti oli mesin", 90, "medium", "Oli mesin dan filter oli"),
    ("Rotasi dan spooring ban", 120, "medium", "-"),
    ("Servis berkala", 180, "high", "Filter udara, filter bahan bakar"),
    ("Pemeriksaan rem", 120, "high", "Kampas rem depan"),
    ("Servis AC", 150, "low", "Filter kabin"),
    ("Pemeriksaan aki", 100, "low", "-"),
];
/// Who has done it, all of them made up.
const WORKSHOPS: [&str; 3] = ["Bengkel Demo Sejahtera", "Bengkel Demo Mandiri", "Bengkel Demo Nusantara"];

/// A maintenance, and what was done of it before, if anything was.
pub(super) fn plan(number: usize, today: i64) -> (usize, MaintenanceInput, Option<MaintenanceLogInput>) {
    let (name, interval, priority, parts) = WORKS[number % WORKS.len()];
    let every = i64::from(interval);
    let due = match number {
        ..OVERDUE => -every / 10 - 4 - number as i64,
        OVERDUE..DUE => -(number as i64 - OVERDUE as i64),
        DUE..DUE_SOON => 1 + (number - DUE) as i64,
        _ => 12 + (hash(&[number as u64, 32]) % 60) as i64,
    };
    // One that was done is due again an interval later.
    let done = (number >= DUE).then_some(today + due - every);
    let input = MaintenanceInput {
        name: Some(name.to_owned()),
        trigger_mode: Some(MaintenanceTrigger::Schedule.into()),
        priority: Some(priority.to_owned()),
        due_date: Some(date_of(done.unwrap_or(today + due))),
        interval_days: Some(interval),
        ..MaintenanceInput::default()
    };
    let log = done.map(|day| MaintenanceLogInput {
        done_on: Some(date_of(day)),
        // Rupiah, in sen.
        cost: Some((350_000 + (hash(&[number as u64, 33]) % 56) as i64 * 50_000) * 100),
        vendor: Some(WORKSHOPS[number % WORKSHOPS.len()].to_owned()),
        parts: Some(parts.to_owned()),
        ..MaintenanceLogInput::default()
    });
    (number * 2 % FLEET.len(), input, log)
}
