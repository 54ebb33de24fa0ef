//! A track as KML 2.2 (developers.google.com/kml): with Google's `gx:Track`, so that it can be played, and with lines and
//! points for readers that know none.

use std::fmt::Write as _;

use armada_proto::Timestamp;
use armada_runtime::Result;
use armada_track::Position;

use super::{
    ways::Ways,
    writer::{Line, TrackWriter, escaped},
};

/// The stops, then `gx:MultiTrack`s and behind each the lines of the trips that it ended. The parts of a `gx:MultiTrack` are
/// the pieces in which the positions come, and begin anew where there are no fixes for long: a part has all its times
/// before all its places. Invalid fixes and jumps are left out.
pub struct KmlWriter {
    name: String,
    line: Line,
    ways: Ways,
    last: Option<Position>,
    /// Whether a `gx:MultiTrack` has begun.
    open: bool,
}

impl KmlWriter {
    /// Of the vehicle of this name, as a line that has gaps, with its trips and stops.
    pub fn new(name: String, line: Line, ways: Ways) -> Self {
        Self { name: escaped(&name), line, ways, last: None, open: false }
    }

    fn part(&mut self, part: &[&Position], text: &mut String) {
        if part.is_empty() {
            return;
        }
        if !std::mem::replace(&mut self.open, true) {
            let name = &self.name;
            let _ = write!(text, "<Placemark><name>{name}</name><styleUrl>#track</styleUrl>\n<gx:MultiTrack>\n");
        }
        write_part(part, text);
    }

    fn end_track(&mut self, text: &mut String) {
        if std::mem::take(&mut self.open) {
            text.push_str("</gx:MultiTrack>\n</Placemark>\n");
        }
    }
}

impl TrackWriter for KmlWriter {
    const MEDIA_TYPE: &str = "application/vnd.google-earth.kml+xml";

    fn head(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let (name, stops) = (&self.name, self.ways.stops());
        let line = "<LineStyle><color>ffd97c22</color><width>4</width></LineStyle>";
        let head = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\" \
             xmlns:gx=\"http://www.google.com/kml/ext/2.2\">\n<Document><name>{name}</name>\n\
             <Style id=\"track\">{line}</Style>\n<Style id=\"trip\">{line}</Style>\n\
             <Style id=\"stop\"><IconStyle><color>ff3643f4</color></IconStyle></Style>\n{stops}",
        );
        out.extend_from_slice(head.as_bytes());
        Ok(())
    }

    fn positions(&mut self, positions: &[Position], out: &mut Vec<u8>) -> Result<()> {
        // A part begins with the last place of the one before, so that the line has no hole.
        let last = self.last.take();
        let mut part: Vec<&Position> = Vec::new();
        let mut text = String::with_capacity(positions.len() * 80);
        let mut lines = String::new();
        for position in positions.iter().filter(|position| position.is_placed()) {
            if !self.line.goes_on(position) {
                self.part(&part, &mut text);
                part.clear();
            } else if part.is_empty() {
                part.extend(&last);
            }
            part.push(position);
            self.ways.push(position, &mut lines);
        }
        self.part(&part, &mut text);
        self.last = part.last().map(|last| (*last).clone()).or(last);
        if !lines.is_empty() {
            self.end_track(&mut text);
            text.push_str(&lines);
        }
        out.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let mut text = String::new();
        self.end_track(&mut text);
        self.ways.end(&mut text);
        text.push_str("</Document>\n</kml>\n");
        out.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

fn write_part(part: &[&Position], text: &mut String) {
    text.push_str("<gx:Track>\n");
    for position in part {
        let _ = writeln!(text, "<when>{}</when>", Timestamp::from_millis(position.recorded_at()).to_rfc3339());
    }
    for position in part {
        let (lat, lng) = position.report.place().degrees();
        let alt = position.report.alt.map_or(0.0, |alt| f64::from(alt) / 10.0);
        let _ = writeln!(text, "<gx:coord>{lng} {lat} {alt}</gx:coord>");
    }
    text.push_str("</gx:Track>\n");
}
