//! The network of roads, and the ways through it.

use armada_demo::{
    path::{Class, Path},
    roads::Roads,
};

/// What surrounds each part of the network: south, west, north, east. Roads cannot leave their islands' middles.
const REGIONS: [[f64; 4]; 10] = [
    [-6.70, 105.98, -5.92, 106.90],
    [-6.70, 106.68, -6.11, 107.46],
    [-6.98, 107.40, -6.39, 108.45],
    [-7.30, 108.43, -6.69, 110.48],
    [-7.85, 110.20, -6.95, 111.45],
    [-7.60, 111.40, -7.34, 112.74],
    [-8.00, 112.60, -7.21, 112.80],
    [3.33, 98.48, 3.78, 99.18],
    [-5.22, 119.41, -5.00, 119.58],
    [-8.81, 115.12, -8.50, 115.29],
];

#[test]
fn roads_stay_in_their_regions() {
    let roads = Roads::load().expect("the network is well drawn");
    for place in roads.stretches().iter().flat_map(|stretch| &stretch.course) {
        let within = |[south, west, north, east]: &[f64; 4]| {
            (*south..*north).contains(&place.lat) && (*west..*east).contains(&place.lng)
        };
        assert!(REGIONS.iter().any(within), "{place:?}");
    }
}

#[test]
fn smoothing_bends_no_road_away_from_its_points() {
    let roads = Roads::load().expect("the network is well drawn");
    for stretch in roads.stretches() {
        for pair in stretch.course.windows(2) {
            let step = pair[0].metres_to(pair[1]);
            assert!(step > 1.0 && step < 2.0 * stretch.class.step(), "a step of {step} m at {:?}", pair[0]);
        }
        let [start, end] = stretch.ends.map(|end| roads.place(end));
        assert!(stretch.course[0].metres_to(start) < 1.0);
        assert!(stretch.course[stretch.course.len() - 1].metres_to(end) < 1.0);
    }
}

#[test]
fn java_is_one_network_and_motorcycles_stay_off_tolls() {
    let roads = Roads::load().expect("the network is well drawn");
    let route = |from: &str, to: &str, tolls| {
        let mut path = Path::default();
        roads.add_route(&mut path, roads.junction(from)?, roads.junction(to)?, tolls).map(|()| path)
    };
    let path = route("TanjungPriok", "TanjungPerak", true).expect("the island is crossed");
    assert!((700_000.0..900_000.0).contains(&path.length()), "{} m", path.length());
    assert!(route("TanjungPriok", "TanjungPerak", false).is_err());
    let city = route("Kota", "BlokM", false).expect("a way through town");
    assert!(city.points().iter().all(|point| point.class != Class::Toll));
    assert!(route("Kota", "Denpasar", true).is_err(), "no road crosses the sea");
}
