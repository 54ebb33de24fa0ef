//! Street maps: tiles of a source that these tests play, files that they write, and who gets them.

mod archive;
mod files;
mod stage;

use std::{
    fs,
    time::{Duration, SystemTime},
};

use anyhow::Context as _;
use armada_bff::{Config, Limits, rules::maps::Signatures};
use armada_proto::Timestamp;
use armada_testkit::{Api, Kind};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use self::{
    archive::{archive, basemap},
    stage::{KEY, LIST, Stage, assert_refused, picture},
};
use crate::support::{Site, text};

#[tokio::test(flavor = "multi_thread")]
async fn sources_are_listed_without_their_keys() -> anyhow::Result<()> {
    let stage = Stage::set_up(&["streets", "page"]).await?;
    let anonymous = stage.site.running.api();
    assert_refused(&anonymous.get(LIST).await?, StatusCode::UNAUTHORIZED, "unauthenticated");
    let list = stage.list().await?;
    assert_eq!(list.iter().map(|source| text(&source["id"])).collect::<Vec<_>>(), ["streets", "page"]);
    let [streets, _] = &list[..] else { panic!("{list:?}") };
    let url = text(&streets["url"]);
    assert!(url.starts_with("/api/v1/map-sources/streets/{z}/{x}/{y}?until="), "{url}");
    let expected = json!({
        "id": "streets", "name": "All streets", "kind": "raster_tiles", "url": url, "attribution": "© somebody",
        "min_zoom": 0, "max_zoom": 4,
    });
    assert_eq!(*streets, expected, "what is not known is not there");
    let reply = stage.site.owner.api.request(Method::GET, LIST, &[("accept-encoding", "gzip")], None).await?;
    assert!(!reply.headers.contains_key("content-encoding"), "it has signatures in it");
    stage.site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn tile_urls_are_valid_by_signature() -> anyhow::Result<()> {
    let stage = Stage::set_up(&["streets", "page"]).await?;
    let url = stage.url("streets").await?;
    let (path, query) = url.split_once('?').context("a query")?;
    let (until, signature) = query.split_once('&').context("two parts")?;
    let of_page = stage.url("page").await?;
    let of_page = of_page.split_once('?').context("a query")?.1.to_owned();
    let key = stage.site.running.context.of(armada_bff::NAME)?.service_key;
    let old = Signatures::new(&key)?.query("streets", Timestamp::from_millis(1_700_000_000_000));
    let last = signature.chars().last().context("a signature")?;
    let forged = format!("{}{}", &signature[..signature.len() - 1], if last == '0' { '1' } else { '0' });
    for query in [
        String::new(),
        until.to_owned(),
        signature.to_owned(),
        format!("{until}&signature="),
        format!("{until}&signature=zz"),
        format!("{until}&{forged}"),
        format!("until=4000000000&{signature}"),
        of_page,
        old,
    ] {
        let reply = stage.tile(&format!("{path}?{query}"), 1, 0, 0).await?;
        assert_refused(&reply, StatusCode::FORBIDDEN, "forbidden");
    }
    assert_eq!(stage.server.request_count("streets"), 0);
    stage.tile(&url, 1, 0, 0).await?.expect(StatusCode::OK);
    assert_eq!(stage.url("streets").await?, url, "it stays the same for a day");
    for (z, x, y) in [(5, 0, 0), (1, 2, 0), (1, 0, 2), (0, 0, 1), (200, 0, 0)] {
        assert_refused(&stage.tile(&url, z, x, y).await?, StatusCode::NOT_FOUND, "not_found");
    }
    let words = url.replace("{z}/{x}/{y}", "one/two/three");
    assert_refused(&stage.site.running.api().get(&words).await?, StatusCode::NOT_FOUND, "not_found");
    assert_eq!(stage.server.request_count("streets"), 1);
    stage.site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tile_is_fetched_once_and_kept() -> anyhow::Result<()> {
    let stage = Stage::set_up(&["streets"]).await?;
    let url = stage.url("streets").await?;
    let path = url.replace("{z}", "2").replace("{x}", "3").replace("{y}", "1");
    let api = stage.site.running.api();
    let all = futures::future::join_all((0..20).map(|_| api.file(&path, &[("accept-encoding", "gzip")]))).await;
    for answer in all {
        let (headers, content) = answer?;
        assert_eq!(content, picture(2, 3, 1));
        for (name, value) in [
            ("content-type", "image/png"),
            ("cache-control", "private, max-age=86400"),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(headers[name], value, "{name}");
        }
        assert!(!headers.contains_key("content-encoding"));
    }
    assert_eq!((stage.server.request_count("streets"), stage.cached("streets").len()), (1, 1));

    // The source is away: what was fetched is there all the same, and nobody asks for it.
    stage.server.set_down(true);
    let (_, content) = api.file(&path, &[]).await?;
    assert_eq!((content, stage.server.request_count("streets")), (picture(2, 3, 1), 1));
    // It is old: the source is asked, and an old tile is better than none.
    let kept = stage.cached("streets");
    let [file] = &kept[..] else { panic!("{kept:?}") };
    let long_ago = SystemTime::now() - Duration::from_secs(30 * 24 * 3600);
    fs::File::options().write(true).open(file)?.set_modified(long_ago)?;
    let (_, content) = api.file(&path, &[]).await?;
    assert_eq!((content, stage.server.request_count("streets")), (picture(2, 3, 1), 2));
    // It is there again.
    stage.server.set_down(false);
    api.file(&path, &[]).await?;
    api.file(&path, &[]).await?;
    assert_eq!(stage.server.request_count("streets"), 3);
    // What a crash has cut off counts as absent.
    let content = fs::read(file)?;
    fs::write(file, &content[..content.len() - 1])?;
    let (_, content) = api.file(&path, &[]).await?;
    assert_eq!((content, stage.server.request_count("streets")), (picture(2, 3, 1), 4));

    assert_refused(&stage.tile(&url, 3, 0, 0).await?, StatusCode::NOT_FOUND, "not_found");
    let metrics = stage.site.metrics().await?;
    for (outcome, count) in [("fetched", 3), ("stale", 1), ("absent", 1), ("failed", 0)] {
        let line = format!("armada_map_tiles_total{{outcome=\"{outcome}\"}} {count}");
        assert!(metrics.contains(&line), "{line}");
    }
    stage.site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn failing_tile_source_is_paused() -> anyhow::Result<()> {
    let stage = Stage::set_up(&["streets", "gone"]).await?;
    let url = stage.url("gone").await?;
    for x in 0..5 {
        assert_refused(&stage.tile(&url, 3, x, 0).await?, StatusCode::BAD_GATEWAY, "map_source_unavailable");
    }
    assert_eq!(stage.server.request_count("gone"), 5);
    assert_refused(&stage.tile(&url, 3, 5, 0).await?, StatusCode::BAD_GATEWAY, "map_source_unavailable");
    assert_eq!(stage.server.request_count("gone"), 5, "it is left alone");
    let other = stage.url("streets").await?;
    stage.tile(&other, 2, 0, 0).await?.expect(StatusCode::OK);
    stage.site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn rejects_tiles_that_are_no_images() -> anyhow::Result<()> {
    let stage = Stage::set_up(&["page", "drawing", "large"]).await?;
    for set in ["page", "drawing", "large"] {
        let reply = stage.tile(&stage.url(set).await?, 1, 0, 0).await?;
        assert_refused(&reply, StatusCode::BAD_GATEWAY, "map_source_unavailable");
        assert!(!reply.text.contains("script") && stage.cached(set).is_empty(), "{set}: {}", reply.text);
    }
    stage.site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn share_link_visitors_get_map_tiles() -> anyhow::Result<()> {
    let stage = Stage::set_up(&["streets"]).await?;
    stage.write("indonesia.pmtiles", &archive(1, &basemap("4.7.0"))?)?;
    stage.write("text.pmtiles", b"no map")?;
    let tenant = stage.site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    let expires_at = (Timestamp::now() + Duration::from_secs(3600)).to_rfc3339();
    let link = json!({ "name": "for a customer", "device_id": truck.id, "expires_at": expires_at, "pin": "1234" });
    let link = tenant.admin.api.post("/api/v1/share-links", link).await?.expect(StatusCode::CREATED);
    let visitor = Api::new(&stage.site.running.http);
    let view = async |body: Value| {
        let reply = visitor.post("/api/v1/shared-view", body).await?;
        assert!(!reply.text.contains(KEY), "{}", reply.text);
        anyhow::Ok(reply.expect(StatusCode::OK))
    };
    let closed = view(json!({ "url_token": link["url_token"] })).await?;
    assert_eq!((&closed["needs_pin"], &closed["map_sources"]), (&json!(true), &json!([])));
    let opened = view(json!({ "url_token": link["url_token"], "pin": "1234" })).await?;
    let sources = opened["map_sources"].as_array().context("maps")?;
    assert_eq!(sources.iter().map(|source| text(&source["id"])).collect::<Vec<_>>(), ["streets", "file-indonesia"]);
    let tile = text(&sources[0]["url"]).replace("{z}", "0").replace("{x}", "0").replace("{y}", "0");
    let (_, content) = visitor.file(&tile, &[]).await?;
    assert_eq!(content, picture(0, 0, 0));
    visitor.file(&text(&sources[1]["url"]), &[("range", "bytes=0-6")]).await?;
    visitor.get(LIST).await?.expect(StatusCode::UNAUTHORIZED);
    stage.site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn tiles_have_their_own_rate_limit() -> anyhow::Result<()> {
    let limits = Limits { tile_rate: 1, tile_burst: 2, ..Limits::default() };
    let site = Site::start_with(Kind::Sqlite, Config { limits, ..Config::default() }).await?;
    let api = site.running.api();
    let path = format!("{LIST}/streets/0/0/0");
    let mut statuses = Vec::new();
    // However slowly they come, one of so many is too many.
    while statuses.len() < 1_000 && !statuses.contains(&StatusCode::TOO_MANY_REQUESTS) {
        let replies = futures::future::join_all((0..10).map(|_| api.get(&path))).await;
        statuses.extend(replies.into_iter().flatten().map(|reply| reply.status));
    }
    assert!(statuses.contains(&StatusCode::TOO_MANY_REQUESTS), "{statuses:?}");
    site.owner.api.get(LIST).await?.expect(StatusCode::OK);
    site.running.stop().await
}
