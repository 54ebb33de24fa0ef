//! What stands in front of the methods of a service: it answers a call that was made before as it was answered then.

use std::{convert::Infallible, sync::atomic::Ordering, time::Duration};

use axum::{
    body::{Body, Bytes},
    extract::Request,
    middleware::{Next, from_fn},
    response::Response,
};
use futures::stream;
use http::{HeaderMap, HeaderValue, header::CONTENT_TYPE};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tonic::{Status, service::Routes};
use tracing::Instrument;

use super::{Attempt, CURRENT, PURPOSE, apart, repeated, under};
use crate::{
    auth::{Caller, IDEMPOTENCY_DIGEST, IDEMPOTENCY_KEY, is_idempotency_key},
    db::Database,
    error::{Error, Result},
};

/// How long a call goes on whose caller has left.
const UNATTENDED_MAX: Duration = Duration::from_secs(120);

/// Puts it in front of a service's routes.
pub(crate) fn once(routes: Routes, db: Database) -> Routes {
    let answer = move |request: Request, next: Next| {
        let db = db.clone();
        async move {
            match begin(&request) {
                // Nor is it a part of a call of another service that waits for it.
                Ok(None) => apart(next.run(request)).await,
                Ok(Some((attempt, key))) => {
                    let answered = answer_once(attempt, key, db, request, next).await;
                    answered.unwrap_or_else(|error| Status::from(error).into_http())
                }
                Err(error) => Status::from(error).into_http(),
            }
        }
    };
    Routes::from(routes.into_axum_router().layer(from_fn(answer)))
}

/// The try that a call is, and its key; none if it brings no key, or if no user makes it.
fn begin(request: &Request) -> Result<Option<(Attempt, String)>> {
    let text = |name| request.headers().get(name).map(|value: &HeaderValue| value.to_str().unwrap_or_default());
    let Some(key) = text(IDEMPOTENCY_KEY) else { return Ok(None) };
    let Some(grant) = request.extensions().get::<Caller>().and_then(|caller| caller.grant.as_ref()) else {
        return Ok(None);
    };
    if !is_idempotency_key(key) {
        return Err(Error::field("Idempotency-Key", "invalid"));
    }
    let asked = text(IDEMPOTENCY_DIGEST).unwrap_or_default();
    Ok(Some((Attempt::new(grant.user_id, request.uri().path(), key, asked)?, key.to_owned())))
}

async fn answer_once(attempt: Attempt, key: String, db: Database, request: Request, next: Next) -> Result<Response> {
    if let Some(earlier) = attempt.earlier(&db).await? {
        let answer = earlier.answer.ok_or_else(repeated)?;
        return Ok(as_before(under(&key)?.open(PURPOSE, &answer)?.ok_or_else(repeated)?));
    }
    // Whoever asks may not wait for the answer, and wants it when they ask again.
    let done = async move {
        let response = CURRENT.scope(Some(attempt.clone()), next.run(request)).await;
        if !attempt.is_recorded.load(Ordering::Relaxed) {
            return Ok(response);
        }
        let (head, body) = response.into_parts();
        let body = body.collect().await.map_err(Error::internal)?;
        let trailers = body.trailers().cloned();
        let bytes = body.to_bytes();
        if trailers.as_ref().is_some_and(is_ok)
            && let Err(error) = attempt.keep(&db, &key, &bytes).await
        {
            tracing::warn!(%error, "the answer of a call with an idempotency key was not kept");
        }
        Ok(Response::from_parts(head, with_trailers(bytes, trailers)))
    };
    let left = CancellationToken::new();
    let _here = left.clone().drop_guard();
    let done = async move {
        tokio::select! {
            done = done => done,
            () = async { left.cancelled().await; sleep(UNATTENDED_MAX).await } => Err(Error::unavailable("it took too long")),
        }
    };
    tokio::spawn(done.in_current_span()).await.map_err(Error::internal)?
}

fn is_ok(trailers: &HeaderMap) -> bool {
    trailers.get("grpc-status").is_some_and(|status| status == "0")
}

/// What was answered before, as a call of gRPC is answered.
fn as_before(answer: Vec<u8>) -> Response {
    let trailers = HeaderMap::from_iter([(Status::GRPC_STATUS, HeaderValue::from_static("0"))]);
    let mut response = Response::new(with_trailers(answer.into(), Some(trailers)));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    response
}

fn with_trailers(bytes: Bytes, trailers: Option<HeaderMap>) -> Body {
    let frames = [Some(Frame::data(bytes)), trailers.map(Frame::trailers)];
    Body::new(StreamBody::new(stream::iter(frames.into_iter().flatten().map(Ok::<_, Infallible>))))
}
