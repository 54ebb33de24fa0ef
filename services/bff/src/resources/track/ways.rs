//! The trips of a track as lines of KML, and its stops as points: Google Earth in a browser knows no `gx:Track`.

use std::{collections::VecDeque, fmt::Write as _};

use armada_proto::v1::{TrackSegment, TrackSegmentKind};
use armada_track::Position;
use chrono::DateTime;
use chrono_tz::Tz;

use crate::http::language::{self, Language};

/// Places of a line, which is in memory until it ends: a longer trip goes on in another one.
const PLACES_MAX: usize = 10_000;

/// What is known before the positions come, and the line that they make now.
pub struct Ways {
    stops: String,
    trips: VecDeque<Trip>,
    line: String,
    places: usize,
}

/// A trip that has no line yet.
struct Trip {
    from: i64,
    to: i64,
    /// What its placemark begins with.
    head: String,
}

impl Ways {
    /// Of these segments, which ascend in time; with words and times for who reads the file.
    pub fn new(segments: &[TrackSegment], language: Language, zone: Tz) -> Self {
        let mut ways = Self { stops: String::new(), trips: VecDeque::new(), line: String::new(), places: 0 };
        let (mut trips, mut stops) = (0, 0);
        for segment in segments {
            let [from, to] = [segment.from, segment.to].map(|time| time.map_or(0, |time| time.millis()));
            let head = |kind: &str, number: i32| {
                let word = language::word(language, "track", kind);
                format!(
                    "<Placemark><name>{word} {number}</name><description>{}</description><styleUrl>#{kind}</styleUrl>\n",
                    span(from, to, zone)
                )
            };
            match segment.kind() {
                TrackSegmentKind::Trip => {
                    trips += 1;
                    ways.trips.push_back(Trip { from, to, head: head("trip", trips) });
                }
                TrackSegmentKind::Stop => {
                    stops += 1;
                    let (place, head) = (coordinates(segment.start_lat, segment.start_lng), head("stop", stops));
                    let _ = writeln!(ways.stops, "{head}<Point><coordinates>{place}</coordinates></Point></Placemark>");
                }
                TrackSegmentKind::NoData | TrackSegmentKind::Unspecified => {}
            }
        }
        ways
    }

    /// All stops.
    pub fn stops(&self) -> &str {
        &self.stops
    }

    /// Takes in the next position, and writes the lines that have ended.
    pub fn push(&mut self, position: &Position, out: &mut String) {
        let at = position.recorded_at();
        while self.trips.front().is_some_and(|trip| trip.to < at) {
            self.end(out);
            self.trips.pop_front();
        }
        if self.trips.front().is_none_or(|trip| at < trip.from) {
            return;
        }
        let (lat, lng) = position.report.place().degrees();
        let place = coordinates(lat, lng);
        if self.places == PLACES_MAX {
            let _ = writeln!(self.line, "{place}");
            self.end(out);
        }
        let _ = writeln!(self.line, "{place}");
        self.places += 1;
    }

    /// Writes the line as it is now: no position of its trip follows. A single place is no line.
    pub fn end(&mut self, out: &mut String) {
        if let Some(trip) = self.trips.front()
            && self.places > 1
        {
            let (head, line) = (&trip.head, &self.line);
            let _ = write!(
                out,
                "{head}<LineString><tessellate>1</tessellate><coordinates>\n{line}</coordinates></LineString>\
                 </Placemark>\n"
            );
        }
        self.line.clear();
        self.places = 0;
    }
}

/// As KML has them.
fn coordinates(lat: f64, lng: f64) -> String {
    format!("{lng},{lat}")
}

/// From when until when, by the reader's clocks.
fn span(from: i64, to: i64, zone: Tz) -> String {
    let time = |ms| DateTime::from_timestamp_millis(ms).unwrap_or_default().with_timezone(&zone);
    let (from, to) = (time(from), time(to));
    let end = if from.date_naive() == to.date_naive() { "%H:%M:%S" } else { "%Y-%m-%d %H:%M:%S" };
    format!("{} – {} ({zone})", from.format("%Y-%m-%d %H:%M:%S"), to.format(end))
}
