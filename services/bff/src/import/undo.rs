//! A file that takes back what a job did, when it is imported.

use std::collections::BTreeMap;

use armada_proto::v1::{JobItem, JobRequest};
use armada_runtime::Error;
use axum::{
    extract::{Path, State},
    response::Response,
};
use futures::TryStreamExt;
use serde_json::{Map, Value};

use super::{
    columns::{CLEAR_MARK, Field, Kind, Meaning},
    file,
};
use crate::{
    auth::caller::Authenticated,
    clients::Clients,
    http::{
        failure::Answer,
        language::{self, Language},
        query::Query,
    },
    resources::imports::IMPORTS,
};

/// The file for a job of a service.
pub(crate) async fn get(
    State(clients): State<Clients>,
    Authenticated(caller): Authenticated,
    language: Language,
    Path((service, id)): Path<(String, String)>,
    query: Query,
) -> Answer<Response> {
    let mut jobs = clients.jobs(&service)?;
    let request = JobRequest { service, id };
    let job = jobs.get(caller.sign(request.clone())).await?.into_inner();
    let (_, subject, fields) =
        IMPORTS.iter().find(|(known, ..)| *known == job.resource).ok_or_else(Error::not_found)?;
    let mut pieces = jobs.get_undo(caller.sign(request)).await?.into_inner();
    let (mut items, mut total) = (Vec::new(), 0);
    while let Some(piece) = pieces.try_next().await? {
        total = piece.total as usize;
        items.extend(piece.items);
    }
    if items.len() < total {
        // It is being forgotten in this moment.
        return Err(Error::not_found().into());
    }
    let undone: Vec<_> = items.iter().filter_map(|item| UndoAction::of(item, fields)).collect();
    let used: Vec<_> =
        fields.iter().filter(|field| undone.iter().any(|row| row.cells.contains_key(field.name))).collect();
    let meanings = [Meaning::Id, Meaning::Action].into_iter().map(|meaning| meaning.name().to_owned());
    let headings = meanings.chain(used.iter().map(|field| field.name.to_owned())).collect();
    let rows = undone.into_iter().map(|row| row.shown(language, &used)).collect();
    Ok(file::respond(query, language, subject, "undo", headings, rows)?)
}

/// What takes back one act.
struct UndoAction<'a> {
    id: &'a str,
    is_deletion: bool,
    /// What fields were before.
    cells: BTreeMap<&'static str, Value>,
}

impl<'a> UndoAction<'a> {
    /// None for an act that changed nothing that a file can change back.
    fn of(item: &'a JobItem, fields: &'static [Field]) -> Option<Self> {
        let before: Map<String, Value> =
            item.before.as_deref().and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
        let cells = fields.iter().filter_map(|field| Some((field.name, before.get(field.name)?.clone())));
        let cells: BTreeMap<_, _> = cells.collect();
        match &*item.action {
            "create" => Some(Self { id: &item.item_id, is_deletion: true, cells: BTreeMap::new() }),
            "update" if !cells.is_empty() => Some(Self { id: &item.item_id, is_deletion: false, cells }),
            "delete" => Some(Self { id: "", is_deletion: false, cells }),
            _ => None,
        }
    }

    fn shown(&self, language: Language, fields: &[&'static Field]) -> Vec<String> {
        let action = if self.is_deletion { language::word(language, "", "action.delete") } else { String::new() };
        // What was removed is made anew: what it did not have needs not to be emptied.
        let empty = if self.id.is_empty() { "" } else { CLEAR_MARK };
        let cell = |field: &&'static Field| match self.cells.get(field.name) {
            Some(value) => Some(text(field, value)).filter(|text| !text.is_empty()).unwrap_or_else(|| empty.to_owned()),
            None => String::new(),
        };
        [self.id.to_owned(), action].into_iter().chain(fields.iter().map(cell)).collect()
    }
}

fn text(field: &Field, value: &Value) -> String {
    match (value, &field.kind) {
        (Value::String(text), _) => text.clone(),
        (Value::Bool(flag), Kind::Flag) => flag.to_string(),
        (Value::Null, _) => String::new(),
        (value, _) => value.to_string(),
    }
}
