//! The live socket in the OpenAPI document, which has no words of its own for messages: the route and that of its ticket,
//! each message as a schema, and `x-websocket`, which says who sends which of them.

use serde_json::{Map, Value, json};

use crate::schemas::reference;

pub const TAG: &str = "live";
pub const ABOUT_TAG: &str = "What moves, as it moves: a WebSocket and the ticket for it.";

/// What messages of the contract are said on it, and the ticket.
pub const MESSAGES: [&str; 10] = [
    "WsTicket",
    "DeviceIds",
    "LiveView",
    "LastPosition",
    "LiveDevice",
    "DeviceLocation",
    "SharedViewRequest",
    "SharedView",
    "SharedVehicles",
    "SharedPositions",
];

/// A message: its `type`, the schema of what it brings and under which name, and what it means.
type Message = (&'static str, Option<(&'static str, &'static str)>, &'static str);

const CLIENT: &[Message] = &[
    ("subscribe_devices", Some(("payload", "DeviceIds")), "Tell everything about these devices."),
    ("unsubscribe_devices", Some(("payload", "DeviceIds")), "Stop that."),
    ("send_command", Some(("payload", "SendCommand")), "Send a command to a device; answered with `command_response`."),
    ("view", Some(("payload", "LiveView")), "With `armada.columns.v1`: what is on the screen."),
    ("resync", None, "With `armada.columns.v1`: tell everything anew."),
    ("ping", None, "Answered with `pong`."),
    ("pong", None, "The answer to a `ping`."),
];

const SERVER: &[Message] = &[
    ("position", Some(("position", "LastPosition")), "With `context=maps`: a snapshot first, then what changes."),
    ("device_update", Some(("payload", "LiveDevice")), "Everything about a subscribed device."),
    ("device_location", Some(("payload", "DeviceLocation")), "A subscribed device that only moved."),
    (
        "command_response",
        Some(("payload", "CommandResponse")),
        "The answer to a `send_command`; and how a command stands now, whoever sent it, to who sees its device and holds \
         the permission `command:list`.",
    ),
    (
        "events_changed",
        None,
        "Something has happened to a device that is seen, or an alarm of it was acknowledged, at most every five seconds: \
         what `/api/v1/events` and `/api/v1/alarms` say may be another list. To who holds the permission `event:list` or \
         `alarm:list`.",
    ),
    ("error", Some(("payload", "ApiError")), "A message could not be followed; the socket stays open."),
    ("ping", None, "Every 30 seconds; answer with `pong`."),
    ("pong", None, "The answer to a `ping`."),
];

/// To visitors of share links, who say nothing but `pong`.
const VISIT: &[Message] = &[
    ("vehicles", Some(("payload", "SharedVehicles")), "All that the link shows: at first, and when that changes."),
    ("positions", Some(("payload", "SharedPositions")), "Where vehicles are now of which something newer is known."),
    (
        "map_sources",
        Some(("payload", "MapSourceList")),
        "The street maps that can be shown, with other addresses: those from `/api/v1/shared-view` are good for a day or two.",
    ),
    ("ping", None, "Every 30 seconds; answer with `pong`."),
];
const VISITOR: &[Message] = &[("pong", None, "The answer to a `ping`.")];

const ABOUT_VISIT: &str = "Opens the socket of a share link's visitor, with the ticket from `/api/v1/shared-view`. \
    Messages are JSON text frames with a `type`. It closes within seconds when the link expires, is revoked, or when its \
    maker may not share any more what it shows (1008); `/api/v1/shared-view` then says why.";

const ABOUT: &str = "Opens the live socket with a ticket from `/api/v1/ws-ticket`. Messages are JSON text frames with a \
    `type`. With the subprotocol `armada.columns.v1` positions come as binary `LiveColumns` of \
    `proto/armada/v1/live.proto` in the place of `position`. A close code says why a socket ended: 1001 the server \
    stops, 1008 the session has ended or the client says too much or nothing at all, 1009 a message was too large, 1011 \
    the server cannot go on.";

/// The operations.
pub fn paths() -> Map<String, Value> {
    Map::from_iter([
        ("/api/v1/shared-view".to_owned(), shared_view()),
        ("/api/v1/ws-ticket".to_owned(), ticket()),
        ("/ws".to_owned(), socket()),
        ("/ws/shared".to_owned(), shared_socket()),
    ])
}

fn shared_view() -> Value {
    let body = |name: &str| json!({ "application/json": { "schema": reference(name) } });
    json!({ "post": {
        "tags": [TAG],
        "summary": "Opens the address of a share link for a visitor, who needs no account.",
        "operationId": "open_shared_view",
        "security": [{}],
        "requestBody": { "content": body("SharedViewRequest"), "required": true },
        "responses": {
            "200": { "description": "What the socket needs, or that the PIN is asked for.", "content": body("SharedView") },
            "4XX": refused("The link is over (404) or the PIN is wrong (422); the body says why."),
        },
    }})
}

fn shared_socket() -> Value {
    let schema = json!({ "type": "string" });
    let token = json!({ "name": "token", "in": "query", "required": true, "description": "The ticket; good for one socket within 30 seconds.", "schema": schema });
    json!({ "get": {
        "tags": [TAG],
        "operationId": "shared_socket",
        "summary": "The live socket of a share link.",
        "description": ABOUT_VISIT,
        "security": [],
        "parameters": [token],
        "responses": {
            "101": { "description": "The socket is open." },
            "401": refused("The ticket is bad, late or used, or the page is of another origin."),
            "404": refused("The link is over."),
        },
        "x-websocket": {
            "subprotocols": [],
            "client": reference("WsVisitorMessage"),
            "server": reference("WsVisitMessage"),
        },
    }})
}

fn ticket() -> Value {
    json!({ "post": {
        "tags": [TAG],
        "summary": "A ticket that opens one live socket for the caller, within half a minute. Needs the permission \
            `position:live`.",
        "operationId": "ws_ticket",
        "responses": {
            "200": {
                "description": "The ticket.",
                "content": { "application/json": { "schema": reference("WsTicket") } },
            },
            "4XX": refused("Refused; the body says why."),
        },
    }})
}

fn socket() -> Value {
    let parameter = |name, required, text| {
        let schema = json!({ "type": "string" });
        json!({ "name": name, "in": "query", "required": required, "description": text, "schema": schema })
    };
    json!({ "get": {
        "tags": [TAG],
        "operationId": "live_socket",
        "summary": "The live socket.",
        "description": ABOUT,
        "security": [],
        "parameters": [
            parameter("token", true, "The ticket; good for one socket within 30 seconds."),
            parameter("userId", false, "Only what this user sees as well."),
            parameter("context", false, "`maps` for the positions of everything that is visible."),
        ],
        "responses": {
            "101": { "description": "The socket is open." },
            "401": refused("The ticket is bad, late or used, or the page is of another origin."),
            "404": refused("No such user for this caller."),
        },
        "x-websocket": {
            "subprotocols": ["armada.columns.v1"],
            "client": reference("WsClientMessage"),
            "server": reference("WsServerMessage"),
        },
    }})
}

/// An answer that is an error.
pub fn refused(text: &str) -> Value {
    json!({ "description": text, "content": { "application/json": { "schema": reference("ApiError") } } })
}

/// The messages: each one, and who says which.
pub fn schemas() -> Map<String, Value> {
    let mut schemas = Map::new();
    for (name, who, messages) in [
        ("WsClientMessage", "a client says on the live socket", CLIENT),
        ("WsServerMessage", "the server says on the live socket", SERVER),
        ("WsVisitorMessage", "a visitor says on the socket of a share link", VISITOR),
        ("WsVisitMessage", "the server says on the socket of a share link", VISIT),
    ] {
        schemas.extend(messages.iter().map(|message| (schema_name(message.0), schema(message))));
        let refs: Vec<_> = messages.iter().map(|(kind, ..)| reference(&schema_name(kind))).collect();
        let mapping =
            messages.iter().map(|(kind, ..)| ((*kind).to_owned(), reference(&schema_name(kind))["$ref"].take()));
        let mapping: Map<_, _> = mapping.collect();
        let all = json!({
            "description": format!("What {who}."),
            "oneOf": refs,
            "discriminator": { "propertyName": "type", "mapping": mapping },
        });
        schemas.insert(name.to_owned(), all);
    }
    schemas.insert("SendCommand".to_owned(), send_command());
    schemas.insert("CommandResponse".to_owned(), command_response());
    schemas
}

fn send_command() -> Value {
    let command = json!({
        "description": "As in `POST /api/v1/devices/{id}/commands`, or the name of a kind that needs nothing else.",
        "oneOf": [reference("CommandInput"), { "type": "string" }],
    });
    let properties = json!({ "device_id": { "type": "string" }, "command": command });
    json!({ "type": "object", "required": ["device_id", "command"], "properties": properties })
}

fn command_response() -> Value {
    let request =
        "As in the `send_command` that this answers; absent when that named none, and in what is told of itself.";
    let properties = json!({
        "device_id": { "type": "string" },
        "request_id": { "type": "string", "description": request },
        "command": { "allOf": [reference("Command")], "description": "How it stands now; absent when there is none." },
        "error": { "allOf": [reference("ApiError")], "description": "Why there is none." },
    });
    json!({ "type": "object", "required": ["device_id"], "properties": properties })
}

fn schema((kind, content, text): &Message) -> Value {
    let mut properties = json!({ "type": { "type": "string", "enum": [kind] } });
    let mut required = vec!["type"];
    if let Some((name, payload)) = content {
        properties[*name] = reference(payload);
        required.push(name);
    }
    json!({ "type": "object", "description": text, "required": required, "properties": properties })
}

/// `WsDeviceUpdate` of `device_update`.
fn schema_name(kind: &str) -> String {
    let words = kind.split('_').map(|word| word[..1].to_uppercase() + &word[1..]);
    format!("Ws{}", words.collect::<String>())
}
