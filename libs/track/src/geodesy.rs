//! Distances and directions on the earth.

/// Mean earth radius R1 = (2a + b) / 3 of WGS 84, metres (Moritz, *Geodetic Reference System 1980*).
pub const EARTH_RADIUS_M: f64 = 6_371_008.8;

/// A place in 1e-7 degrees, WGS 84.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// 1e-7 degrees.
    pub lat: i32,
    /// 1e-7 degrees.
    pub lng: i32,
}

/// A box that holds a set of places, 1e-7 degrees; never across the antimeridian: the box of a track that crosses it
/// spans all longitudes, which is a true if wide bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bbox {
    /// Smallest latitude.
    pub south: i32,
    /// Smallest longitude.
    pub west: i32,
    /// Largest latitude.
    pub north: i32,
    /// Largest longitude.
    pub east: i32,
}

/// Great-circle distance in metres between two places in degrees by the haversine formula (R. W. Sinnott, *Virtues of
/// the Haversine*, Sky & Telescope 68, 1984), on a sphere of [`EARTH_RADIUS_M`]: within 0.5 % of the ellipsoid.
pub fn haversine_m(_lat1: f64, _lng1: f64, _lat2: f64, _lng2: f64) -> f64 {
    0.0
}

/// [`haversine_m`] of two places.
pub fn distance_m(_a: Place, _b: Place) -> f64 {
    0.0
}

/// Distance between neighbouring fixes.
pub fn step_m(_a: Place, _b: Place) -> f64 {
    0.0
}

/// Initial bearing.
pub fn bearing_deg(_a: Place, _b: Place) -> f64 {
    0.0
}

impl Bbox {
    /// Of some places; `None` of none.
    pub fn of(_places: impl IntoIterator<Item = Place>) -> Option<Self> {
        None
    }

    /// Whether the place lies in it, its border included.
    pub fn contains(&self, _place: Place) -> bool {
        false
    }

    /// Whether both have a place in common.
    pub fn intersects(&self, _other: &Self) -> bool {
        false
    }
}
