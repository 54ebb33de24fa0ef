//! A position on its way to sockets: decoded once and written as JSON at most once, however many see it.

use std::{
    sync::{Arc, OnceLock},
    time::Instant,
};

use armada_proto::{
    DeviceId, Timestamp,
    v1::{LastPosition, LiveFrame},
};
use axum::extract::ws::Utf8Bytes;
use prost::Message;

use super::message::ServerMessage;

/// The newest position of a device, as far as somebody knows.
#[derive(Debug)]
pub struct Update {
    /// Whose.
    pub(super) device: DeviceId,
    /// The position.
    pub(super) position: LastPosition,
    /// When this process heard of it.
    pub(super) heard_at: Instant,
    text: OnceLock<Utf8Bytes>,
}

impl Update {
    /// None when the position does not say whose it is. What its vehicle does, and which alarm stands, is left out: it is as it
    /// was when somebody asked for it, and becomes another without a new position.
    pub fn of(position: LastPosition) -> Option<Arc<Self>> {
        let device = position.device_id.parse().ok()?;
        let position = LastPosition { state: None, standing_alarm: None, standing_alarm_since: None, ..position };
        Some(Arc::new(Self { device, position, heard_at: Instant::now(), text: OnceLock::new() }))
    }

    /// The positions of a payload of `live.<tenant>`; none when it is no such payload.
    pub(super) fn of_frame(payload: &[u8]) -> Option<Vec<Arc<Self>>> {
        let frame = LiveFrame::decode(payload).ok()?;
        Some(frame.positions.into_iter().filter_map(Self::of).collect())
    }

    /// When the fix was taken.
    pub(super) fn recorded_at(&self) -> Timestamp {
        self.position.recorded_at.unwrap_or_default()
    }

    /// The message `position`.
    pub(super) fn text(&self) -> Utf8Bytes {
        self.text.get_or_init(|| ServerMessage::Position { position: &self.position }.text()).clone()
    }
}
