//! A place as its address is asked for and kept.

/// Parts of a degree that are told apart: one is some 11 m.
const PARTS: f64 = 10_000.0;

/// A place in one language. All that is within some 11 m has the same address.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// Degrees north, times 10,000.
    pub lat_e4: i32,
    /// Degrees east, times 10,000.
    pub lng_e4: i32,
    /// As the geocoder is asked for it.
    pub language: &'static str,
}

impl Place {
    /// The place at these degrees.
    pub fn new(lat: f64, lng: f64, language: &'static str) -> Self {
        let rounded = |degrees: f64| (degrees * PARTS).round() as i32;
        Self { lat_e4: rounded(lat), lng_e4: rounded(lng), language }
    }

    /// Degrees north.
    pub fn lat(self) -> f64 {
        f64::from(self.lat_e4) / PARTS
    }

    /// Degrees east.
    pub fn lng(self) -> f64 {
        f64::from(self.lng_e4) / PARTS
    }
}
