//! Commands between fleet and gateways, as JSON: out on `command.<gateway>.<imei>`, back on
//! `command.reply.<gateway>.<imei>`. `docs/GATEWAYS.md` is the page for whoever writes a gateway.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Where all gateways say what became of commands.
pub const REPLIES: &str = "command.reply.*.*";

/// Where a gateway hears commands to one of its trackers.
pub fn subject(gateway: &str, imei: &str) -> String {
    format!("command.{gateway}.{imei}")
}

/// Where a gateway says what became of a command to one of its trackers.
pub fn reply_subject(gateway: &str, imei: &str) -> String {
    format!("command.reply.{gateway}.{imei}")
}

/// The gateway and the IMEI of a reply's subject.
pub fn origin(subject: &str) -> Option<(&str, &str)> {
    subject.strip_prefix("command.reply.")?.split_once('.')
}

/// A command, as a gateway gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GatewayCommand {
    /// Of the command. A gateway that gets it twice sends it to the tracker once.
    pub id: String,
    /// By what the tracker is known: an IMEI, or another identifier.
    pub imei: String,
    /// The name of the device's protocol in the master data, e.g. `GT06`; empty when the device has none.
    #[serde(default)]
    pub protocol: String,
    /// `engine_stop`, `position_periodic` and so on: the names of [`crate::v1::CommandKind`].
    pub kind: String,
    /// `interval_seconds` of `position_periodic`, `output` and `on` of `output_control`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub arguments: Map<String, Value>,
    /// Of `custom`: what is sent as it stands.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// From then on it must not be sent any more, in the form of RFC 3339.
    pub expires_at: String,
}

/// What became of a command, as a gateway says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GatewayReply {
    /// Of the command.
    pub id: String,
    /// How far it has come.
    pub state: GatewayReplyState,
    /// What the tracker said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Why it failed: `unsupported`, or whatever the gateway has to say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl GatewayReply {
    /// What there is to say of a command when it is only how far it has come.
    pub fn new(command: &GatewayCommand, state: GatewayReplyState) -> Self {
        Self { id: command.id.clone(), state, text: String::new(), reason: String::new() }
    }

    /// Why a command failed.
    pub fn failed(command: &GatewayCommand, reason: &str) -> Self {
        Self { reason: reason.to_owned(), ..Self::new(command, GatewayReplyState::Failed) }
    }
}

/// How far a command has come at its gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GatewayReplyState {
    /// Written to the tracker's connection.
    Delivered,
    /// The tracker has answered that it was done.
    Acknowledged,
    /// It was not carried out, and will not be.
    Failed,
    /// Nothing was sent: there is no connection of that tracker.
    NotConnected,
}
