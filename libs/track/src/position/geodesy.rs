//! Distances and directions on the earth.

use armada_proto::v1::TrackBounds;

/// Mean earth radius R1 = (2a + b) / 3 of WGS 84, metres (H. Moritz, *Geodetic Reference System 1980*).
pub const EARTH_RADIUS_M: f64 = 6_371_008.8;

/// Stored units in a degree.
const UNITS: f64 = 1e7;
/// A full turn in stored units.
const TURN: i64 = 3_600_000_000;
/// Up to this many stored units (0.1 degrees) in each direction, and this far from the poles, the plane will do.
const NEAR: i64 = 1_000_000;
const FAR_FROM_POLES: i32 = 800_000_000;

/// A place in 1e-7 degrees, WGS 84.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// 1e-7 degrees.
    pub lat: i32,
    /// 1e-7 degrees.
    pub lng: i32,
}

/// A box that holds a set of places, 1e-7 degrees. It never crosses the antimeridian: the box of a track that does
/// spans all longitudes between its extremes, which is a true if wide bound.
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

impl Place {
    /// The nearest place to these degrees.
    pub fn from_degrees(lat: f64, lng: f64) -> Self {
        Self { lat: (lat * UNITS).round() as i32, lng: (lng * UNITS).round() as i32 }
    }

    /// Latitude and longitude in degrees.
    pub fn degrees(self) -> (f64, f64) {
        (f64::from(self.lat) / UNITS, f64::from(self.lng) / UNITS)
    }
}

/// Great-circle distance in metres between two places in degrees by the haversine formula (R. W. Sinnott, *Virtues of
/// the Haversine*, Sky & Telescope 68, 1984) on a sphere of [`EARTH_RADIUS_M`]; within 0.6 % of the ellipsoid.
pub fn haversine_m(lat1: f64, lng1: f64, lat2: f64, lng2: f64) -> f64 {
    let half_lat = ((lat2 - lat1).to_radians() / 2.0).sin();
    let half_lng = ((lng2 - lng1).to_radians() / 2.0).sin();
    let a = half_lat * half_lat + lat1.to_radians().cos() * lat2.to_radians().cos() * half_lng * half_lng;
    2.0 * EARTH_RADIUS_M * a.sqrt().min(1.0).asin()
}

/// [`haversine_m`] of two places.
pub fn distance_m(a: Place, b: Place) -> f64 {
    let ((lat1, lng1), (lat2, lng2)) = (a.degrees(), b.degrees());
    haversine_m(lat1, lng1, lat2, lng2)
}

/// Distance in metres between neighbouring fixes. Within 0.1 degrees (about 11 km) and below 80 degrees of latitude
/// the equirectangular approximation is used, whose relative error against the haversine is then below 1e-5 (a
/// decimetre on 10 km at the limits, far less on a usual step); beyond that the haversine itself.
pub fn step_m(a: Place, b: Place) -> f64 {
    planar_m(a, b).unwrap_or_else(|| distance_m(a, b))
}

/// [`step_m`] in whole decimetres.
pub(crate) fn step_dm(from: Place, to: Place) -> u64 {
    to_dm(step_m(from, to))
}

/// Initial bearing from `a` to `b` in degrees clockwise from north, 0 to below 360; 0 where both are one place.
pub fn bearing_deg(a: Place, b: Place) -> f64 {
    let ((lat1, lng1), (lat2, lng2)) = (a.degrees(), b.degrees());
    let (lat1, lat2) = (lat1.to_radians(), lat2.to_radians());
    let lng = (lng2 - lng1).to_radians();
    let east = lng.sin() * lat2.cos();
    let north = lat1.cos() * lat2.sin() - lat1.sin() * lat2.cos() * lng.cos();
    let bearing = east.atan2(north).to_degrees();
    // A tiny negative angle plus 360 rounds to 360.
    if bearing < 0.0 { (bearing + 360.0) % 360.0 } else { bearing }
}

/// [`planar_m`] in whole decimetres.
#[inline]
pub(crate) fn planar_dm(a: Place, b: Place) -> Option<u64> {
    planar_m(a, b).map(to_dm)
}

/// Metres to the nearest whole decimetre. Not `f64::round`, which is a call on a plain x86-64.
fn to_dm(metres: f64) -> u64 {
    (metres * 10.0 + 0.5) as u64
}

/// The equirectangular distance in metres where it is good enough. Built of IEEE basic operations alone, so that
/// every machine gets the same bits: the codecs predict distances with it.
#[inline]
fn planar_m(a: Place, b: Place) -> Option<f64> {
    let lat = i64::from(b.lat) - i64::from(a.lat);
    let lng = wrap(i64::from(b.lng) - i64::from(a.lng));
    let near = lat.abs() <= NEAR && lng.abs() <= NEAR && a.lat.unsigned_abs() <= FAR_FROM_POLES.unsigned_abs();
    if !near {
        return None;
    }
    const RADIANS: f64 = std::f64::consts::PI / 180.0 / UNITS;
    let middle = (f64::from(a.lat) + lat as f64 / 2.0) * RADIANS;
    let north = lat as f64;
    let east = lng as f64 * cos(middle);
    Some((north * north + east * east).sqrt() * (RADIANS * EARTH_RADIUS_M))
}

/// The difference of two longitudes the short way round.
fn wrap(lng: i64) -> i64 {
    if lng > TURN / 2 {
        lng - TURN
    } else if lng < -TURN / 2 {
        lng + TURN
    } else {
        lng
    }
}

/// Cosine by its Taylor series to the 14th power, off by less than 1e-11 below 80 degrees. Summed in halves (Estrin's
/// scheme), so that a processor can work on several terms at once.
fn cos(x: f64) -> f64 {
    let (c2, c4, c6) = (-1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0);
    let (c8, c10, c12, c14) = (1.0 / 40_320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0, -1.0 / 87_178_291_200.0);
    let x2 = x * x;
    let x4 = x2 * x2;
    let low = (1.0 + c2 * x2) + (c4 + c6 * x2) * x4;
    let high = (c8 + c10 * x2) + (c12 + c14 * x2) * x4;
    low + high * (x4 * x4)
}

impl Bbox {
    /// Of some places; `None` of none.
    pub fn of(places: impl IntoIterator<Item = Place>) -> Option<Self> {
        let mut places = places.into_iter();
        let Place { lat, lng } = places.next()?;
        let first = Self { south: lat, west: lng, north: lat, east: lng };
        Some(places.fold(first, |bbox, place| Self {
            south: bbox.south.min(place.lat),
            west: bbox.west.min(place.lng),
            north: bbox.north.max(place.lat),
            east: bbox.east.max(place.lng),
        }))
    }

    /// In degrees.
    pub fn to_message(self) -> TrackBounds {
        let [south, west, north, east] =
            [self.south, self.west, self.north, self.east].map(|units| f64::from(units) / UNITS);
        TrackBounds { south, west, north, east }
    }

    /// The smallest box that holds both.
    pub fn union(&self, other: &Self) -> Self {
        Self {
            south: self.south.min(other.south),
            west: self.west.min(other.west),
            north: self.north.max(other.north),
            east: self.east.max(other.east),
        }
    }

    /// Whether the place lies in it, its border included.
    pub fn contains(&self, place: Place) -> bool {
        (self.south..=self.north).contains(&place.lat) && (self.west..=self.east).contains(&place.lng)
    }

    /// Whether both have a place in common.
    pub fn intersects(&self, other: &Self) -> bool {
        self.south <= other.north && other.south <= self.north && self.west <= other.east && other.west <= self.east
    }
}
