//! News on its way to sockets: that something has happened to a vehicle that they see, or that an alarm of it was
//! acknowledged. What it was, the client reads, so a slow one hears of it less often, not later.

use std::sync::{Mutex, MutexGuard};

use armada_proto::DeviceId;
use axum::extract::ws::Utf8Bytes;
use tokio::sync::Notify;
use uuid::Uuid;

use super::message::ServerMessage;

/// Bytes of an id.
const ID: usize = 16;

/// Of a payload of `changed.<tenant>.events`: the devices that the news is about, nil for what is about none.
pub fn devices(payload: &[u8]) -> Vec<DeviceId> {
    payload.chunks_exact(ID).filter_map(|id| Uuid::from_slice(id).ok()).map(DeviceId::from).collect()
}

/// The message.
pub(super) fn text() -> Utf8Bytes {
    ServerMessage::EventsChanged.text()
}

/// Whether a socket has to be told.
#[derive(Default)]
pub struct EventInbox {
    state: Mutex<State>,
    ready: Notify,
}

#[derive(Default)]
struct State {
    /// Whether the socket's user may see events or alarms.
    is_allowed: bool,
    is_waiting: bool,
}

impl EventInbox {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic while held")
    }

    /// From now on the socket's user may see events or alarms, or neither.
    pub fn allow(&self, is_allowed: bool) {
        let mut state = self.state();
        state.is_allowed = is_allowed;
        state.is_waiting &= is_allowed;
    }

    /// There is news.
    pub fn offer(&self) {
        let mut state = self.state();
        state.is_waiting = state.is_allowed;
        drop(state);
        self.ready.notify_one();
    }

    /// Waits until there is.
    pub(super) async fn filled(&self) {
        while !self.state().is_waiting {
            self.ready.notified().await;
        }
    }

    /// It is told.
    pub(super) fn take(&self) {
        self.state().is_waiting = false;
    }
}
