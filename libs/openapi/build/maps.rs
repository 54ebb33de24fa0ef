//! Street maps in the OpenAPI document: the edge serves them itself, and no service is behind.

use serde_json::{Map, Value, json};

use crate::{custom::query, schemas::reference, socket::refused};

pub const TAG: &str = "maps";
pub const ABOUT_TAG: &str = "Street maps: tiles of configured sources, and PMTiles files.";

/// The messages of it.
pub const MESSAGES: [&str; 1] = ["MapSourceList"];

/// The operations.
pub fn paths() -> Map<String, Value> {
    Map::from_iter([
        ("/api/v1/map-sources".to_owned(), list()),
        ("/api/v1/map-sources/{id}/file".to_owned(), file()),
        ("/api/v1/map-sources/{id}/{z}/{x}/{y}".to_owned(), tile()),
    ])
}

fn list() -> Value {
    let list = json!({ "application/json": { "schema": reference("MapSourceList") } });
    json!({ "get": {
        "tags": [TAG],
        "summary": "The street maps that there are, with addresses that need no token.",
        "operationId": "list_map_sources",
        "responses": {
            "200": { "description": "The answer.", "content": list },
            "4XX": refused("Refused; the body says why."),
        },
    }})
}

fn tile() -> Value {
    let kinds = ["image/png", "image/jpeg", "image/webp", "image/avif"];
    let content: Map<_, _> = kinds.map(|kind| (kind.to_owned(), binary())).into_iter().collect();
    json!({ "get": {
        "tags": [TAG],
        "summary": "A tile of a configured source, at an address from `/api/v1/map-sources`.",
        "operationId": "map_tile",
        "security": [{}],
        "parameters": parameters(&["id", "z", "x", "y"]),
        "responses": {
            "200": { "description": "The picture.", "content": content },
            "403": refused("The signature is wrong, or its day is over."),
            "404": refused("There is no such source or tile."),
            "502": refused("The source does not answer as it should."),
        },
    }})
}

fn file() -> Value {
    let content = json!({ "application/vnd.pmtiles": binary() });
    json!({ "get": {
        "tags": [TAG],
        "summary": "A PMTiles file or the part of it that `Range` names, at an address from `/api/v1/map-sources`.",
        "operationId": "map_file",
        "security": [{}],
        "parameters": parameters(&["id"]),
        "responses": {
            "200": { "description": "The file, streamed.", "content": content },
            "206": { "description": "The part of it that was asked for.", "content": content },
            "304": { "description": "It is as `If-None-Match` says." },
            "403": refused("The signature is wrong, or its day is over."),
            "404": refused("There is no such file."),
            "416": refused("It has no such part."),
        },
    }})
}

/// Those of the path, and the signature.
fn parameters(in_path: &[&str]) -> Vec<Value> {
    let of_path = |name: &&str| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } });
    let of_signature = [
        query("until", "Until when the address is good, in seconds since 1970."),
        query("signature", "That of the server, over the id and `until`."),
    ];
    in_path.iter().map(of_path).chain(of_signature).collect()
}

fn binary() -> Value {
    json!({ "schema": { "type": "string", "format": "binary" } })
}
