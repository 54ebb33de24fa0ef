//! Files on their way in and out. What comes in goes on in pieces, as it comes; what goes out is for saving: a browser opens
//! none of it as a page of ours, whatever is in it.

use std::time::Duration;

use armada_proto::v1::{self, FileKind, GetRequest, UploadFileRequest, files_client::FilesClient};
use armada_runtime::{Context, Error, Result, Transport};
use axum::{
    Json,
    body::{Body, BodyDataStream},
    extract::{Path, Request, State},
    response::{IntoResponse, Response},
};
use futures::{StreamExt, TryStreamExt, stream};
use http::{
    HeaderMap, StatusCode,
    header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE},
};
use tokio::{
    sync::mpsc,
    time::{Instant, timeout_at},
};
use tokio_stream::wrappers::ReceiverStream;

use crate::{
    auth::caller::Authenticated,
    clients::Clients,
    http::{failure::Answer, headers::attachment, query::QueryMessage},
};

/// Pieces that wait for fleet.
const WAITING: usize = 4;
/// Bytes that are still read of what is refused, so that whoever sends hears why.
const DRAIN_MAX: usize = 32 << 20;
/// Bytes of a second that come at least, once it had time to begin.
const RATE_MIN: u64 = 4 << 10;
/// How long a file may come more slowly.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a file may take: fleet ends it before when nothing comes.
const TIMEOUT: Duration = Duration::from_secs(31 * 60);

/// The way by which files come in: a slow network takes longer than other calls.
#[derive(Clone)]
pub(crate) struct Uploads(FilesClient<Transport>);

impl Uploads {
    pub(crate) fn new(context: &Context) -> Result<Self> {
        let peers = context.peers.clone().with_deadline(TIMEOUT);
        Ok(Self(FilesClient::new(peers.transport("fleet")?)))
    }
}

/// Takes in the body as a file.
pub(crate) async fn upload(
    State(Uploads(mut files)): State<Uploads>,
    Authenticated(caller): Authenticated,
    QueryMessage(asked): QueryMessage<UploadFileRequest>,
    request: Request,
) -> Answer<(StatusCode, Json<v1::File>)> {
    let size = length(request.headers());
    let (pieces, received) = mpsc::channel(WAITING);
    tokio::spawn(forward_body(request.into_body().into_data_stream(), pieces));
    let first = stream::once(async move { UploadFileRequest { size, ..asked } });
    let file = files.upload(caller.sign(first.chain(ReceiverStream::new(received)))).await?;
    Ok((StatusCode::CREATED, Json(file.into_inner())))
}

/// Bytes of a body, as its head says; 0 where it does not.
fn length(headers: &HeaderMap) -> u64 {
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    length.unwrap_or_default()
}

/// Hands on what comes. What breaks off, or hardly comes, must not be taken for the end.
async fn forward_body(mut body: BodyDataStream, pieces: mpsc::Sender<UploadFileRequest>) {
    let (mut in_vain, mut received) = (0, 0_u64);
    // What fleet takes its time for is not the sender's fault.
    let mut begun = Instant::now();
    loop {
        let until = begun + PATIENCE + Duration::from_secs(received / RATE_MIN);
        let piece = match timeout_at(until, body.next()).await {
            Ok(Some(piece)) => piece.ok(),
            Ok(None) => return,
            Err(_) => None,
        };
        let piece = match piece {
            Some(content) => UploadFileRequest { content, ..UploadFileRequest::default() },
            None => UploadFileRequest { is_broken: true, ..UploadFileRequest::default() },
        };
        let bytes = piece.content.len();
        received += bytes as u64;
        let is_broken = piece.is_broken;
        let came = Instant::now();
        if pieces.send(piece).await.is_err() {
            in_vain += bytes;
        }
        begun += came.elapsed();
        if is_broken || in_vain > DRAIN_MAX {
            return;
        }
    }
}

/// The content of a file.
pub(crate) async fn content(
    State(clients): State<Clients>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Answer<Response> {
    let mut pieces = clients.files().content(caller.sign(GetRequest { id })).await?.into_inner();
    let first = pieces.message().await?.unwrap_or_default();
    let file = first.file.ok_or_else(|| Error::internal("a file without anything known of it"))?;
    let headers = [
        (CONTENT_TYPE, kind(file.kind()).to_owned()),
        (CONTENT_LENGTH, file.size.to_string()),
        (CONTENT_DISPOSITION, disposition(&file)),
        (CACHE_CONTROL, "private, no-store".to_owned()),
        // Should anybody get a browser to open it: without scripts, without an origin.
        (CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox".to_owned()),
    ];
    let body = pieces.map_ok(|piece| piece.content);
    Ok((headers, Body::from_stream(body)).into_response())
}

/// What it is, as it was found out when it came in.
fn kind(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Pdf => "application/pdf",
        FileKind::Jpeg => "image/jpeg",
        FileKind::Png => "image/png",
        FileKind::Webp => "image/webp",
        FileKind::Unspecified => "application/octet-stream",
    }
}

/// As what it is saved.
pub fn disposition(file: &v1::File) -> String {
    let extension = match file.kind() {
        FileKind::Pdf => "pdf",
        FileKind::Jpeg => "jpg",
        FileKind::Png => "png",
        FileKind::Webp => "webp",
        FileKind::Unspecified => "bin",
    };
    attachment(&format!("file.{extension}"), &file.name)
}
