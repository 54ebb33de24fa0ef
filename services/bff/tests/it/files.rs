//! Files over HTTP: what is taken in, and how it goes out.

use armada_testkit::Kind;
use http::StatusCode;
use serde_json::json;

use crate::support::{Site, text};

/// A page that is a PDF as well, for whoever looks at the beginning alone.
const POLYGLOT: &[u8] = b"%PDF-1.7\n<!doctype html><script>alert(document.domain)</script>";

#[tokio::test(flavor = "multi_thread")]
async fn files_are_served_as_attachments_with_their_type() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    let api = &tenant.admin.api;
    let path = "/api/v1/files?name=STNK%20%22B%209120%22%20%E2%9C%93.pdf";
    // Whatever whoever sends it calls it.
    let file = api.upload(path, "text/html", POLYGLOT.to_vec()).await?.expect(StatusCode::CREATED);
    assert_eq!((text(&file["kind"]), &file["size"]), ("pdf".to_owned(), &json!(POLYGLOT.len())));
    let content = format!("/api/v1/files/{}/content", text(&file["id"]));
    let (headers, body) = api.file(&content, &[("accept-encoding", "gzip")]).await?;
    assert_eq!(body, POLYGLOT);
    for (name, value) in [
        ("content-type", "application/pdf"),
        (
            "content-disposition",
            "attachment; filename=\"file.pdf\"; filename*=UTF-8''STNK%20%22B%209120%22%20%E2%9C%93.pdf",
        ),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "private, no-store"),
    ] {
        assert_eq!(headers[name], value, "{name}");
    }
    assert_eq!(headers["content-length"], POLYGLOT.len().to_string().as_str());
    assert!(!headers.contains_key("content-encoding"));

    for (name, content, status) in [
        ("scan.pdf", b"<!doctype html><script>alert(1)</script>".to_vec(), StatusCode::UNPROCESSABLE_ENTITY),
        ("scan.html", POLYGLOT.to_vec(), StatusCode::UNPROCESSABLE_ENTITY),
        ("scan.pdf", Vec::new(), StatusCode::UNPROCESSABLE_ENTITY),
        // More than a server of JSON takes, and less than a file may have.
        ("scan.pdf", [b"%PDF-1.7".to_vec(), vec![0; (1 << 20) - 8]].concat(), StatusCode::CREATED),
        ("scan.pdf", [b"%PDF-1.7".to_vec(), vec![0; 4 << 20]].concat(), StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let reply = api.upload(&format!("/api/v1/files?name={name}"), "application/pdf", content).await?;
        let body = reply.expect(status);
        assert_eq!(body["fields"]["file"].is_string(), status != StatusCode::CREATED, "{body}");
    }
    let unnamed = api.upload("/api/v1/files", "application/pdf", POLYGLOT.to_vec()).await?;
    assert!(unnamed.expect(StatusCode::UNPROCESSABLE_ENTITY)["fields"]["name"].is_string());

    let document = json!({ "kind": "stnk", "device_id": truck.id, "file_ids": file["id"], "expires_on": "2020-01-31" });
    let made = api.post("/api/v1/documents", document).await?.expect(StatusCode::CREATED);
    assert_eq!((&made["state"], &made["files"][0]["id"]), (&json!("expired"), &file["id"]));
    let usage = api.get("/api/v1/files/usage").await?.expect(StatusCode::OK);
    assert_eq!(
        (&usage["used_bytes"], &usage["limit_bytes"]),
        (&json!((1 << 20) + POLYGLOT.len()), &json!(10_240_u64 << 20))
    );
    let (_, csv) = api.file("/api/v1/documents/export?format=csv", &[("accept-language", "en")]).await?;
    assert!(String::from_utf8_lossy(&csv).contains("Expired"));
    site.running.stop().await
}
