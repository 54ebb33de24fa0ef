//! What the contract does not say of operations whose handlers are written by hand: they set cookies, send a browser
//! elsewhere, or stream.

use serde_json::{Map, Value, json};

use crate::schemas::reference;

/// Messages that only such operations answer with.
pub const MESSAGES: [&str; 2] = ["LoginResponse", "Track"];

/// For each of them a JSON Merge Patch (RFC 7386) of what is said of it.
pub fn operations() -> Map<String, Value> {
    let signed_in = || json!({ "responses": { "200": answer("Signed in.", "LoginResponse") } });
    let elsewhere = |text: &str, parameters: Value| json!({ "parameters": parameters, "responses": { "200": null, "4XX": null, "303": { "description": text } } });
    let operations = json!({
        "login": signed_in(),
        "refresh": signed_in(),
        "finish_oidc_with_code": signed_in(),
        "start_oidc": elsewhere(
            "To the provider, or with `error` to the page of the sign-in.",
            json!([query("next", "The path of ours to go to in the end; `/` when absent.")]),
        ),
        "finish_oidc": elsewhere(
            "To the path that was asked for, or with `error` to the page of the sign-in.",
            json!([
                query("state", "As it was sent to the provider."),
                query("code", "The provider's; absent when it refuses."),
            ]),
        ),
        "device_track": { "responses": { "200": answer("The track, streamed.", "Track") } },
    });
    let Value::Object(operations) = operations else { unreachable!("it is written as one") };
    operations
}

pub fn query(name: &str, text: &str) -> Value {
    json!({ "name": name, "in": "query", "description": text, "required": false, "schema": { "type": "string" } })
}

fn answer(text: &str, name: &str) -> Value {
    json!({ "description": text, "content": { "application/json": { "schema": reference(name) } } })
}

/// What every export is asked, besides what its list is.
pub fn export_parameters() -> Vec<Value> {
    let formats = json!({ "type": "string", "enum": ["csv", "xlsx"] });
    let columns = json!({ "type": "array", "items": { "type": "string" } });
    vec![
        json!({ "name": "format", "in": "query", "description": "`csv` when absent.", "required": false, "schema": formats }),
        json!({
            "name": "columns",
            "in": "query",
            "description": "The columns, in this order; those of the list when absent.",
            "required": false,
            "schema": columns,
        }),
        json!({
            "name": "tz",
            "in": "query",
            "description": "The time zone of instants, by its IANA name; UTC when absent.",
            "required": false,
            "schema": { "type": "string" },
            "example": "Asia/Jakarta",
        }),
    ]
}

/// The kinds of files that a list can be had as.
pub fn files() -> Value {
    json!({
        "text/csv": { "schema": { "type": "string" } },
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": {
            "schema": { "type": "string", "contentMediaType": "application/octet-stream" },
        },
    })
}

/// The body of every answer that is an error.
pub fn api_error() -> Value {
    json!({
        "type": "object",
        "description": "The body of every answer that is an error.",
        "required": ["error", "message"],
        "properties": {
            "error": { "type": "string", "description": "For programs, e.g. `not_found`." },
            "message": { "type": "string", "description": "For people, in the language of `Accept-Language`." },
            "fields": {
                "type": "object",
                "description": "What is wrong with each field, by its name.",
                "additionalProperties": { "type": "string" },
            },
            "conflicting": {
                "type": "object",
                "description": "What has the value already that is wanted, if it is something of one's own.",
                "required": ["id", "name"],
                "properties": { "id": { "type": "string", "readOnly": true }, "name": { "type": "string" } },
            },
        },
    })
}
