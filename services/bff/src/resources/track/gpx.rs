//! A track as GPX 1.1 (topografix.com/GPX/1/1), with speed and course as Garmin's TrackPointExtension, version 2, has them.

use std::fmt::Write as _;

use armada_proto::{Timestamp, v1::TrackBounds};
use armada_runtime::Result;
use armada_track::Position;

use super::writer::{Line, TrackWriter, escaped};

/// One track, in segments where there are no fixes for long. Invalid fixes and jumps are left out.
pub struct GpxWriter {
    name: String,
    line: Line,
    bounds: Option<TrackBounds>,
    begun: bool,
}

impl GpxWriter {
    /// Of the vehicle of this name, as a line that has gaps and lies within these bounds.
    pub fn new(name: String, line: Line, bounds: Option<TrackBounds>) -> Self {
        Self { name, line, bounds, begun: false }
    }
}

impl TrackWriter for GpxWriter {
    const MEDIA_TYPE: &str = "application/gpx+xml";

    fn head(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let (name, bounds) = (escaped(&self.name), self.bounds.map(bounds).unwrap_or_default());
        let made_at = Timestamp::now().to_rfc3339();
        let head = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"Armada\" \
             xmlns=\"http://www.topografix.com/GPX/1/1\" \
             xmlns:gpxtpx=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v2\">\n\
             <metadata><name>{name}</name><time>{made_at}</time>{bounds}</metadata>\n<trk><name>{name}</name>\n",
        );
        out.extend_from_slice(head.as_bytes());
        Ok(())
    }

    fn positions(&mut self, positions: &[Position], out: &mut Vec<u8>) -> Result<()> {
        let mut text = String::with_capacity(positions.len() * 200);
        for position in positions.iter().filter(|position| position.is_placed()) {
            if !self.line.goes_on(position) {
                text.push_str(if self.begun { "</trkseg>\n<trkseg>\n" } else { "<trkseg>\n" });
                self.begun = true;
            }
            point(position, &mut text);
        }
        out.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let end = if self.begun { "</trkseg>\n</trk>\n</gpx>\n" } else { "</trk>\n</gpx>\n" };
        out.extend_from_slice(end.as_bytes());
        Ok(())
    }
}

fn bounds(bounds: TrackBounds) -> String {
    let TrackBounds { south, west, north, east } = bounds;
    let (west, east) = (longitude(west), longitude(east));
    format!("<bounds minlat=\"{south}\" minlon=\"{west}\" maxlat=\"{north}\" maxlon=\"{east}\"/>")
}

/// Degrees that GPX has: they end before 180.
fn longitude(degrees: f64) -> f64 {
    degrees.min(179.999_999_9)
}

fn point(position: &Position, text: &mut String) {
    let report = &position.report;
    let (lat, lng) = report.place().degrees();
    let _ = write!(text, "<trkpt lat=\"{lat}\" lon=\"{}\">", longitude(lng));
    if let Some(alt) = report.alt {
        let _ = write!(text, "<ele>{}</ele>", f64::from(alt) / 10.0);
    }
    let _ = write!(text, "<time>{}</time>", Timestamp::from_millis(report.recorded_at).to_rfc3339());
    if let Some(sat) = report.sat {
        let _ = write!(text, "<sat>{sat}</sat>");
    }
    if report.speed.is_some() || report.course.is_some() {
        text.push_str("<extensions><gpxtpx:TrackPointExtension>");
        if let Some(speed) = report.speed {
            // From 0.1 km/h to m/s.
            let _ = write!(text, "<gpxtpx:speed>{:.3}</gpxtpx:speed>", f64::from(speed) / 36.0);
        }
        if let Some(course) = report.course {
            let _ = write!(text, "<gpxtpx:course>{}</gpxtpx:course>", f64::from(course % 3600) / 10.0);
        }
        text.push_str("</gpxtpx:TrackPointExtension></extensions>");
    }
    text.push_str("</trkpt>\n");
}
