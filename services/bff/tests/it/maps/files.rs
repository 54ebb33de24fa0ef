//! Map files: which there are, and how they are read.

use std::fs;

use anyhow::Context as _;
use armada_bff::rules::maps::Signatures;
use armada_proto::Timestamp;
use http::{Method, StatusCode};
use serde_json::json;

use super::{
    archive::{archive, basemap},
    stage::{LIST, Stage, assert_refused},
};
use crate::support::text;

#[tokio::test(flavor = "multi_thread")]
async fn lists_map_files_by_kind() -> anyhow::Result<()> {
    let stage = Stage::set_up(&["streets"]).await?;
    assert_eq!(stage.list().await?.len(), 1);
    let vector = archive(1, &basemap("4.7.0"))?;
    stage.write("Indonesia (z14).pmtiles", &vector)?;
    stage.write("aerial.pmtiles", &archive(3, &json!({}))?)?;
    stage.write("former.pmtiles", &archive(1, &basemap("3.4.0"))?)?;
    stage.write("other.pmtiles", &archive(1, &json!({ "vector_layers": [{ "id": "transportation" }] }))?)?;
    stage.write("text.pmtiles", b"no map")?;
    stage.write("unknown.pmtiles", &archive(9, &json!({}))?)?;
    let mut next = archive(1, &basemap("4.7.0"))?;
    next[7] = 4;
    stage.write("version.pmtiles", &next)?;
    stage.write(".indonesia.pmtiles", &vector)?;
    stage.write("notes.txt", b"not for here")?;

    let list = stage.list().await?;
    let source_of = |name: &str| list.iter().find(|source| source["id"] == name).cloned().unwrap_or_default();
    let url = text(&source_of("file-indonesia-z14")["url"]);
    assert!(url.starts_with("/api/v1/map-sources/file-indonesia-z14/file?until="), "{url}");
    let expected = json!({
        "id": "file-indonesia-z14", "name": "Indonesia (z14)", "kind": "pmtiles_vector", "url": url,
        "attribution": "© OSM", "min_zoom": 0, "max_zoom": 14, "bounds": [94.9, -11.1, 141.1, 6.1],
        "size": vector.len(),
    });
    assert_eq!(source_of("file-indonesia-z14"), expected);
    assert_eq!(source_of("file-aerial")["kind"], "pmtiles_raster");
    for (id, problem) in [
        ("file-former", "schema"),
        ("file-other", "schema"),
        ("file-text", "not_pmtiles"),
        ("file-unknown", "tile_type"),
        ("file-version", "version"),
    ] {
        assert_eq!((&source_of(id)["problem"], &source_of(id)["url"]), (&json!(problem), &json!("")), "{id}");
    }
    assert_eq!(list.len(), 8, "{list:?}");

    // Another content is seen, and what is gone is gone.
    stage.write("former.pmtiles", &archive(1, &basemap("4.0.0-with-another-length"))?)?;
    fs::remove_file(stage.folder.path().join("maps/text.pmtiles"))?;
    let list = stage.list().await?;
    let former = list.iter().find(|source| source["id"] == "file-former").context("it is there")?;
    assert!(former.get("problem").is_none() && list.len() == 7, "{list:?}");
    stage.site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_read_in_parts() -> anyhow::Result<()> {
    let stage = Stage::set_up(&[]).await?;
    let content = archive(1, &basemap("4.7.0"))?;
    stage.write("indonesia.pmtiles", &content)?;
    stage.write("former.pmtiles", &archive(1, &basemap("3.4.0"))?)?;
    let url = stage.url("file-indonesia").await?;
    let api = stage.site.running.api();
    let (headers, whole) = api.file(&url, &[("accept-encoding", "gzip")]).await?;
    assert_eq!(whole, content);
    let tag = headers["etag"].to_str()?.to_owned();
    for (name, value) in [("accept-ranges", "bytes"), ("content-type", "application/vnd.pmtiles")] {
        assert_eq!(headers[name], value, "{name}");
    }
    assert!(!headers.contains_key("content-encoding") && !tag.starts_with("W/"), "{headers:?}");

    let size = content.len();
    for (range, part) in [("bytes=0-6", 0..7), ("bytes=120-", 120..size), ("bytes=-6", size - 6..size)] {
        let (headers, read) = api.file(&url, &[("range", range), ("if-range", &tag)]).await?;
        assert_eq!(read, content[part.clone()], "{range}");
        let source_of = format!("bytes {}-{}/{size}", part.start, part.end - 1);
        assert_eq!((headers["content-range"].to_str()?, headers["etag"].to_str()?), (&*source_of, &*tag), "{range}");
        assert_eq!(headers["content-length"], part.len().to_string().as_str());
    }
    let ask = async |headers: &[(&str, &str)]| api.request(Method::GET, &url, headers, None).await;
    assert_eq!(ask(&[("range", "bytes=0-6")]).await?.status, StatusCode::PARTIAL_CONTENT);
    assert_eq!(ask(&[("range", "bytes=0-6"), ("if-range", "\"another\"")]).await?.status, StatusCode::OK);
    assert_eq!(ask(&[("if-none-match", &tag)]).await?.status, StatusCode::NOT_MODIFIED);
    let beyond = ask(&[("range", "bytes=100000-")]).await?;
    assert_refused(&beyond, StatusCode::RANGE_NOT_SATISFIABLE, "range_not_satisfiable");
    assert_eq!(beyond.headers["content-range"], format!("bytes */{size}").as_str());
    let head = api.request(Method::HEAD, &url, &[], None).await?;
    assert_eq!((head.status, &head.headers["content-length"]), (StatusCode::OK, &size.to_string().parse()?));

    // With the signature of another file, or with a right one for what cannot be shown.
    let (_, query) = url.split_once('?').context("a query")?;
    let foreign = api.get(&format!("{LIST}/file-former/file?{query}")).await?;
    assert_refused(&foreign, StatusCode::FORBIDDEN, "forbidden");
    let key = stage.site.running.context.of(armada_bff::NAME)?.service_key;
    for id in ["file-former", "file-nothing"] {
        let query = Signatures::new(&key)?.query(id, Timestamp::now());
        let reply = api.get(&format!("{LIST}/{id}/file?{query}")).await?;
        assert_refused(&reply, StatusCode::NOT_FOUND, "not_found");
    }
    stage.site.running.stop().await
}
