//! The live socket in the OpenAPI document, which has no words of its own for messages: the route, each message as a
//! schema, and `x-websocket`, which says who sends which of them.

use armada_proto::v1::{DeviceIds, DeviceLocation, LastPosition, LiveDevice, LiveView};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{OpenApi, RefOr, Schema},
};

/// A message: its `type`, the schema of what it brings and under which name, and what it means.
type Message = (&'static str, Option<(&'static str, &'static str)>, &'static str);

const CLIENT: &[Message] = &[
    ("subscribe_devices", Some(("payload", "DeviceIds")), "Tell everything about these devices."),
    ("unsubscribe_devices", Some(("payload", "DeviceIds")), "Stop that."),
    ("view", Some(("payload", "LiveView")), "With `armada.columns.v1`: what is on the screen."),
    ("resync", None, "With `armada.columns.v1`: tell everything anew."),
    ("ping", None, "Answered with `pong`."),
    ("pong", None, "The answer to a `ping`."),
];

const SERVER: &[Message] = &[
    ("position", Some(("position", "LastPosition")), "With `context=maps`: a snapshot first, then what changes."),
    ("device_update", Some(("payload", "LiveDevice")), "Everything about a subscribed device."),
    ("device_location", Some(("payload", "DeviceLocation")), "A subscribed device that only moved."),
    ("error", Some(("payload", "ApiError")), "A message could not be followed; the socket stays open."),
    ("ping", None, "Every 30 seconds; answer with `pong`."),
    ("pong", None, "The answer to a `ping`."),
];

const ABOUT: &str = "Opens the live socket with a ticket from `/api/v1/ws-ticket`. Messages are JSON text frames with a \
    `type`. With the subprotocol `armada.columns.v1` positions come as binary `LiveColumns` of \
    `proto/armada/v1/live.proto` in the place of `position`. A close code says why a socket ended: 1001 the server \
    stops, 1008 the session has ended or the client says too much or nothing at all, 1009 a message was too large, 1011 \
    the server cannot go on.";

/// Adds the socket to the document.
pub(crate) fn describe(document: &mut OpenApi) {
    let Some(components) = document.components.as_mut() else { return };
    let mut payloads = vec![
        (DeviceIds::name().into_owned(), DeviceIds::schema()),
        (LiveView::name().into_owned(), LiveView::schema()),
        (LastPosition::name().into_owned(), LastPosition::schema()),
        (LiveDevice::name().into_owned(), LiveDevice::schema()),
        (DeviceLocation::name().into_owned(), DeviceLocation::schema()),
    ];
    LastPosition::schemas(&mut payloads);
    LiveDevice::schemas(&mut payloads);
    components.schemas.extend(payloads);
    for (name, who, messages) in [("WsClientMessage", "a client", CLIENT), ("WsServerMessage", "the server", SERVER)] {
        components.schemas.extend(messages.iter().map(|message| (schema_name(message.0), read(schema(message)))));
        let refs: Vec<_> = messages.iter().map(|(kind, ..)| json!({ "$ref": reference(&schema_name(kind)) })).collect();
        let mapping: Map<_, _> =
            messages.iter().map(|(kind, ..)| ((*kind).to_owned(), reference(&schema_name(kind)).into())).collect();
        let all = json!({
            "description": format!("What {who} says on the live socket."),
            "oneOf": refs,
            "discriminator": { "propertyName": "type", "mapping": mapping },
        });
        components.schemas.insert(name.to_owned(), read::<RefOr<Schema>>(all));
    }
    document.paths.paths.insert("/ws".to_owned(), read(route()));
}

fn route() -> Value {
    let parameter = |name, required, text| json!({ "name": name, "in": "query", "required": required, "description": text, "schema": { "type": "string" } });
    let refused = |text| json!({ "description": text, "content": { "application/json": { "schema": { "$ref": reference("ApiError") } } } });
    json!({ "get": {
        "tags": ["live"],
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
            "client": { "$ref": reference("WsClientMessage") },
            "server": { "$ref": reference("WsServerMessage") },
        },
    }})
}

fn schema((kind, content, text): &Message) -> Value {
    let mut properties = json!({ "type": { "type": "string", "enum": [kind] } });
    let mut required = vec!["type"];
    if let Some((name, payload)) = content {
        properties[*name] = json!({ "$ref": reference(payload) });
        required.push(name);
    }
    json!({ "type": "object", "description": text, "required": required, "properties": properties })
}

/// `WsDeviceUpdate` of `device_update`.
fn schema_name(kind: &str) -> String {
    let words = kind.split('_').map(|word| word[..1].to_uppercase() + &word[1..]);
    format!("Ws{}", words.collect::<String>())
}

fn reference(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

fn read<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("it is written as OpenAPI has it")
}
