//! Which street maps there are.

use armada_proto::{
    Timestamp,
    v1::{MapSource, MapSourceKind, MapSourceList},
};
use axum::{Json, extract::State};

use super::{
    files::{MapFile, MapFiles},
    signature::Signatures,
    tiles::Tiles,
};
use crate::{auth::caller::Authenticated, config::MapSourceConfig, http::failure::Answer};

/// Lists them. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Catalogue {
    tiles: Tiles,
    files: MapFiles,
    signatures: Signatures,
}

impl Catalogue {
    pub(crate) fn new(tiles: Tiles, files: MapFiles, signatures: Signatures) -> Self {
        Self { tiles, files, signatures }
    }

    /// All of them, those among them that have a problem: the configured sources first.
    async fn all(&self) -> Vec<MapSource> {
        let now = Timestamp::now();
        let files = self.files.list().await;
        let of_tiles = self.tiles.sources().map(|source| self.of_tiles(source, now));
        of_tiles.chain(files.into_iter().map(|file| self.of_file(file, now))).collect()
    }

    /// Those that can be shown: whoever has no account can mend nothing.
    pub(crate) async fn usable(&self) -> Vec<MapSource> {
        self.all().await.into_iter().filter(|source| source.problem.is_none()).collect()
    }

    fn of_tiles(&self, source: &MapSourceConfig, now: Timestamp) -> MapSource {
        let MapSourceConfig { id, name, attribution, max_zoom, .. } = source;
        MapSource {
            id: id.clone(),
            name: name.clone(),
            kind: MapSourceKind::RasterTiles.into(),
            url: format!("/api/v1/map-sources/{id}/{{z}}/{{x}}/{{y}}?{}", self.signatures.query(id, now)),
            attribution: attribution.clone(),
            max_zoom: u32::from(*max_zoom),
            ..MapSource::default()
        }
    }

    fn of_file(&self, file: MapFile, now: Timestamp) -> MapSource {
        let header = file.header;
        let url = match header.problem {
            Some(_) => String::new(),
            None => format!("/api/v1/map-sources/{}/file?{}", file.id, self.signatures.query(&file.id, now)),
        };
        MapSource {
            id: file.id,
            name: file.name,
            kind: header.kind.into(),
            url,
            attribution: header.attribution,
            min_zoom: header.min_zoom.into(),
            max_zoom: header.max_zoom.into(),
            bounds: header.bounds,
            size: i64::try_from(file.size).ok(),
            problem: header.problem.map(Into::into),
        }
    }
}

/// The street maps that there are.
pub(crate) async fn list(State(catalogue): State<Catalogue>, _: Authenticated) -> Answer<Json<MapSourceList>> {
    Ok(Json(MapSourceList { items: catalogue.all().await }))
}
