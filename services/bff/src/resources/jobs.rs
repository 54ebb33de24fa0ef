//! Long work: each service has jobs of its own, and what went wrong with an item is told as if it had been done alone.

use armada_proto::v1::{Job, JobItem, JobItemList, JobList, JobRequest, ListJobItemsRequest, ListJobsRequest};
use armada_runtime::{Code, Error};
use axum::{
    Json,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use http::{StatusCode, header::LOCATION};

use crate::{
    auth::caller::Authenticated,
    clients::Clients,
    http::{
        failure::{self, Answer, ApiError},
        language::Language,
        query::QueryMessage,
    },
};

/// A job that was started: 202, with its address.
pub(crate) struct Accepted(pub(crate) Job);

impl IntoResponse for Accepted {
    fn into_response(self) -> Response {
        let address = format!("/api/v1/jobs/{}/{}", self.0.service, self.0.id);
        (StatusCode::ACCEPTED, [(LOCATION, address)], Json(self.0)).into_response()
    }
}

/// The jobs of a service.
pub(crate) async fn list(
    State(clients): State<Clients>,
    Authenticated(caller): Authenticated,
    language: Language,
    QueryMessage(request): QueryMessage<ListJobsRequest>,
) -> Answer<Json<JobList>> {
    if request.service.is_empty() {
        return Err(Error::field("service", "required").into());
    }
    let list = clients.jobs(&request.service)?.list(caller.sign(request)).await?.into_inner();
    let items = list.items.into_iter().map(|job| localized(language, job)).collect();
    Ok(Json(JobList { items, ..list }))
}

/// One of them.
pub(crate) async fn get(
    State(clients): State<Clients>,
    Authenticated(caller): Authenticated,
    language: Language,
    Path((service, id)): Path<(String, String)>,
) -> Answer<Json<Job>> {
    let job = clients.jobs(&service)?.get(caller.sign(JobRequest { service, id })).await?;
    Ok(Json(localized(language, job.into_inner())))
}

/// What became of its items.
pub(crate) async fn list_items(
    State(clients): State<Clients>,
    Authenticated(caller): Authenticated,
    language: Language,
    Path((service, id)): Path<(String, String)>,
    QueryMessage(request): QueryMessage<ListJobItemsRequest>,
) -> Answer<Json<JobItemList>> {
    let mut jobs = clients.jobs(&service)?;
    let list = jobs.list_items(caller.sign(ListJobItemsRequest { service, id, ..request })).await?.into_inner();
    // As the paths of its own acts begin.
    let subject = format!("{}s", list.resource);
    let items = list.items.into_iter().map(|item| localized_item(language, &subject, item)).collect();
    Ok(Json(JobItemList { items, ..list }))
}

/// Starts one that takes back what another one did.
pub(crate) async fn undo(
    State(clients): State<Clients>,
    Authenticated(caller): Authenticated,
    Path((service, id)): Path<(String, String)>,
) -> Answer<Accepted> {
    let job = clients.jobs(&service)?.undo(caller.sign(JobRequest { service, id })).await?;
    Ok(Accepted(job.into_inner()))
}

/// Stops one.
pub(crate) async fn cancel(
    State(clients): State<Clients>,
    Authenticated(caller): Authenticated,
    language: Language,
    Path((service, id)): Path<(String, String)>,
) -> Answer<Json<Job>> {
    let job = clients.jobs(&service)?.cancel(caller.sign(JobRequest { service, id })).await?;
    Ok(Json(localized(language, job.into_inner())))
}

fn localized(language: Language, mut job: Job) -> Job {
    if let Some(code) = &job.error {
        let error = Error::new(Code::Internal, code, "");
        job.message = Some(failure::localized(language, "jobs", &error).message);
    }
    job
}

fn localized_item(language: Language, subject: &str, item: JobItem) -> JobItem {
    let Some(code) = &item.error else { return item };
    let ApiError { message, fields, conflicting, .. } =
        failure::localized_item(language, subject, code, item.fields, item.conflicting, item.limit);
    JobItem { message: Some(message), fields: fields.into_iter().collect(), conflicting, ..item }
}
