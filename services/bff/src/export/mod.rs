//! Files of whole lists: CSV, Excel and PDF, with headings and words in the reader's language. The columns
//! are those that the contract gives the fields of a list's entries.

pub(crate) mod filters;
mod names;
mod pdf;
pub(crate) mod stream;
pub(crate) mod table;

use std::sync::Arc;

use armada_proto::ResourceList;
use armada_runtime::{Caller, Error};
use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use futures::{TryStream, TryStreamExt};
use http::header::{CONTENT_DISPOSITION, CONTENT_LANGUAGE, CONTENT_TYPE};
use tonic::{Request, Status, Streaming};

pub(crate) use self::{
    names::NamesOf,
    table::{Column, Exported, Format, Read, flag, joined},
};

use self::{
    names::Names,
    table::{Entry, Export, Named},
};
use crate::{
    clients::Clients,
    http::{
        failure::Answer,
        headers::attachment,
        language::Language,
        query::{FromQuery, Query},
    },
};

/// The file of a list that a query asks for; `ask` asks the service for the list.
pub(crate) async fn respond<Q, L, F>(
    clients: &Clients,
    caller: &Caller,
    language: Language,
    mut query: Query,
    ask: F,
) -> Answer<Response>
where
    Q: FromQuery,
    L: ResourceList<Item: Exported>,
    F: AsyncFnOnce(Request<Q>) -> Result<tonic::Response<Streaming<L>>, Status>,
{
    let request: Q = query.message();
    let export = Export::<L::Item>::asked(&mut query, language);
    query.check()?;
    let names_of = export.names_of();
    if names_of.iter().any(|(names_of, _)| !names_of.are_for(caller)) {
        return Err(Error::forbidden().into());
    }
    let pieces = ask(caller.sign(request)).await?.into_inner();
    let (clients_of_names, caller_of_names) = (clients.clone(), caller.clone());
    let entries = pieces.and_then(move |piece| {
        let (clients, caller, names_of) = (clients_of_names.clone(), caller_of_names.clone(), names_of.clone());
        async move { with_names(piece.into_items(), &names_of, &clients, &caller).await }
    });
    file(export, clients, caller, entries).await
}

/// The file. CSV and Excel are written while the entries come in: when these end with an error the connection is
/// cut, so that nobody takes a part for the whole. For PDF all of them have to be there first.
async fn file<T, S>(export: Export<T>, clients: &Clients, caller: &Caller, entries: S) -> Answer<Response>
where
    T: Exported,
    S: TryStream<Ok = Vec<Entry<T>>, Error = Status> + Send + 'static,
{
    let (kind, extension) = export.format.kind();
    let now = export.made_at.format("%Y%m%d-%H%M");
    let ending = format!("-{now}.{extension}");
    let disposition = attachment(&format!("{}{ending}", T::SUBJECT), &format!("{}{ending}", export.title()));
    let language = export.language.tag();
    let body = match export.format {
        Format::Csv => Body::from_stream(stream::csv(export, entries)),
        Format::Xlsx => Body::from_stream(stream::xlsx(export, entries)),
        Format::Pdf => Body::from(pdf::write(export, clients, caller, entries).await?),
    };
    let headers = [(CONTENT_TYPE, kind), (CONTENT_LANGUAGE, language), (CONTENT_DISPOSITION, &disposition)];
    Ok((headers, body).into_response())
}

async fn with_names<T: Exported>(
    rows: Vec<T>,
    names_of: &[Named<T>],
    clients: &Clients,
    caller: &Caller,
) -> Result<Vec<Entry<T>>, Status> {
    let mut names = Names::default();
    for (names_of, id) in names_of {
        names.add(*names_of, rows.iter().map(id), clients, caller).await?;
    }
    let names = Arc::new(names);
    Ok(rows.into_iter().map(|row| Entry { row, names: names.clone() }).collect())
}
