//! Files in a bucket: what a store that speaks S3 is asked, by one that keeps objects in memory. It stands for the world
//! outside; everything on our side of the wire is what runs in production.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use armada_runtime::Secret;
use armada_testkit::{both_databases, eventually_equal};
use axum::{
    Router,
    body::Bytes,
    extract::{Query, Request, State},
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};

use crate::{
    documents::of_device,
    files::pdf,
    support::{Fleet, SOON, fleet_config, new_device, world},
};

const KEY_ID: &str = "AKIAARMADATEST";

/// Objects by their paths, uploads in parts among them.
#[derive(Clone, Default)]
struct Store(Arc<Mutex<BTreeMap<String, Bytes>>>);

impl Store {
    async fn serve(&self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().fallback(answer).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        format!("http://{address}")
    }

    fn keys(&self) -> Vec<String> {
        self.0.lock().unwrap().keys().cloned().collect()
    }
}

/// PutObject, GetObject, DeleteObject, and the four calls of an upload in parts.
async fn answer(
    State(store): State<Store>,
    Query(query): Query<BTreeMap<String, String>>,
    request: Request,
) -> Response {
    let signed = request.headers().get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !signed.starts_with(&format!("AWS4-HMAC-SHA256 Credential={KEY_ID}/")) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let body = axum::body::to_bytes(request.into_body(), 32 << 20).await.unwrap();
    let mut objects = store.0.lock().unwrap();
    let tagged = |status: StatusCode| (status, [("etag", "\"1\"")]).into_response();
    let part = |number: &str| format!("{path}?part={number:0>5}");
    match (method, query.get("partNumber"), query.contains_key("uploads"), query.contains_key("uploadId")) {
        (Method::POST, _, true, _) => {
            let id = "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>";
            id.into_response()
        }
        (Method::PUT, Some(number), ..) => {
            objects.insert(part(number), body);
            tagged(StatusCode::OK)
        }
        (Method::POST, _, _, true) => {
            let parts: Vec<_> = objects.keys().filter(|key| key.starts_with(&format!("{path}?"))).cloned().collect();
            let whole: Vec<u8> = parts.iter().flat_map(|key| objects.remove(key).unwrap()).collect();
            objects.insert(path, whole.into());
            "<CompleteMultipartUploadResult><ETag>\"1\"</ETag></CompleteMultipartUploadResult>".into_response()
        }
        (Method::PUT, ..) => {
            objects.insert(path, body);
            tagged(StatusCode::OK)
        }
        (Method::GET, ..) => match objects.get(&path) {
            Some(content) => {
                let modified = ("last-modified", "Tue, 24 Nov 2026 00:00:00 GMT");
                ([("etag", "\"1\""), modified], content.clone()).into_response()
            }
            None => (StatusCode::NOT_FOUND, "<Error><Code>NoSuchKey</Code></Error>").into_response(),
        },
        (Method::DELETE, ..) => {
            objects.retain(|key, _| !key.starts_with(&path));
            StatusCode::NO_CONTENT.into_response()
        }
        _ => StatusCode::METHOD_NOT_ALLOWED.into_response(),
    }
}

both_databases! {
    async fn files_are_kept_in_a_bucket(kind: Kind) -> anyhow::Result<()> {
        let world = world(kind).await;
        let store = Store::default();
        let endpoint = store.serve().await;
        let mut config = fleet_config(&world);
        config.files.url = Some("s3://fleet/scans".to_owned());
        config.files.endpoint = Some(endpoint);
        config.files.access_key = Some(KEY_ID.to_owned());
        config.files.secret_key = Some(Secret::new("a key of nobody".to_owned()));
        config.files.max_mb = 10;
        let fleet = Fleet::start_with(world, config).await;
        let company = fleet.company("Acme").await;
        let admin = &company.admin;
        let truck = fleet.create(admin, new_device("Truck")).await?;
        // One in a single call, and one that is too large for that.
        let (small, large) = (pdf(70_000), pdf(9_000_000));
        let mut ids = Vec::new();
        for content in [&small, &large] {
            let file = fleet.upload(admin, "scan.pdf", content).await?;
            assert_eq!(fleet.content(admin, &file.id).await?, *content);
            ids.push(file.id);
        }
        let key = |id: &String| format!("/fleet/scans/{}/{id}", company.id);
        assert_eq!(store.keys(), ids.iter().map(key).collect::<Vec<_>>(), "below the prefix, by tenant");
        assert!(fleet.upload(admin, "scan.pdf", &pdf((10 << 20) + 1)).await.is_err());
        assert_eq!(store.keys().len(), 2);

        let input = armada_proto::v1::DocumentInput { file_ids: Some(ids.join(",")), ..of_device(&truck) };
        let document = fleet.make_document(admin, input).await?;
        // Somebody has tidied up in the bucket.
        store.0.lock().unwrap().remove(&key(&ids[0]));
        assert_eq!(fleet.content(admin, &ids[0]).await.unwrap_err().code, "file_missing");
        fleet.remove_document(admin, &document.id).await?;
        eventually_equal("they are gone", SOON, 0, async || Ok(store.keys().len())).await;
        fleet.running.stop().await
    }
}
