//! What of commands waits for a socket.

use armada_bff::rules::live::{CommandInbox, CommandUpdate, WAITING_MAX};
use armada_proto::{
    CommandId, DeviceId,
    v1::{Command, CommandState},
};
use prost::Message;

fn update(command: CommandId, device: DeviceId, state: CommandState) -> CommandUpdate {
    let command =
        Command { id: command.to_string(), device_id: device.to_string(), state: state.into(), ..Command::default() };
    CommandUpdate::of(&command.encode_to_vec()).expect("it has ids")
}

fn states(inbox: &CommandInbox, sees: impl Fn(DeviceId) -> bool) -> Vec<String> {
    let texts = inbox.take(sees).into_iter();
    let sent = texts.map(|text| serde_json::from_str::<serde_json::Value>(&text).expect("JSON"));
    sent.map(|sent| sent["payload"]["command"]["state"].as_str().expect("a state").to_owned()).collect()
}

#[test]
fn keeps_the_latest_state_of_each_command() {
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
