//! What a PMTiles file says of itself (version 3 of <https://github.com/protomaps/PMTiles>): its header, and of shapes the
//! schema that its metadata names. Tiles are not read here, but by the browser.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

use armada_proto::v1::{MapSourceKind, MapSourceProblem};
use flate2::read::GzDecoder;
use serde_json::Value;

/// Bytes of the header.
pub const HEADER: usize = 127;
const MAGIC: &[u8] = b"PMTiles";
/// What files of versions 1 and 2 begin with, their version behind it.
const FORMER_MAGIC: &[u8] = b"PM";
const VERSION: u8 = 3;
/// Bytes of metadata that are read at most, before and after they are unpacked.
const METADATA_MAX: u64 = 1 << 20;
/// What the styles of the console draw; there may be more.
const LAYERS: [&str; 4] = ["roads", "water", "earth", "places"];
/// Where a file does not say whose data it has: those of Protomaps' basemap are OpenStreetMap's.
const BASEMAP_ATTRIBUTION: &str = "© OpenStreetMap";
const ATTRIBUTION_MAX: usize = 500;

/// What is known of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MapHeader {
    /// Pictures or shapes.
    pub kind: MapSourceKind,
    /// The first zoom with tiles.
    pub min_zoom: u8,
    /// The last one.
    pub max_zoom: u8,
    /// West, south, east and north, in degrees; nothing where the file does not say.
    pub bounds: Vec<f64>,
    /// Whose data they are, as text.
    pub attribution: String,
    /// Why it cannot be shown, if it cannot.
    pub problem: Option<MapSourceProblem>,
}

impl MapHeader {
    /// Reads it. An error is one of reading.
    pub fn read(file: &mut (impl Read + Seek)) -> io::Result<Self> {
        let mut header = [0; HEADER];
        match file.read_exact(&mut header) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                return Ok(Self::unusable(MapSourceProblem::NotPmtiles));
            }
            read => read?,
        }
        if !header.starts_with(MAGIC) {
            let is_former = header.starts_with(FORMER_MAGIC) && matches!(header[2..4], [1 | 2, 0]);
            let problem = if is_former { MapSourceProblem::Version } else { MapSourceProblem::NotPmtiles };
            return Ok(Self::unusable(problem));
        }
        if header[7] != VERSION {
            return Ok(Self::unusable(MapSourceProblem::Version));
        }
        let kind = match header[99] {
            1 => MapSourceKind::PmtilesVector,
            2..=5 => MapSourceKind::PmtilesRaster,
            _ => return Ok(Self::unusable(MapSourceProblem::TileType)),
        };
        let metadata = metadata(file, &header);
        let is_vector = kind == MapSourceKind::PmtilesVector;
        let has_schema = !is_vector || metadata.as_ref().is_some_and(is_basemap);
        let attribution = metadata.as_ref().and_then(|metadata| metadata["attribution"].as_str()).map(words);
        let usual = if is_vector { BASEMAP_ATTRIBUTION } else { "" };
        Ok(Self {
            kind,
            min_zoom: header[100],
            max_zoom: header[101],
            bounds: bounds(&header),
            attribution: attribution.filter(|text| !text.is_empty()).unwrap_or_else(|| usual.to_owned()),
            problem: (!has_schema).then_some(MapSourceProblem::Schema),
        })
    }

    /// One of which nothing else is known.
    pub(super) fn unusable(problem: MapSourceProblem) -> Self {
        Self { kind: MapSourceKind::PmtilesRaster, problem: Some(problem), ..Self::default() }
    }
}

/// None where it is too large, packed in a way that is not read here, or no JSON.
fn metadata(file: &mut (impl Read + Seek), header: &[u8; HEADER]) -> Option<Value> {
    let (place, length) = (number(header, 24), number(header, 32));
    if length > METADATA_MAX {
        return None;
    }
    file.seek(SeekFrom::Start(place)).ok()?;
    let mut packed = Vec::new();
    file.take(length).read_to_end(&mut packed).ok()?;
    let text = match header[97] {
        1 => packed,
        2 => {
            let mut text = Vec::new();
            GzDecoder::new(packed.as_slice()).take(METADATA_MAX + 1).read_to_end(&mut text).ok()?;
            text
        }
        _ => return None,
    };
    if text.len() as u64 > METADATA_MAX {
        return None;
    }
    serde_json::from_slice(&text).ok()
}

/// Whether the shapes are those of Protomaps' basemap, version 4. Where no version is named the layers decide.
fn is_basemap(metadata: &Value) -> bool {
    let layers = metadata["vector_layers"].as_array().map(Vec::as_slice).unwrap_or_default();
    let has = |name: &&str| layers.iter().any(|layer| layer["id"] == **name);
    let is_version = metadata["version"].as_str().is_none_or(|version| version == "4" || version.starts_with("4."));
    is_version && LAYERS.iter().all(has)
}

fn number(header: &[u8; HEADER], at: usize) -> u64 {
    header[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Degrees, which are kept as whole numbers of a ten-millionth.
fn degrees(header: &[u8; HEADER], at: usize) -> f64 {
    f64::from(header[at..].first_chunk().map_or(0, |bytes| i32::from_le_bytes(*bytes))) / 1e7
}

/// Nothing of what is no part of the world.
fn bounds(header: &[u8; HEADER]) -> Vec<f64> {
    let [west, south, east, north] = [102, 106, 110, 114].map(|at| degrees(header, at));
    let is_there = (-180.0..=180.0).contains(&west) && east <= 180.0 && west < east;
    let is_there = is_there && (-90.0..=90.0).contains(&south) && north <= 90.0 && south < north;
    if is_there { vec![west, south, east, north] } else { Vec::new() }
}

/// The words of an attribution, which in such files is HTML. What stands for `<` and `>` stays as it is, so that no mark
/// becomes one here.
fn words(html: &str) -> String {
    let mut text = String::new();
    let mut is_mark = false;
    for letter in html.chars() {
        match letter {
            '<' => is_mark = true,
            '>' => is_mark = false,
            letter if !is_mark => text.push(letter),
            _ => {}
        }
    }
    for (name, letter) in [("&copy;", "©"), ("&#169;", "©"), ("&nbsp;", " "), ("&quot;", "\""), ("&amp;", "&")] {
        text = text.replace(name, letter);
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().take(ATTRIBUTION_MAX).collect()
}
