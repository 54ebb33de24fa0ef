//! Files that are taken in: CSV and Excel, whatever the resource. A file is looked at, tried out, and taken in as a job; a
//! row with an id changes that thing, one with the action `delete` removes it, every other one makes something new.

pub(crate) mod cells;
pub(crate) mod columns;
mod file;
pub(crate) mod lookup;
mod readers;
pub(crate) mod report;

use std::collections::BTreeMap;

use armada_proto::{
    import::{ImportRequest, Rows},
    v1::{ImportColumn, ImportField, ImportMode, ImportPreview, ImportRowError, Job},
};
use armada_runtime::{Caller, Code, Error, Result, Scope};
use armada_tables::read;
use axum::{Json, body::Bytes, response::Response};
use serde_json::{Map, Value};
use tonic::{Request, Status};

pub(crate) use self::{
    columns::{Field, Imported, Kind},
    file::{FILE_MAX, File},
    readers::FileReaders,
};

use self::{columns::Meaning, lookup::Names};
use crate::{
    clients::Clients,
    http::{
        failure::Answer,
        language::{self, Language},
        query::Query,
    },
    resources::jobs::Accepted,
};

/// Samples of a column.
const SAMPLES: usize = 3;
/// Characters of a heading and of a sample that are shown.
const SHOWN_MAX: usize = 200;

/// What a file seems to be.
pub(crate) async fn preview<I: Imported>(
    readers: &FileReaders,
    caller: &Caller,
    language: Language,
    query: Query,
    file: Bytes,
) -> Answer<Json<ImportPreview>> {
    let sheet = readers.read(caller, file, query.text("sheet")).await?;
    Ok(Json(seems::<I>(language, &sheet)))
}

/// An error for who may import nothing, before a file of theirs is read; `import` asks the service.
pub(crate) async fn check_rights<R, F>(caller: &Caller, import: F) -> Result<()>
where
    R: ImportRequest<Input: Imported>,
    F: AsyncFnOnce(Request<R>) -> Result<tonic::Response<Job>, Status>,
{
    let nothing = Rows { rows: Vec::new(), deleted_ids: Vec::new(), numbers: Vec::new(), wrong_rows: Vec::new() };
    import(caller.sign(R::new(nothing, ImportMode::DryRun))).await?;
    Ok(())
}

fn seems<I: Imported>(language: Language, sheet: &read::Sheet) -> ImportPreview {
    let meanings = columns::guessed(I::SUBJECT, I::FIELDS, &sheet.headings);
    let columns = sheet.headings.iter().zip(meanings).enumerate().map(|(index, (heading, meaning))| {
        let cells = sheet.rows.iter().map(|row| row.cells[index].trim()).filter(|cell| !cell.is_empty());
        ImportColumn {
            heading: cut(heading),
            samples: cells.take(SAMPLES).map(cut).collect(),
            field: meaning.map(|meaning| meaning.name().to_owned()).unwrap_or_default(),
        }
    });
    let own = I::FIELDS.iter().map(|field| ImportField {
        name: field.name.to_owned(),
        label: field.heading(language, I::SUBJECT),
        is_required: field.is_required,
        choices: field.choices(language),
    });
    let common = [Meaning::Id, Meaning::Action].map(|meaning| ImportField {
        name: meaning.name().to_owned(),
        label: language::word(language, I::SUBJECT, meaning.name()),
        is_required: false,
        choices: meaning.choices(language),
    });
    let fields = own.chain(common).collect();
    ImportPreview { rows: sheet.rows.len() as u32, columns: columns.collect(), fields }
}

/// An empty file with the headings that are understood; those with `*` something new must have.
pub(crate) fn template<I: Imported>(language: Language, query: Query) -> Answer<Response> {
    let headings = I::FIELDS.iter().map(|field| {
        let heading = field.heading(language, I::SUBJECT);
        if field.is_required { format!("{heading} *") } else { heading }
    });
    Ok(file::respond(query, language, I::SUBJECT, "template", headings.collect(), Vec::new())?)
}

/// Starts a job that tries out a file, or takes it in; `import` asks the service.
pub(crate) async fn run<R, F>(
    (clients, readers): (&Clients, &FileReaders),
    caller: &Caller,
    mut query: Query,
    file: Bytes,
    import: F,
) -> Answer<Accepted>
where
    R: ImportRequest<Input: Imported>,
    F: AsyncFnOnce(Request<R>) -> Result<tonic::Response<Job>, Status>,
{
    let sheet = readers.read(caller, file, query.text("sheet")).await?;
    let meanings = columns::given::<R::Input>(&mut query, &sheet.headings);
    let mode = mode(&mut query);
    let tenant = query.text("tenant_id");
    query.check()?;
    let mut names = Names::default();
    let asked = names_in(&meanings, &sheet);
    names.find(asked, clients, caller, tenant.as_deref()).await?;
    let parsed: Vec<_> = sheet.rows.iter().map(|row| Parsed::of::<R>(row, &meanings, &names)).collect();
    let is_new_in = tenant.filter(|_| caller.scope() == Scope::Platform);
    let (wrong, right): (Vec<_>, Vec<_>) = parsed.into_iter().partition(|row| !row.wrong.is_empty());
    let (deleted, written): (Vec<_>, Vec<_>) = right.into_iter().partition(|row| row.is_deleted);
    let rows = Rows {
        rows: written.iter().map(|row| row.input(is_new_in.as_ref())).collect::<Result<_>>()?,
        deleted_ids: deleted.iter().map(|row| row.id.clone()).collect(),
        numbers: written.iter().chain(&deleted).map(|row| row.number).collect(),
        wrong_rows: wrong.into_iter().map(Parsed::into_error).collect(),
    };
    if rows.numbers.is_empty() && rows.wrong_rows.is_empty() {
        return Err(Error::new(Code::Invalid, "import_empty", "no rows").into());
    }
    Ok(Accepted(import(caller.sign(R::new(rows, mode))).await?.into_inner()))
}

fn cut(text: &str) -> String {
    text.chars().take(SHOWN_MAX).collect()
}

fn mode(query: &mut Query) -> ImportMode {
    match query.text("mode").as_deref() {
        None | Some("dry_run") => ImportMode::DryRun,
        Some("all") => ImportMode::All,
        Some("valid") => ImportMode::Valid,
        Some(_) => {
            query.wrong("mode", "unknown");
            ImportMode::DryRun
        }
    }
}

/// The names that stand in the places of ids, by the service that lists what has them.
fn names_in<'a>(meanings: &[Option<Meaning>], sheet: &'a read::Sheet) -> Vec<(&'static str, &'a str)> {
    let named = meanings.iter().enumerate().filter_map(|(index, meaning)| match meaning {
        Some(Meaning::Field(Field { kind: Kind::Named { listed_by, .. }, .. })) => Some((index, *listed_by)),
        _ => None,
    });
    named.flat_map(|(index, service)| sheet.rows.iter().map(move |row| (service, row.cells[index].trim()))).collect()
}

/// A row of the file.
struct Parsed {
    number: u32,
    is_deleted: bool,
    id: String,
    fields: Map<String, Value>,
    /// Codes of what is wrong, by field.
    wrong: BTreeMap<String, String>,
}

impl Parsed {
    fn of<R: ImportRequest>(row: &read::Row, meanings: &[Option<Meaning>], names: &Names) -> Self {
        let number = u32::try_from(row.number).unwrap_or(u32::MAX);
        let mut parsed =
            Self { number, is_deleted: false, id: String::new(), fields: Map::new(), wrong: BTreeMap::new() };
        for (meaning, cell) in meanings.iter().zip(&row.cells) {
            let cell = cell.trim();
            match meaning {
                Some(_) if cell.is_empty() => {}
                Some(Meaning::Id) => parsed.id = cell.to_owned(),
                Some(Meaning::Action) => match cells::is_deletion(cell) {
                    Some(is_deletion) => parsed.is_deleted = is_deletion,
                    None => parsed.is_wrong("action", "unknown"),
                },
                Some(Meaning::Field(field)) => match cells::value(field, cell, names) {
                    Ok(value) => drop(parsed.fields.insert(field.name.to_owned(), value)),
                    Err(code) => parsed.is_wrong(field.name, code),
                },
                None => {}
            }
        }
        if parsed.is_deleted && parsed.id.is_empty() {
            parsed.is_wrong("id", "required");
        }
        if parsed.id.is_empty() {
            R::PRESETS.iter().for_each(|flag| drop(parsed.fields.insert((*flag).to_owned(), true.into())));
        }
        parsed
    }

    /// What is wrong with its cells.
    fn into_error(self) -> ImportRowError {
        let name = self.fields.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let (error, fields) = ("invalid".to_owned(), self.wrong.into_iter().collect());
        ImportRowError { row: self.number, name, error, fields, ..ImportRowError::default() }
    }

    fn is_wrong(&mut self, field: &str, code: &str) {
        self.wrong.insert(field.to_owned(), code.to_owned());
    }

    /// As the service takes it.
    fn input<I: Imported>(&self, tenant: Option<&String>) -> Result<I> {
        let mut fields = self.fields.clone();
        if let (Some(tenant), true) = (tenant, self.id.is_empty()) {
            fields.insert("tenant_id".to_owned(), tenant.clone().into());
        }
        let mut input: I = serde_json::from_value(Value::Object(fields)).map_err(Error::internal)?;
        input.set_id(self.id.clone());
        Ok(input)
    }
}
