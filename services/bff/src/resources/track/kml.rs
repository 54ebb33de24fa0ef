//! A track as KML 2.2 with Google's `gx:Track` (developers.google.com/kml), so that it can be played.

use std::fmt::Write as _;

use armada_proto::Timestamp;
use armada_runtime::Result;
use armada_track::Position;

use super::writer::{Line, TrackWriter, escaped};

/// One `gx:MultiTrack`. Its parts are the pieces in which the positions come, and begin anew where there are no fixes for
/// long: a part has all its times before all its places. Invalid fixes and jumps are left out.
pub struct KmlWriter {
    name: String,
    line: Line,
    last: Option<Position>,
}

impl KmlWriter {
    /// Of the vehicle of this name, as a line that has gaps.
    pub fn new(name: String, line: Line) -> Self {
        Self { name, line, last: None }
    }
}

impl TrackWriter for KmlWriter {
    const MEDIA_TYPE: &str = "application/vnd.google-earth.kml+xml";

    fn head(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let name = escaped(&self.name);
        let head = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\" \
             xmlns:gx=\"http://www.google.com/kml/ext/2.2\">\n<Document><name>{name}</name>\n\
             <Style id=\"track\"><LineStyle><color>ffd97c22</color><width>4</width></LineStyle></Style>\n\
             <Placemark><name>{name}</name><styleUrl>#track</styleUrl>\n<gx:MultiTrack>\n",
        );
        out.extend_from_slice(head.as_bytes());
        Ok(())
    }

    fn positions(&mut self, positions: &[Position], out: &mut Vec<u8>) -> Result<()> {
        // A part begins with the last place of the one before, so that the line has no hole.
        let mut part: Vec<&Position> = Vec::new();
        let mut text = String::with_capacity(positions.len() * 80);
        for position in positions.iter().filter(|position| position.is_placed()) {
            if !self.line.goes_on(position) {
                write_part(&part, &mut text);
                part.clear();
            } else if part.is_empty() {
                part.extend(&self.last);
            }
            part.push(position);
        }
        write_part(&part, &mut text);
        self.last = part.last().map(|last| (*last).clone()).or(self.last.take());
        out.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(b"</gx:MultiTrack>\n</Placemark>\n</Document>\n</kml>\n");
        Ok(())
    }
}

fn write_part(part: &[&Position], text: &mut String) {
    if part.is_empty() {
        return;
    }
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
