//! What the schemas of GPX 1.1 (topografix.com/GPX/1/1/gpx.xsd) and of Garmin's TrackPointExtension, version 2, say of the
//! elements of a track: which there are, in which order, and what stands in them.

use std::collections::HashMap;

use armada_proto::Timestamp;

/// What an element may hold, in this order: each once, or as often as one likes where a `*` stands.
const CHILDREN: [(&str, &str); 7] = [
    ("gpx", "metadata wpt* rte* trk* extensions"),
    ("metadata", "name desc author copyright link* time keywords bounds extensions"),
    ("trk", "name cmt desc src link* number type extensions trkseg*"),
    ("trkseg", "trkpt* extensions"),
    (
        "trkpt",
        "ele time magvar geoidheight name cmt desc src link* sym type fix sat hdop vdop pdop ageofdgpsdata dgpsid \
         extensions",
    ),
    ("extensions", "gpxtpx:TrackPointExtension"),
    (
        "gpxtpx:TrackPointExtension",
        "gpxtpx:atemp gpxtpx:wtemp gpxtpx:depth gpxtpx:hr gpxtpx:cad gpxtpx:speed gpxtpx:course gpxtpx:bearing \
         gpxtpx:Extensions",
    ),
];

/// Panics at the first thing that the schemas do not allow.
pub fn check(text: &str) {
    // An element, and how far its children have come.
    let mut open: Vec<(&str, usize)> = vec![("", 0)];
    for piece in text.split('<').skip(1).filter(|piece| !piece.starts_with('?')) {
        let (tag, content) = piece.split_once('>').expect("a tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().map(|(open, _)| open), Some(name), "{piece}");
            continue;
        }
        let (tag, closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let (parent, place) = open.last_mut().expect("an element around it");
        *place = next_place(parent, *place, name);
        check_attributes(name, attributes);
        check_content(name, content);
        if !closed {
            open.push((name, 0));
        }
    }
    assert_eq!(open.len(), 1, "an element is not closed");
}

/// Where among the children of its parent an element stands, none of which may come before `place` any more.
fn next_place(parent: &str, place: usize, name: &str) -> usize {
    if parent.is_empty() {
        assert_eq!((place, name), (0, "gpx"));
        return 1;
    }
    let (_, children) = CHILDREN.iter().find(|(of, _)| *of == parent).unwrap_or_else(|| panic!("{name} in {parent}"));
    let found = children.split(' ').enumerate().skip(place).find(|(_, child)| child.trim_end_matches('*') == name);
    let (found, child) = found.unwrap_or_else(|| panic!("{name} in {parent}, or too late in it"));
    if child.ends_with('*') { found } else { found + 1 }
}

fn check_attributes(name: &str, attributes: &str) {
    let given: HashMap<_, _> = attributes
        .split("\" ")
        .filter_map(|attribute| attribute.split_once("=\""))
        .map(|(name, value)| (name, value.trim_end_matches('"')))
        .collect();
    let wanted: &[&str] = match name {
        "gpx" => &["version", "creator", "xmlns", "xmlns:gpxtpx"],
        "bounds" => &["minlat", "minlon", "maxlat", "maxlon"],
        "trkpt" => &["lat", "lon"],
        _ => &[],
    };
    assert_eq!(given.len(), wanted.len(), "{name}: {attributes}");
    for attribute in wanted {
        let value = given.get(attribute).unwrap_or_else(|| panic!("{name} without {attribute}"));
        match *attribute {
            "version" => assert_eq!(*value, "1.1"),
            "xmlns" => assert_eq!(*value, "http://www.topografix.com/GPX/1/1"),
            "xmlns:gpxtpx" => assert_eq!(*value, "http://www.garmin.com/xmlschemas/TrackPointExtension/v2"),
            "lat" | "minlat" | "maxlat" => assert!((-90.0..=90.0).contains(&decimal(value)), "{value}"),
            "lon" | "minlon" | "maxlon" => assert!((-180.0..180.0).contains(&decimal(value)), "{value}"),
            _ => {}
        }
    }
}

fn check_content(name: &str, content: &str) {
    match name {
        "time" => drop(Timestamp::parse_rfc3339(content).expect(content)),
        "ele" | "gpxtpx:speed" => drop(decimal(content)),
        "sat" => drop(content.parse::<u32>().expect(content)),
        "gpxtpx:course" => assert!((0.0..360.0).contains(&decimal(content)), "{content}"),
        "name" => {}
        _ => assert!(content.trim().is_empty(), "text in {name}: {content}"),
    }
}

/// No exponent.
fn decimal(text: &str) -> f64 {
    assert!(text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-')), "{text}");
    text.parse().expect(text)
}
