//! What a map file says of itself, which part of it is asked for, and which tiles are not kept any longer.

use std::{
    fs::{self, File},
    io::Cursor,
    time::{Duration, SystemTime},
};

use armada_bff::rules::maps::{HEADER, MapHeader, Wanted, shrink, wanted};
use armada_proto::v1::{MapSourceKind, MapSourceProblem};

#[test]
fn one_range_of_bytes_is_served() {
    let part = |first, last| Wanted::Part { first, last };
    for (range, expected) in [
        (None, Wanted::Whole),
        (Some("bytes=0-0"), part(0, 0)),
        (Some("bytes=2-5"), part(2, 5)),
        (Some("bytes=2-500"), part(2, 9)),
        (Some("bytes=2-"), part(2, 9)),
        (Some("bytes=-3"), part(7, 9)),
        (Some("bytes=-500"), part(0, 9)),
        (Some("bytes=10-"), Wanted::Nothing),
        (Some("bytes=10-20"), Wanted::Nothing),
        (Some("bytes=99999999999999999999999-"), Wanted::Nothing),
        (Some("bytes=-0"), Wanted::Nothing),
        // What is no single range of bytes is passed over.
        (Some("bytes=5-2"), Wanted::Whole),
        (Some("bytes=0-1,4-5"), Wanted::Whole),
        (Some("bytes=-"), Wanted::Whole),
        (Some("bytes=+1-2"), Wanted::Whole),
        (Some("bytes=x-y"), Wanted::Whole),
        (Some("lines=0-1"), Wanted::Whole),
        (Some(""), Wanted::Whole),
    ] {
        assert_eq!(wanted(range, 10), expected, "{range:?}");
    }
    assert_eq!(wanted(Some("bytes=0-"), 0), Wanted::Nothing);
    assert_eq!(wanted(Some("bytes=-5"), 0), Wanted::Nothing);
}

/// A header with a type of tiles, and metadata behind it that are not packed.
fn file(tile_type: u8, metadata: &str) -> Vec<u8> {
    let mut file = vec![0; HEADER];
    file[..7].copy_from_slice(b"PMTiles");
    file[7] = 3;
    file[24..32].copy_from_slice(&(HEADER as u64).to_le_bytes());
    file[32..40].copy_from_slice(&(metadata.len() as u64).to_le_bytes());
    (file[97], file[99], file[100], file[101]) = (1, tile_type, 2, 14);
    file.extend(metadata.as_bytes());
    file
}

fn read(file: Vec<u8>) -> MapHeader {
    MapHeader::read(&mut Cursor::new(file)).expect("it can be read")
}

#[test]
fn reports_files_that_are_no_maps() {
    let raster = file(2, "{}");
    let with = |at: usize, byte: u8| {
        let mut changed = raster.clone();
        changed[at] = byte;
        changed
    };
    let former = [b"PM\x02\x00".to_vec(), vec![0; 200]].concat();
    for (file, problem) in [
        (Vec::new(), MapSourceProblem::NotPmtiles),
        (raster[..100].to_vec(), MapSourceProblem::NotPmtiles),
        (vec![0; 200], MapSourceProblem::NotPmtiles),
        (former, MapSourceProblem::Version),
        (with(7, 4), MapSourceProblem::Version),
        (with(99, 0), MapSourceProblem::TileType),
        (with(99, 6), MapSourceProblem::TileType),
    ] {
        assert_eq!(read(file).problem, Some(problem));
    }
    let read = read(raster);
    assert_eq!((read.kind, read.problem, read.bounds.len()), (MapSourceKind::PmtilesRaster, None, 0));
    assert_eq!((read.min_zoom, read.max_zoom), (2, 14));
}

#[test]
fn shapes_are_those_of_the_basemap() {
    let layers = r#"[{"id":"earth"},{"id":"water"},{"id":"roads"},{"id":"places"},{"id":"pois"}]"#;
    let problem = |metadata: &str| read(file(1, metadata)).problem;
    assert_eq!(problem(&format!(r#"{{"version":"4.11.0","vector_layers":{layers}}}"#)), None);
    assert_eq!(problem(&format!(r#"{{"planetiler:version":"0.9","vector_layers":{layers}}}"#)), None);
    for metadata in [
        format!(r#"{{"version":"3.7.1","vector_layers":{layers}}}"#),
        r#"{"version":"4.0.0","vector_layers":[{"id":"transportation"},{"id":"water"}]}"#.to_owned(),
        r#"{"version":"4.0.0"}"#.to_owned(),
        "[]".to_owned(),
        "no JSON".to_owned(),
    ] {
        assert_eq!(problem(&metadata), Some(MapSourceProblem::Schema), "{metadata}");
    }
    let mut large = file(1, &format!(r#"{{"version":"4.0.0","vector_layers":{layers}}}"#));
    large[32..40].copy_from_slice(&(2_u64 << 20).to_le_bytes());
    assert_eq!(read(large).problem, Some(MapSourceProblem::Schema), "so much is not read");
}

#[test]
fn attributions_are_words() {
    let attribution_of =
        |text: &str| read(file(2, &serde_json::json!({ "attribution": text }).to_string())).attribution;
    assert_eq!(attribution_of("<a href=\"https://a.example\">Map</a>  &copy; <b>A &amp; B</b>"), "Map © A & B");
    assert_eq!(attribution_of("&lt;script&gt;"), "&lt;script&gt;");
    assert_eq!(attribution_of(""), "");
    assert_eq!(attribution_of(&"x".repeat(2_000)).len(), 500);
}

#[test]
fn evicts_the_oldest_tiles() {
    let folder = armada_testkit::temp_dir("map-cache-");
    let path = |name: &str| folder.path().join(name);
    for (name, age) in [("osm/1/0/0", 4), ("osm/1/0/1", 1), ("osm/1/1/0", 3), ("air/0/0/0", 2)] {
        fs::create_dir_all(path(name).parent().expect("a folder")).expect("it is made");
        fs::write(path(name), [0; 100]).expect("it is written");
        let file = File::options().write(true).open(path(name)).expect("it is there");
        file.set_modified(SystemTime::now() - Duration::from_secs(age * 3600)).expect("it is dated back");
    }
    assert_eq!(shrink(folder.path(), 400), 0, "there is room for all");
    assert_eq!(shrink(folder.path(), 250), 2);
    for (name, is_there) in
        [("osm/1/0/0", false), ("osm/1/0/1", true), ("osm/1/1/0", false), ("osm/1/1", false), ("air/0/0/0", true)]
    {
        assert_eq!(path(name).exists(), is_there, "{name}");
    }
    assert_eq!(shrink(folder.path(), 0), 2);
    assert_eq!(shrink(&path("nothing"), 0), 0);
}
