//! PDF: made when all entries are there, so what goes wrong is told before a file begins.

use std::{sync::LazyLock, time::Duration};

use armada_runtime::{Caller, Code, Error};
use armada_tables::pdf::{self, Document, Writer};
use axum::body::Bytes;
use futures::{TryStream, TryStreamExt};
use tokio::sync::oneshot;

use super::{
    filters,
    table::{Entry, Export, Exported},
};
use crate::{
    clients::Clients,
    http::{failure::Answer, language},
    limits::heavy::SharedTurns,
};

/// Files made at a time, each of them by a thread that computes for a second or two; one for each tenant.
static MAKERS: LazyLock<SharedTurns> = LazyLock::new(|| SharedTurns::new(2, WAIT_TIMEOUT));
/// How long a file waits for its turn.
const WAIT_TIMEOUT: Duration = Duration::from_secs(10);

/// The whole file.
pub(super) async fn write<T, S>(export: Export<T>, clients: &Clients, caller: &Caller, entries: S) -> Answer<Bytes>
where
    T: Exported,
    S: TryStream<Ok = Vec<Entry<T>>, Error = tonic::Status> + Send + 'static,
{
    let mut writer = Writer::new(document(&export, clients, caller).await?);
    let mut entries = std::pin::pin!(entries.into_stream());
    while let Some(piece) = entries.try_next().await? {
        for entry in piece {
            writer.row(export.row(&entry)).map_err(refused)?;
        }
    }
    let turn = MAKERS.turn(caller.scope().tenant()).await?;
    let (done, file) = oneshot::channel();
    let make = move || {
        let _turn = turn;
        // Nobody waits for it when the reader is gone.
        let _ = done.send(writer.finish());
    };
    std::thread::Builder::new().name("pdf".to_owned()).spawn(make).map_err(Error::internal)?;
    let file = file.await.map_err(Error::internal)?.map_err(refused)?;
    Ok(Bytes::from(file))
}

fn refused(error: pdf::Error) -> Error {
    match error {
        pdf::Error::TooManyRows => {
            Error::new(Code::Invalid, "too_many_rows", error.to_string()).with_field("format", "too_many_rows")
        }
        pdf::Error::Failed(_) => Error::internal(error),
    }
}

/// What stands around the table, in the reader's language.
async fn document<T: Exported>(export: &Export<T>, clients: &Clients, caller: &Caller) -> Answer<Document> {
    let language = export.language;
    let word = |name: &str| language::word(language, T::SUBJECT, name);
    let mut details = Vec::new();
    if let Some((whose, name)) = filters::tenant(export, clients, caller).await? {
        details.push((word(whose), name));
    }
    let filters = filters::words(export, clients, caller).await?;
    if !filters.is_empty() {
        details.push((word("filter"), filters.join("; ")));
    }
    let zone = export.zone.name();
    details.push((word("made_at"), format!("{} ({zone})", export.made_at.format("%Y-%m-%d %H:%M:%S"))));
    Ok(Document {
        table: export.table(),
        details,
        language: language.tag().to_owned(),
        made_at: export.made_at.fixed_offset(),
        page_label: word("page_of"),
        empty: word("no_rows"),
        missing: word("missing_glyphs"),
        separators: language.separators(),
    })
}
