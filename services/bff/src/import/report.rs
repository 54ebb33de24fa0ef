//! What came of the rows of a file, for people.

use armada_proto::v1::{ImportReport, ImportRowError, JobRequest};
use axum::{
    Json,
    extract::{Path, State},
};

use crate::{
    auth::caller::Authenticated,
    clients::Clients,
    http::{
        failure::{self, Answer, ApiError},
        language::Language,
    },
    resources::imports::IMPORTS,
};

/// What came of the rows of a file, as far as their job is.
pub(crate) async fn get(
    State(clients): State<Clients>,
    Authenticated(caller): Authenticated,
    language: Language,
    Path((service, id)): Path<(String, String)>,
) -> Answer<Json<ImportReport>> {
    let mut jobs = clients.jobs(&service)?;
    let request = JobRequest { service, id };
    let job = jobs.get(caller.sign(request.clone())).await?.into_inner();
    let report = jobs.get_import_report(caller.sign(request)).await?.into_inner();
    let subject = IMPORTS.iter().find(|(known, ..)| *known == job.resource).map_or("", |(_, subject, _)| *subject);
    let errors = report.errors.into_iter().map(|error| localized(language, subject, error)).collect();
    Ok(Json(ImportReport { errors, ..report }))
}

fn localized(language: Language, subject: &str, row: ImportRowError) -> ImportRowError {
    let ApiError { message, fields, conflicting, .. } = failure::localized_item(
        language,
        subject,
        &row.error,
        row.fields.into_iter().collect(),
        row.conflicting,
        row.limit,
    );
    ImportRowError { message, fields: fields.into_iter().collect(), conflicting, ..row }
}
