//! Commands on their way to sockets: how each one stands now. A slow client gets fewer states, not later ones.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard},
};

use armada_proto::{
    CommandId, DeviceId,
    v1::{Command, CommandInput},
};
use armada_runtime::Error;
use axum::extract::ws::Utf8Bytes;
use prost::Message;
use tokio::sync::Notify;

use super::message::{CommandResponse, ServerMessage};
use crate::http::{failure::localized, language::Language};

/// Commands that wait for a client at most. Of one that is slower than that, it reads how they stand.
pub const WAITING_MAX: usize = 1_000;
/// What errors of commands are about.
const SUBJECT: &str = "commands";

/// How a command stands, written once for all sockets.
#[derive(Clone)]
pub struct CommandUpdate {
    /// To which device.
    pub(super) device: DeviceId,
    command: CommandId,
    text: Utf8Bytes,
}

impl CommandUpdate {
    /// Of a payload of `changed.<tenant>.commands`; none when it is no such payload.
    pub fn of(payload: &[u8]) -> Option<Self> {
        let command = Command::decode(payload).ok()?;
        let response =
            CommandResponse { device_id: &command.device_id, request_id: None, command: Some(&command), error: None };
        Some(Self {
            device: command.device_id.parse().ok()?,
            command: command.id.parse().ok()?,
            text: ServerMessage::CommandResponse { payload: &response }.text(),
        })
    }
}

/// The answer to a `send_command`.
pub(super) fn answer(sent: &CommandInput, answer: &Result<Command, Error>, language: Language) -> Utf8Bytes {
    let response = CommandResponse {
        device_id: &sent.device_id,
        request_id: sent.request_id.as_deref(),
        command: answer.as_ref().ok(),
        error: answer.as_ref().err().map(|error| localized(language, SUBJECT, error)),
    };
    ServerMessage::CommandResponse { payload: &response }.text()
}

/// What a socket has not been sent yet.
#[derive(Default)]
pub struct CommandInbox {
    state: Mutex<State>,
    ready: Notify,
}

#[derive(Default)]
struct State {
    /// Whether the socket's user may see commands.
    is_allowed: bool,
    waiting: VecDeque<CommandUpdate>,
}

impl CommandInbox {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic while held")
    }

    /// From now on the socket's user may see commands, or may not.
    pub fn allow(&self, is_allowed: bool) {
        let mut state = self.state();
        state.is_allowed = is_allowed;
        if !is_allowed {
            state.waiting.clear();
        }
    }

    /// Takes how a command stands, in the place of how it stood.
    pub fn offer(&self, update: &CommandUpdate) {
        let mut state = self.state();
        if !state.is_allowed {
            return;
        }
        match state.waiting.iter_mut().find(|waiting| waiting.command == update.command) {
            Some(before) => *before = update.clone(),
            None => {
                if state.waiting.len() == WAITING_MAX {
                    state.waiting.pop_front();
                }
                state.waiting.push_back(update.clone());
            }
        }
        drop(state);
        self.ready.notify_one();
    }

    /// Waits until something is waiting.
    pub(super) async fn filled(&self) {
        while self.state().waiting.is_empty() {
            self.ready.notified().await;
        }
    }

    /// The messages that wait, about devices that are seen.
    pub fn take(&self, sees: impl Fn(DeviceId) -> bool) -> Vec<Utf8Bytes> {
        let waiting = std::mem::take(&mut self.state().waiting);
        waiting.into_iter().filter(|update| sees(update.device)).map(|update| update.text).collect()
    }
}
