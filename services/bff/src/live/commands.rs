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
const WAITING_MAX: usize = 1_000;
/// What errors of commands are about.
const SUBJECT: &str = "commands";

/// How a command stands, written once for all sockets.
#[derive(Clone)]
pub(super) struct CommandUpdate {
    /// To which device.
    pub(super) device: DeviceId,
    command: CommandId,
    text: Utf8Bytes,
}

impl CommandUpdate {
    /// Of a payload of `changed.<tenant>.commands`; none when it is no such payload.
    pub(super) fn of(payload: &[u8]) -> Option<Self> {
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
pub(super) struct CommandInbox {
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
    pub(super) fn allow(&self, is_allowed: bool) {
        let mut state = self.state();
        state.is_allowed = is_allowed;
        if !is_allowed {
            state.waiting.clear();
        }
    }

    /// Takes how a command stands, in the place of how it stood.
    pub(super) fn offer(&self, update: &CommandUpdate) {
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
    pub(super) fn take(&self, sees: impl Fn(DeviceId) -> bool) -> Vec<Utf8Bytes> {
        let waiting = std::mem::take(&mut self.state().waiting);
        waiting.into_iter().filter(|update| sees(update.device)).map(|update| update.text).collect()
    }
}

#[cfg(test)]
mod tests {
    use armada_proto::v1::CommandState;

    use super::*;

    fn update(command: CommandId, device: DeviceId, state: CommandState) -> CommandUpdate {
        let command = Command {
            id: command.to_string(),
            device_id: device.to_string(),
            state: state.into(),
            ..Command::default()
        };
        CommandUpdate::of(&command.encode_to_vec()).expect("it has ids")
    }

    fn states(inbox: &CommandInbox, sees: impl Fn(DeviceId) -> bool) -> Vec<String> {
        let texts = inbox.take(sees).into_iter();
        let sent = texts.map(|text| serde_json::from_str::<serde_json::Value>(&text).expect("JSON"));
        sent.map(|sent| sent["payload"]["command"]["state"].as_str().expect("a state").to_owned()).collect()
    }

    #[test]
    fn of_each_command_waits_how_it_stands_now() {
        let (inbox, device) = (CommandInbox::default(), DeviceId::new());
        let (first, second) = (CommandId::new(), CommandId::new());
        inbox.offer(&update(first, device, CommandState::Queued));
        assert!(states(&inbox, |_| true).is_empty(), "who may not see commands hears of none");
        inbox.allow(true);
        inbox.offer(&update(first, device, CommandState::Queued));
        inbox.offer(&update(second, device, CommandState::Queued));
        inbox.offer(&update(first, device, CommandState::Sent));
        assert_eq!(states(&inbox, |_| true), ["sent", "queued"]);
        inbox.offer(&update(first, device, CommandState::Delivered));
        assert!(states(&inbox, |seen| seen != device).is_empty(), "the device is not seen any more");
        inbox.offer(&update(first, device, CommandState::Delivered));
        inbox.allow(false);
        assert!(states(&inbox, |_| true).is_empty());
        for _ in 0..=WAITING_MAX {
            inbox.allow(true);
            inbox.offer(&update(CommandId::new(), device, CommandState::Queued));
        }
        assert_eq!(states(&inbox, |_| true).len(), WAITING_MAX);
    }
}
