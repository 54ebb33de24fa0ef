//! PMTiles files, written by hand.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};

/// A PMTiles file of version 3 with one tile: header, directory, metadata, tile.
pub(super) fn archive(tile_type: u8, metadata: &Value) -> anyhow::Result<Vec<u8>> {
    const HEADER: usize = 127;
    let tile = b"a tile".to_vec();
    let packed = |content: &[u8]| -> anyhow::Result<Vec<u8>> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(content)?;
        Ok(encoder.finish()?)
    };
    // One entry: tile 0, once, so long, and at the beginning.
    let directory = packed(&[1, 0, 1, u8::try_from(tile.len())?, 1])?;
    let metadata = packed(metadata.to_string().as_bytes())?;
    let mut file = vec![0; HEADER];
    file[..7].copy_from_slice(b"PMTiles");
    let sections = [(8, directory.len()), (24, metadata.len()), (40, 0), (56, tile.len())];
    let mut offset = HEADER;
    for (at, length) in sections {
        file[at..at + 8].copy_from_slice(&(offset as u64).to_le_bytes());
        file[at + 8..at + 16].copy_from_slice(&(length as u64).to_le_bytes());
        offset += length;
    }
    for at in [72, 80, 88] {
        file[at..at + 8].copy_from_slice(&1_u64.to_le_bytes());
    }
    // Version; clustered; directories and metadata in gzip, tiles as they are; their type; zooms; the zoom of the centre.
    for (at, byte) in [(7, 3), (96, 1), (97, 2), (98, 1), (99, tile_type), (100, 0), (101, 14), (118, 5)] {
        file[at] = byte;
    }
    for (at, degrees) in [(102, 94.9), (106, -11.1), (110, 141.1), (114, 6.1)] {
        let place = (degrees * 1e7_f64).round() as i32;
        file[at..at + 4].copy_from_slice(&place.to_le_bytes());
    }
    Ok([file, directory, metadata, tile].concat())
}

/// Metadata of a basemap of this version.
pub(super) fn basemap(version: &str) -> Value {
    let layers = ["earth", "water", "roads", "places", "pois"].map(|id| json!({ "id": id, "fields": {} }));
    json!({ "version": version, "vector_layers": layers, "attribution": "<a href=\"https://osm.org\">&copy; OSM</a>" })
}
