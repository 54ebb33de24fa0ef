//! Files that are taken in: CSV and Excel, whatever the resource. A file is looked at, tried out, and taken in as a job; a
//! row with an id changes that thing, one with the action `delete` removes it, every other one makes something new.

pub(crate) mod cells;
pub(crate) mod columns;
pub(crate) mod dates;
mod file;
mod given;
pub(crate) mod headings;
pub(crate) mod lookup;
mod mentions;
mod missing;
pub(crate) mod numbers;
mod preview;
mod readers;
pub(crate) mod report;
mod rows;

use armada_proto::{
    import::{ImportRequest, Rows},
    v1::{ImportMode, ImportPreview, Job},
};
use armada_runtime::{Caller, Code, Error, Result, Scope};
use armada_tables::read::{Row, Sheet};
use axum::{Json, body::Bytes, response::Response};
use tonic::{Request, Status};

pub(crate) use self::{
    columns::{Field, Imported, Kind},
    file::{FILE_MAX, File},
    readers::FileReaders,
};

use self::{
    columns::Meaning,
    headings::Known,
    lookup::Names,
    missing::Missing,
    rows::{Parsed, Proposals, Reading},
};
use crate::{
    clients::Clients,
    http::{failure::Answer, language::Language, query::Query},
    resources::jobs::Accepted,
};

/// What a file seems to be.
pub(crate) async fn preview<I: Imported>(
    readers: &FileReaders,
    caller: &Caller,
    language: Language,
    mut query: Query,
    file: Bytes,
) -> Answer<Json<ImportPreview>> {
    let sheet = readers.read(caller, file, query.text("sheet")).await?;
    let known = Known::new(I::SUBJECT, I::FIELDS);
    let top_rows = preview::top(&sheet);
    let sheet = headed(&mut query, &known, sheet)?;
    let understood = known.understood(&sheet.headings);
    Ok(Json(preview::of::<I>(language, sheet, understood, top_rows)))
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
    let known = Known::new(R::Input::SUBJECT, R::Input::FIELDS);
    let sheet = headed(&mut query, &known, sheet)?;
    let meanings = given::given::<R::Input>(&mut query, &known.understood(&sheet.headings));
    let (mode, proposals, is_made) = (mode(&mut query), proposals(&mut query), is_made(&mut query));
    let tenant = query.text("tenant_id");
    query.check()?;
    let is_new_in = tenant.clone().filter(|_| caller.scope() == Scope::Platform);
    let mut names = look_up(&meanings, &sheet.rows, clients, caller, tenant.as_deref()).await?;
    let mentions = mentions::in_rows(&meanings, sheet.rows.iter(), &names);
    let mut missing = Missing::new(&mentions, &names, caller, is_new_in.clone(), is_made)?;
    if mode != ImportMode::DryRun && is_made {
        let reading = Reading::new(&meanings, &sheet.rows, &names, &missing, proposals);
        let taken = reading.taken::<R>(&sheet.rows, mode).await;
        let needed = mentions::in_rows(&meanings, taken.into_iter(), &names);
        missing.make(&needed, clients, readers, &mut names).await?;
    }
    let reading = Reading::new(&meanings, &sheet.rows, &names, &missing, proposals);
    let rows = rows_of(reading.rows::<R>(&sheet.rows).await, is_new_in.as_ref())?;
    let mut job = import(caller.sign(R::new(rows, mode))).await?.into_inner();
    job.missing = missing.told();
    Ok(Accepted(job))
}

/// What has the names in a table.
async fn look_up(
    meanings: &[Option<Meaning>],
    rows: &[Row],
    clients: &Clients,
    caller: &Caller,
    tenant: Option<&str>,
) -> Result<Names> {
    let mut names = Names::default();
    let mentions = mentions::in_rows(meanings, rows.iter(), &names);
    let wholes = mentions::wholes(meanings, rows);
    let asked = mentions::asked(mentions.iter().chain(&wholes));
    names.find(asked.clone(), clients, caller, tenant).await?;
    for service in missing::makers() {
        let of_it = asked.iter().filter(|(listed_by, _)| *listed_by == service).map(|(_, name)| name.as_str());
        names.find_alike(service, &of_it.collect(), clients, caller, tenant).await?;
    }
    Ok(names)
}

/// The table below its headings: in the row that the query names, or where they seem to be.
fn headed(query: &mut Query, known: &Known, sheet: Sheet) -> Result<Sheet> {
    let number = match query.text("heading_row").map(|number| number.parse()) {
        None => known.heading_row(&sheet),
        Some(Ok(number)) => number,
        Some(Err(_)) => return Err(Error::field("heading_row", "invalid_number")),
    };
    let sheet = sheet.headed_by(number).ok_or_else(|| Error::field("heading_row", "unknown"))?;
    if sheet.rows.len() > file::ROWS_MAX {
        return Err(Error::new(Code::Invalid, "import_too_many_rows", "too many rows"));
    }
    Ok(sheet)
}

/// What a service is asked: what is known to be wrong is asked as well, as far as it can be.
fn rows_of<I: Imported>(parsed: Vec<Parsed>, tenant: Option<&String>) -> Result<Rows<I>> {
    if parsed.is_empty() {
        return Err(Error::new(Code::Invalid, "import_empty", "no rows"));
    }
    let wrong_rows = parsed.iter().filter_map(Parsed::error).collect();
    let (deleted, written): (Vec<_>, Vec<_>) =
        parsed.into_iter().filter(Parsed::can_be_tried).partition(|row| row.is_deleted);
    Ok(Rows {
        rows: written.iter().map(|row| row.input(tenant)).collect::<Result<_>>()?,
        deleted_ids: deleted.iter().map(|row| row.id.clone()).collect(),
        numbers: written.iter().chain(&deleted).map(|row| row.number).collect(),
        wrong_rows,
    })
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

fn proposals(query: &mut Query) -> Proposals {
    match query.text("proposals").as_deref() {
        None => Proposals::Ask,
        Some("take") => Proposals::Take,
        Some("leave") => Proposals::Leave,
        Some(_) => {
            query.wrong("proposals", "unknown");
            Proposals::Ask
        }
    }
}

/// Whether what the file names and is not there is made.
fn is_made(query: &mut Query) -> bool {
    match query.text("create_missing").as_deref() {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => {
            query.wrong("create_missing", "invalid");
            false
        }
    }
}
