//! A site with street maps, and the server that its tiles come from.

use std::{
    fs,
    path::{Path as FilePath, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::Context as _;
use armada_bff::{Config, MapSourceConfig, MapsConfig};
use armada_runtime::Secret;
use armada_testkit::{Kind, Reply, temp_dir};
use axum::{
    Router,
    extract::{Path, State},
    response::{IntoResponse, Response},
    routing::get,
};
use http::{HeaderMap, StatusCode};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Site, text};

pub(super) const LIST: &str = "/api/v1/map-sources";
/// In the addresses of all sources.
pub(super) const KEY: &str = "hunter2-of-the-map";
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\nstreets";

/// What is at a place of the set `streets`.
pub(super) fn picture(z: u8, x: u32, y: u32) -> Vec<u8> {
    [PICTURE, format!(" {z} {x} {y}").as_bytes()].concat()
}

/// A server of tiles; what it answers is decided by the first part of the path.
#[derive(Clone, Default)]
pub(super) struct TileServer(Arc<Played>);

#[derive(Default)]
struct Played {
    asked: Mutex<Vec<String>>,
    is_down: AtomicBool,
}

impl TileServer {
    async fn serve(&self) -> anyhow::Result<String> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let router = Router::new().route("/{set}/{z}/{x}/{y}", get(answer)).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(url)
    }

    /// Whether it answers nothing but errors from now on.
    pub(super) fn set_down(&self, is_down: bool) {
        self.0.is_down.store(is_down, Ordering::Relaxed);
    }

    /// How often it was asked for a tile of a set.
    pub(super) fn request_count(&self, set: &str) -> usize {
        self.0.asked.lock().unwrap().iter().filter(|asked| *asked == set).count()
    }
}

async fn answer(
    State(server): State<TileServer>,
    Path((set, z, x, y)): Path<(String, u8, u32, u32)>,
    headers: HeaderMap,
) -> Response {
    server.0.asked.lock().unwrap().push(set.clone());
    let is_known = headers["user-agent"].to_str().is_ok_and(|agent| agent.starts_with("Armada/"));
    if server.0.is_down.load(Ordering::Relaxed) || !is_known {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    match &*set {
        "streets" if z == 3 => StatusCode::NOT_FOUND.into_response(),
        "streets" => ([("content-type", "image/png")], picture(z, x, y)).into_response(),
        "page" => ([("content-type", "text/html")], "<script>alert(1)</script>").into_response(),
        "drawing" => ([("content-type", "image/svg+xml")], "<svg/>").into_response(),
        "large" => ([("content-type", "image/png")], vec![0_u8; (2 << 20) + 1]).into_response(),
        _ => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// A site whose sources have the names of the sets, and the folder with its files.
pub(super) struct Stage {
    pub(super) site: Site,
    pub(super) server: TileServer,
    pub(super) folder: TempDir,
}

impl Stage {
    pub(super) async fn set_up(sets: &[&str]) -> anyhow::Result<Self> {
        let server = TileServer::default();
        let url = server.serve().await?;
        let folder = temp_dir("maps-");
        fs::create_dir(folder.path().join("maps"))?;
        let source = |set: &&str| MapSourceConfig {
            id: (*set).to_owned(),
            name: format!("All {set}"),
            url: Secret::new(format!("{url}/{set}/{{z}}/{{x}}/{{y}}?key={KEY}")),
            attribution: "© somebody".to_owned(),
            max_zoom: 4,
        };
        let sources = sets.iter().map(source).collect();
        let maps = MapsConfig { sources, data_dir: Some(folder.path().to_owned()), ..MapsConfig::default() };
        let site = Site::start_with(Kind::Sqlite, Config { maps, ..Config::default() }).await?;
        Ok(Self { site, server, folder })
    }

    /// The list as somebody sees it who is signed in.
    pub(super) async fn list(&self) -> anyhow::Result<Vec<Value>> {
        let reply = self.site.owner.api.get(LIST).await?;
        let list = reply.expect(StatusCode::OK);
        assert!(!reply.text.contains(KEY), "{list}");
        Ok(list["items"].as_array().context("items")?.clone())
    }

    /// The address of a map.
    pub(super) async fn url(&self, id: &str) -> anyhow::Result<String> {
        let list = self.list().await?;
        let found = list.iter().find(|source| source["id"] == id).with_context(|| format!("{id} of {list:?}"))?;
        Ok(text(&found["url"]))
    }

    /// Asks for a tile, as a picture on a page does: without a token.
    pub(super) async fn tile(&self, url: &str, z: u8, x: u32, y: u32) -> anyhow::Result<Reply> {
        let path = url.replace("{z}", &z.to_string()).replace("{x}", &x.to_string()).replace("{y}", &y.to_string());
        let reply = self.site.running.api().get(&path).await?;
        assert!(!reply.text.contains(KEY), "{}", reply.text);
        Ok(reply)
    }

    /// The files in the cache of a source.
    pub(super) fn cached(&self, set: &str) -> Vec<PathBuf> {
        fn files(folder: &FilePath) -> Vec<PathBuf> {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
            entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
        }
        files(&self.folder.path().join("map-cache").join(set))
    }

    pub(super) fn write(&self, name: &str, content: &[u8]) -> anyhow::Result<()> {
        Ok(fs::write(self.folder.path().join("maps").join(name), content)?)
    }
}

/// An error as all of them are.
pub(super) fn assert_refused(reply: &Reply, status: StatusCode, code: &str) {
    let body = reply.expect(status);
    assert_eq!(body["error"], code, "{body}");
    assert!(body["message"].as_str().is_some_and(|message| !message.is_empty()), "{body}");
    assert_eq!(reply.headers["cache-control"], "no-store", "{body}");
}
