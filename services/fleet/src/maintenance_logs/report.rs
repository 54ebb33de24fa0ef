//! What a report of a completed maintenance says, in the language of whoever administers the tenant.

use std::{borrow::Cow, collections::BTreeMap, sync::LazyLock};

use armada_proto::{currency::to_major, v1::Locale};
use armada_runtime::{Error, Result};
use armada_tables::{
    Cell, Column, Table,
    pdf::{Document, Writer},
};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use serde::Deserialize;

use crate::entity::maintenance_log::Model;

#[derive(Deserialize)]
struct Texts {
    title: String,
    field: String,
    value: String,
    made_at: String,
    page: String,
    missing: String,
    yes: String,
    no: String,
    /// What stands between thousands, and before a fraction.
    separators: (char, char),
    rows: Rows,
}

/// What the rows are called.
#[derive(Deserialize)]
struct Rows {
    maintenance: String,
    vehicle: String,
    plate: String,
    done_on: String,
    due_date: String,
    due_odometer: String,
    due_engine_hours: String,
    late: String,
    odometer: String,
    engine_hours: String,
    vendor: String,
    cost: String,
    parts: String,
    notes: String,
}

static TEXTS: LazyLock<BTreeMap<String, Texts>> =
    LazyLock::new(|| serde_json::from_str(include_str!("report.json")).expect("the texts are well-formed"));

/// A report in the making.
pub struct Report {
    /// What the file is called.
    pub name: String,
    writer: Writer,
}

impl Report {
    /// Of what was completed.
    pub fn of(log: &Model, tenant: &str, zone: Tz, locale: Locale) -> Result<Self> {
        let language = match locale {
            Locale::En => "en",
            Locale::Zh => "zh",
            Locale::Jv => "jv",
            Locale::Id | Locale::Unspecified => "id",
        };
        let texts = TEXTS.get(language).ok_or_else(|| Error::internal("no texts of a language"))?;
        let mut writer = Writer::new(document(texts, language, tenant, zone));
        for (name, value) in rows(log, texts) {
            writer.row([Cell::Text(name.into()), value]).map_err(Error::internal)?;
        }
        let title: String = log.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).take(60).collect();
        Ok(Self { name: format!("{}-{title}-{}.pdf", texts.title, log.done_on), writer })
    }

    /// The file. This takes a while of computing.
    pub fn content(self) -> Result<Vec<u8>> {
        self.writer.finish().map_err(Error::internal)
    }
}

fn document(texts: &Texts, language: &str, tenant: &str, zone: Tz) -> Document {
    let made_at = DateTime::<Utc>::from(std::time::SystemTime::now()).with_timezone(&zone);
    let column = |heading: &str, width: f64| Column { heading: heading.to_owned(), width, numeric: false };
    Document {
        table: Table {
            title: texts.title.clone(),
            columns: vec![column(&texts.field, 24.0), column(&texts.value, 60.0)],
        },
        details: vec![
            ("Tenant".to_owned(), tenant.to_owned()),
            (texts.made_at.clone(), format!("{} ({})", made_at.format("%Y-%m-%d %H:%M:%S"), zone.name())),
        ],
        language: language.to_owned(),
        made_at: made_at.fixed_offset(),
        page_label: texts.page.clone(),
        empty: String::new(),
        missing: texts.missing.clone(),
        separators: texts.separators,
    }
}

/// What there is to say, by its name.
fn rows<'a>(log: &'a Model, texts: &'a Texts) -> Vec<(&'a str, Cell<'a>)> {
    let labels = &texts.rows;
    let text = |text: &'a str| (!text.is_empty()).then_some(Cell::Text(Cow::Borrowed(text)));
    let number = |number: i32| (number > 0).then_some(Cell::Number(number.into()));
    let late = if log.is_late { &texts.yes } else { &texts.no };
    let cost = Cell::Text(format!("{} {}", log.currency, whole(to_major(log.cost, &log.currency), texts)).into());
    let rows = [
        (&labels.maintenance, text(&log.name)),
        (&labels.vehicle, text(&log.device_name)),
        (&labels.plate, text(&log.vehicle_code)),
        (&labels.done_on, text(&log.done_on)),
        (&labels.due_date, text(&log.due_date)),
        (&labels.due_odometer, number(log.due_odometer)),
        (&labels.due_engine_hours, number(log.due_engine_hours)),
        (&labels.late, text(late)),
        (&labels.odometer, number(log.odometer)),
        (&labels.engine_hours, number(log.engine_hours)),
        (&labels.vendor, text(&log.vendor)),
        (&labels.cost, Some(cost)),
        (&labels.parts, text(&log.parts)),
        (&labels.notes, text(&log.notes)),
    ];
    rows.into_iter().filter_map(|(name, value)| Some((name.as_str(), value?))).collect()
}

/// An amount with its thousands apart; what is whole has no fraction.
fn whole(amount: f64, texts: &Texts) -> String {
    let (thousands, fraction) = texts.separators;
    let text = if amount.fract() == 0.0 { format!("{amount:.0}") } else { format!("{amount:.2}") };
    let (digits, rest) = text.split_once('.').unwrap_or((&text, ""));
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            grouped.push(thousands);
        }
        grouped.push(digit);
    }
    if rest.is_empty() { grouped } else { format!("{grouped}{fraction}{rest}") }
}
