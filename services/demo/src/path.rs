//! Where a vehicle drives: a line on the ground with the distance along it.

/// Metres of a degree of latitude.
const METRES_PER_DEGREE: f64 = 111_195.08;

/// A place on the ground, in degrees.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Place {
    /// Latitude.
    pub lat: f64,
    /// Longitude.
    pub lng: f64,
}

impl Place {
    /// The way to another place near by: metres east and north.
    pub(super) fn offset_to(self, other: Self) -> (f64, f64) {
        let east = (other.lng - self.lng) * METRES_PER_DEGREE * ((self.lat + other.lat) / 2.0).to_radians().cos();
        (east, (other.lat - self.lat) * METRES_PER_DEGREE)
    }

    /// Metres to a place near by.
    pub fn metres_to(self, other: Self) -> f64 {
        let (east, north) = self.offset_to(other);
        east.hypot(north)
    }

    /// The place some metres east and north of here.
    pub(super) fn moved(self, east: f64, north: f64) -> Self {
        let lat = self.lat + north / METRES_PER_DEGREE;
        Self { lat, lng: self.lng + east / (METRES_PER_DEGREE * self.lat.to_radians().cos()) }
    }

    /// The place at `part` of the way to another one.
    pub(super) fn toward(self, other: Self, part: f64) -> Self {
        Self { lat: self.lat + (other.lat - self.lat) * part, lng: self.lng + (other.lng - self.lng) * part }
    }

    /// As far before this place as `next` lies after it.
    pub(super) fn beyond(self, next: Self) -> Self {
        self.toward(next, -1.0)
    }

    /// Degrees clockwise from north to a place near by.
    pub(super) fn course_to(self, other: Self) -> f64 {
        let (east, north) = self.offset_to(other);
        east.atan2(north).to_degrees().rem_euclid(360.0)
    }
}

/// How fast a road is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Not for motorcycles.
    Toll,
    /// A highway or an avenue.
    Main,
    /// A street of a town.
    Street,
    /// From a depot's yard to the road.
    Yard,
    /// Where machines work.
    Site,
}

impl Class {
    /// km/h of a car on an empty road.
    pub(super) const fn kmh(self) -> f64 {
        match self {
            Self::Toll => 94.0,
            Self::Main => 54.0,
            Self::Street => 38.0,
            Self::Yard => 14.0,
            Self::Site => 5.0,
        }
    }

    /// Metres between the points of a smoothed road.
    pub const fn step(self) -> f64 {
        if matches!(self, Self::Toll) { 50.0 } else { 25.0 }
    }
}

/// A point of a path.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// Where it is.
    pub place: Place,
    /// Metres from the start.
    pub along: f64,
    /// Of the road that leads here.
    pub class: Class,
    /// Whether roads meet here.
    pub junction: bool,
}

/// A line on the ground.
#[derive(Debug, Clone, Default)]
pub struct Path(Vec<Point>);

impl Path {
    /// Goes on along further places. Where the first of them is the end of the path, it is not repeated.
    pub(super) fn extend(&mut self, places: &[Place], class: Class) {
        for &place in places {
            let along = match self.0.last() {
                Some(last) if last.place.metres_to(place) < 0.5 => continue,
                Some(last) => last.along + last.place.metres_to(place),
                None => 0.0,
            };
            self.0.push(Point { place, along, class, junction: false });
        }
    }

    /// Makes the end a junction.
    pub(super) fn mark_junction(&mut self) {
        if let Some(last) = self.0.last_mut() {
            last.junction = true;
        }
    }

    /// Its points.
    pub fn points(&self) -> &[Point] {
        &self.0
    }

    /// Metres from end to end.
    pub fn length(&self) -> f64 {
        self.0.last().map_or(0.0, |last| last.along)
    }

    /// The place at a distance from the start, and the direction there.
    pub(super) fn at(&self, along: f64) -> (Place, f64) {
        let next = self.0.partition_point(|point| point.along <= along).clamp(1, self.0.len() - 1);
        let (a, b) = (self.0[next - 1], self.0[next]);
        let part = ((along - a.along) / (b.along - a.along)).clamp(0.0, 1.0);
        (a.place.toward(b.place, part), a.place.course_to(b.place))
    }
}
