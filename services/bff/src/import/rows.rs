//! The rows of a file as a service takes them.

use std::collections::{BTreeMap, HashSet};

use armada_proto::{
    import::ImportRequest,
    v1::{ImportMode, ImportRowError},
};
use armada_runtime::{Error, Result};
use armada_tables::read::{CellKind, Row};
use serde_json::{Map, Value};
use tokio::task::yield_now;
use uuid::Uuid;

use super::{
    cells::{self, Writing, Wrong},
    columns::{CLEAR_MARK, Field, Imported, Kind, Meaning},
    dates::Order,
    lookup::Names,
    mentions::Mention,
    missing::Missing,
    numbers::Fraction,
};

/// Characters that are told of a cell.
const VALUE_MAX: usize = 100;
/// Rows that are read without a pause.
const ROWS_AT_ONCE: usize = 200;

/// What is done with cells for which something else is proposed than what they say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Proposals {
    /// They are wrong: somebody has to say.
    #[default]
    Ask,
    /// What is proposed stands there.
    Take,
    /// They stay as they are.
    Leave,
}

/// What the cells of a table mean.
pub(super) struct Reading<'a> {
    meanings: &'a [Option<Meaning>],
    writings: Vec<Writing>,
    names: &'a Names,
    missing: &'a Missing<'a>,
    proposals: Proposals,
}

impl<'a> Reading<'a> {
    pub(super) fn new(
        meanings: &'a [Option<Meaning>],
        rows: &[Row],
        names: &'a Names,
        missing: &'a Missing<'a>,
        proposals: Proposals,
    ) -> Self {
        Self { meanings, writings: writings(meanings, rows), names, missing, proposals }
    }

    /// All of these rows, with pauses in which others come to work.
    pub(super) async fn rows<R: ImportRequest>(&self, rows: &[Row]) -> Vec<Parsed> {
        let mut parsed = Vec::with_capacity(rows.len());
        for rows in rows.chunks(ROWS_AT_ONCE) {
            parsed.extend(rows.iter().map(|row| self.row::<R>(row)));
            yield_now().await;
        }
        tell_repeated_ids(&mut parsed);
        parsed
    }

    /// The rows for which what they name is made: none that remove something or have a wrong cell, and of a file that is
    /// taken in as a whole none when any has.
    pub(super) async fn taken<'r, R: ImportRequest>(&self, rows: &'r [Row], mode: ImportMode) -> Vec<&'r Row> {
        let parsed = self.rows::<R>(rows).await;
        if mode == ImportMode::All && parsed.iter().any(|row| !row.wrong.is_empty()) {
            return Vec::new();
        }
        let taken = rows.iter().zip(parsed).filter(|(_, parsed)| !parsed.is_deleted && parsed.wrong.is_empty());
        taken.map(|(row, _)| row).collect()
    }

    /// A row, with all that is wrong with its cells.
    fn row<R: ImportRequest>(&self, row: &Row) -> Parsed {
        let number = u32::try_from(row.number).unwrap_or(u32::MAX);
        let mut parsed = Parsed { number, ..Parsed::default() };
        for (at, cell) in row.cells.iter().enumerate() {
            let cell = cells::text(cell);
            match self.meanings.get(at).copied().flatten() {
                Some(_) if cell.is_empty() => {}
                Some(Meaning::Id) => parsed.id = cell.to_owned(),
                Some(Meaning::Action) => match cells::is_deletion(cell) {
                    Some(is_deletion) => parsed.is_deleted = is_deletion,
                    None => parsed.is_wrong("action", "unknown".into(), cell),
                },
                Some(Meaning::Field(field)) => self.field(&mut parsed, field, row, at, cell),
                None => {}
            }
        }
        if parsed.is_deleted && parsed.id.is_empty() {
            parsed.is_wrong("id", "required".into(), "");
        }
        if parsed.id.is_empty() {
            R::PRESETS.iter().for_each(|flag| drop(parsed.fields.insert((*flag).to_owned(), true.into())));
        }
        parsed
    }

    fn field(&self, parsed: &mut Parsed, field: &'static Field, row: &Row, at: usize, cell: &str) {
        let value = match field.kind {
            Kind::Named { .. } if cell != CLEAR_MARK => return self.named(parsed, field, row, cell),
            _ => cells::value(field, cell, row.kinds[at], self.writings[at]),
        };
        let value = match (value, self.proposals) {
            (Err(Wrong { proposal: Some(proposal), .. }), Proposals::Take) => Ok(proposal.into()),
            (Err(Wrong { proposal: Some(_), .. }), Proposals::Leave) => Ok(cell.into()),
            (value, _) => value,
        };
        match value {
            Ok(value) => drop(parsed.fields.insert(field.name.to_owned(), value)),
            Err(wrong) => parsed.is_wrong(field.name, wrong, cell),
        }
    }

    /// The ids of names. What is made for the file is left out while it is only tried out.
    fn named(&self, parsed: &mut Parsed, field: &'static Field, row: &Row, cell: &str) {
        let mentions = match Mention::all(field, row, self.meanings, cell, self.names) {
            Ok(mentions) => mentions,
            Err(code) => return parsed.is_wrong(field.name, code.into(), cell),
        };
        let (mut ids, mut wrong) = (Vec::new(), Vec::new());
        for mention in mentions {
            match mention.id(self.names) {
                Ok(id) if ids.contains(&id) => {}
                Ok(id) => ids.push(id),
                Err("unknown") => wrong.extend(self.missing.code(&mention).map(|code| (code, mention.name))),
                Err(code) => wrong.push((code, mention.name)),
            }
        }
        match wrong.first() {
            Some((code, _)) => {
                let names: Vec<_> = wrong.iter().map(|(_, name)| *name).collect();
                parsed.is_wrong(field.name, (*code).into(), &names.join(", "));
            }
            None if ids.is_empty() => {}
            None => drop(parsed.fields.insert(field.name.to_owned(), ids.join(",").into())),
        }
    }
}

/// A row that names what an earlier one does is wrong: it is not said which of them holds.
fn tell_repeated_ids(rows: &mut [Parsed]) {
    let mut seen = HashSet::new();
    for row in rows.iter_mut().filter(|row| !row.id.is_empty()) {
        let id = Uuid::try_parse(&row.id).map_or_else(|_| row.id.clone(), |id| id.to_string());
        if !seen.insert(id) {
            let cell = row.id.clone();
            row.is_wrong("id", "repeated".into(), &cell);
        }
    }
}

/// How the cells of each column are written. Numbers are in one file as in other columns, where their own does not tell.
fn writings(meanings: &[Option<Meaning>], rows: &[Row]) -> Vec<Writing> {
    let plain = |at: usize| {
        let cells = rows.iter().filter(move |row| row.kinds[at] != CellKind::Number);
        cells.map(move |row| cells::text(&row.cells[at]))
    };
    let is_number = |at: &usize| match meanings[*at] {
        Some(Meaning::Field(field)) => matches!(field.kind, Kind::Number | Kind::Decimal),
        _ => false,
    };
    let in_file = Fraction::of((0..meanings.len()).filter(is_number).flat_map(plain));
    let writing = |(at, meaning): (usize, &Option<Meaning>)| match meaning {
        Some(Meaning::Field(Field { kind: Kind::Date, .. })) => {
            Writing { order: Order::of(plain(at)), ..Writing::default() }
        }
        _ if is_number(&at) => Writing { fraction: Fraction::of(plain(at)).or(in_file), ..Writing::default() },
        _ => Writing::default(),
    };
    meanings.iter().enumerate().map(writing).collect()
}

/// A row of the file.
#[derive(Default)]
pub(super) struct Parsed {
    pub(super) number: u32,
    pub(super) is_deleted: bool,
    pub(super) id: String,
    fields: Map<String, Value>,
    /// Codes of what is wrong, by field; what stands there; and what would do.
    wrong: BTreeMap<String, String>,
    values: BTreeMap<String, String>,
    proposals: BTreeMap<String, String>,
}

impl Parsed {
    fn is_wrong(&mut self, field: &str, Wrong { code, proposal }: Wrong, cell: &str) {
        self.wrong.insert(field.to_owned(), code.to_owned());
        let value: String = cell.chars().take(VALUE_MAX).collect();
        self.values.extend(Some(value).filter(|value| !value.is_empty()).map(|value| (field.to_owned(), value)));
        self.proposals.extend(proposal.map(|proposal| (field.to_owned(), proposal)));
    }

    /// Whether a service can say what else is wrong with it: not of one that says that it removes, but not what, and not of
    /// one that is about the same as an earlier one.
    pub(super) fn can_be_tried(&self) -> bool {
        self.wrong.is_empty()
            || !self.is_deleted && !self.wrong.keys().any(|field| ["action", "id"].contains(&field.as_str()))
    }

    /// What is wrong with its cells, if anything is.
    pub(super) fn error(&self) -> Option<ImportRowError> {
        if self.wrong.is_empty() {
            return None;
        }
        Some(ImportRowError {
            row: self.number,
            name: self.fields.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
            error: "invalid".to_owned(),
            fields: self.wrong.clone(),
            values: self.values.clone(),
            proposals: self.proposals.clone(),
            ..ImportRowError::default()
        })
    }

    /// As the service takes it.
    pub(super) fn input<I: Imported>(&self, tenant: Option<&String>) -> Result<I> {
        let mut fields = self.fields.clone();
        if let (Some(tenant), true) = (tenant, self.id.is_empty()) {
            fields.insert("tenant_id".to_owned(), tenant.clone().into());
        }
        let mut input: I = serde_json::from_value(Value::Object(fields)).map_err(Error::internal)?;
        input.set_id(self.id.clone());
        Ok(input)
    }
}
