//! A track as GeoJSON (RFC 7946): a point for each fix, with everything that it says as its properties.

use armada_runtime::{Error, Result};
use armada_track::Position;
use serde_json::{Value, json};

use super::writer::TrackWriter;

/// A `FeatureCollection` of points.
#[derive(Default)]
pub struct GeoJsonWriter {
    begun: bool,
}

impl TrackWriter for GeoJsonWriter {
    const MEDIA_TYPE: &str = "application/geo+json";

    fn head(&mut self, out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(b"{\"type\":\"FeatureCollection\",\"features\":[");
        Ok(())
    }

    fn positions(&mut self, positions: &[Position], out: &mut Vec<u8>) -> Result<()> {
        for position in positions {
            if std::mem::replace(&mut self.begun, true) {
                out.push(b',');
            }
            out.push(b'\n');
            serde_json::to_writer(&mut *out, &feature(position)?).map_err(Error::internal)?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(b"\n]}\n");
        Ok(())
    }
}

fn feature(position: &Position) -> Result<Value> {
    let mut point = position.to_track_point();
    let mut place = vec![point.lng, point.lat];
    place.extend(point.alt);
    let mut properties = match serde_json::to_value(&point) {
        Ok(properties) => properties,
        // What was stored before it was checked may be no JSON that anybody reads: the fix stays.
        Err(_) => {
            point.attrs = None;
            serde_json::to_value(&point).map_err(Error::internal)?
        }
    };
    if let Some(properties) = properties.as_object_mut() {
        properties.retain(|name, _| !matches!(name.as_str(), "lat" | "lng" | "alt"));
    }
    Ok(json!({
        "type": "Feature",
        "geometry": { "type": "Point", "coordinates": place },
        "properties": properties,
    }))
}
