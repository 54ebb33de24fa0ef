//! A track as JSON.

use armada_runtime::{Error, Result};
use armada_track::Position;

use super::writer::TrackWriter;

/// `{"items":[…]}`.
#[derive(Default)]
pub struct JsonWriter {
    begun: bool,
}

impl TrackWriter for JsonWriter {
    const MEDIA_TYPE: &str = "application/json";

    fn head(&mut self, out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(b"{\"items\":[");
        Ok(())
    }

    fn positions(&mut self, positions: &[Position], out: &mut Vec<u8>) -> Result<()> {
        out.reserve(positions.len() * 256);
        for position in positions {
            if std::mem::replace(&mut self.begun, true) {
                out.push(b',');
            }
            serde_json::to_writer(&mut *out, &position.to_track_point()).map_err(Error::internal)?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(b"]}");
        Ok(())
    }
}
