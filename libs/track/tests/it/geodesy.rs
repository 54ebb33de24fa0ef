//! Distances and directions, against known ones and against each other.

use armada_track::{Bbox, EARTH_RADIUS_M, Place, bearing_deg, distance_m, haversine_m, step_m};
use proptest::prelude::*;

#[test]
fn known_distances() {
    let degree = EARTH_RADIUS_M.to_radians();
    assert!((haversine_m(0.0, 0.0, 0.0, 1.0) - degree).abs() < 1e-6);
    assert!((haversine_m(89.0, 0.0, 89.0, 180.0) - 2.0 * degree).abs() < 1e-6);
    assert!((haversine_m(90.0, 10.0, -90.0, 77.0) - 180.0 * degree).abs() < 1e-3);
    // Jakarta to Surabaya.
    assert!((haversine_m(-6.2, 106.816_667, -7.25, 112.75) - 666_000.0).abs() < 2_000.0);
}

#[test]
fn known_bearings() {
    let origin = Place { lat: 0, lng: 0 };
    for (lat, lng, expected) in [(1.0, 0.0, 0.0), (0.0, 1.0, 90.0), (-1.0, 0.0, 180.0), (0.0, -1.0, 270.0)] {
        let found = bearing_deg(origin, Place::from_degrees(lat, lng));
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }
    assert_eq!(bearing_deg(origin, origin), 0.0);
}

#[test]
fn distances_cross_the_antimeridian() {
    let (west, east) = (Place::from_degrees(-17.0, -179.99), Place::from_degrees(-17.0, 179.99));
    assert!((step_m(east, west) - distance_m(east, west)).abs() < 0.01);
    assert!(step_m(east, west) < 2_200.0);
    assert!((bearing_deg(east, west) - 90.0).abs() < 0.01);
    let poles = (Place { lat: 0, lng: 1_800_000_000 }, Place { lat: 0, lng: -1_800_000_000 });
    assert_eq!(step_m(poles.0, poles.1), 0.0);
}

#[test]
fn bounding_box_contains_its_places() {
    let places = [Place { lat: 1, lng: -5 }, Place { lat: -3, lng: 7 }];
    let bbox = Bbox::of(places).expect("places");
    assert_eq!(bbox, Bbox { south: -3, west: -5, north: 1, east: 7 });
    assert!(bbox.contains(Place { lat: 1, lng: 7 }) && !bbox.contains(Place { lat: 2, lng: 0 }));
    assert!(bbox.intersects(&Bbox { south: 1, west: 7, north: 9, east: 9 }));
    assert!(!bbox.intersects(&Bbox { south: 2, west: 7, north: 9, east: 9 }));
    assert_eq!(Bbox::of([]), None);
}

proptest! {
    #[test]
    fn planar_distance_is_near_the_spherical(
        lat in -800_000_000..=800_000_000_i32,
        lng in -1_800_000_000..=1_800_000_000_i32,
        north in -1_000_000..=1_000_000_i32,
        east in -1_000_000..=1_000_000_i32,
    ) {
        let a = Place { lat, lng };
        let b = Place { lat: lat + north, lng: (lng + east).clamp(-1_800_000_000, 1_800_000_000) };
        let (step, exact) = (step_m(a, b), distance_m(a, b));
        prop_assert!((step - exact).abs() <= exact * 1e-5 + 1e-4, "{step} against {exact}");
    }

    #[test]
    fn any_numbers_do_not_panic(a: (i32, i32), b: (i32, i32)) {
        let (a, b) = (Place { lat: a.0, lng: a.1 }, Place { lat: b.0, lng: b.1 });
        prop_assert!(step_m(a, b).is_finite() && (0.0..360.0).contains(&bearing_deg(a, b)));
    }
}
