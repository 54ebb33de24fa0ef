//! What the contract does not say of operations whose handlers are written by hand: they set cookies, send a browser
//! elsewhere, or stream.

use serde_json::{Map, Value, json};

use armada_descriptors::Operation;

use crate::schemas::reference;

/// Messages that only such operations answer with.
pub const MESSAGES: [&str; 8] =
    ["File", "ImportPreview", "ImportReport", "Job", "JobItemList", "JobList", "LoginResponse", "Track"];

/// For each of them a JSON Merge Patch (RFC 7386) of what is said of it.
pub fn operations() -> Map<String, Value> {
    let signed_in = || json!({ "responses": { "200": answer("Signed in.", "LoginResponse") } });
    let answered = |name: &str| json!({ "responses": { "200": answer("The answer.", name) } });
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
        "list_jobs": answered("JobList"),
        "get_job": answered("Job"),
        "list_job_items": answered("JobItemList"),
        "cancel_job": answered("Job"),
        "undo_job": { "responses": { "200": null, "202": answer("The job that takes it back.", "Job") } },
        "upload_file": { "requestBody": { "content": scan(), "required": true }, "responses": { "200": null, "201": answer("It is kept.", "File") } },
        "file_content": { "responses": { "200": { "description": "The file, streamed.", "content": scan() } } },
        "device_track": { "responses": { "200": { "description": "The track, streamed.", "content": track() } } },
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

/// What is said of an operation that takes in a file: the file is the body, the rest stands in the query.
pub fn import(operation: &Operation) -> Value {
    let modes = json!({ "type": "string", "enum": ["dry_run", "all", "valid"] });
    let proposals = json!({ "type": "string", "enum": ["take", "leave"] });
    let columns = json!({ "type": "array", "items": { "type": "string" } });
    let mut body = file();
    body["application/json"] = Value::Null;
    json!({
        "operationId": operation.id,
        "parameters": [
            { "name": "column", "in": "query", "required": false, "schema": columns, "description": "What the columns of the file are, in their order: the name of a field, `id`, `action`, or `-` for one that is passed over. What they seem to be when absent." },
            { "name": "mode", "in": "query", "required": false, "schema": modes, "description": "`dry_run` when absent." },
            sheet(),
            heading_row(),
            { "name": "create_missing", "in": "query", "required": false, "schema": { "type": "boolean" }, "description": "Makes the groups, brands, models, drivers and other such things that the file names and that are not there, with the rights of who asks." },
            { "name": "proposals", "in": "query", "required": false, "schema": proposals, "description": "Takes what is proposed for a cell, or leaves the cell as it is; when absent, such a cell is wrong." },
            query("tenant_id", "To whom new ones shall belong, for platform owners."),
        ],
        "requestBody": { "content": body },
    })
}

fn sheet() -> Value {
    query("sheet", "The name of the sheet; the first one that is not hidden when absent.")
}

fn heading_row() -> Value {
    json!({ "name": "heading_row", "in": "query", "required": false, "schema": { "type": "integer", "minimum": 1 }, "description": "The number of the row with the headings, as spreadsheets count; where they seem to be when absent." })
}

/// The same for the operation that only looks at the file.
pub fn import_preview(import: &str) -> Value {
    json!({
        "operationId": format!("preview_{import}"),
        "summary": "Reads a file, and says what its columns seem to be.",
        "parameters": [sheet(), heading_row()],
        "responses": { "200": answer("What is in the file.", "ImportPreview") },
    })
}

/// The operation that gives an empty file to fill in.
pub fn import_template(operation: &Operation) -> Value {
    json!({
        "tags": [operation.tag],
        "operationId": format!("{}_template", operation.id),
        "summary": "A file with the headings that an import knows; those with `*` something new must have.",
        "parameters": [file_format()],
        "responses": {
            "200": { "description": "The file.", "content": file() },
            "4XX": { "description": "Refused; the body says why.", "content": { "application/json": { "schema": reference("ApiError") } } },
        },
    })
}

/// Of a file that can be imported.
fn file_format() -> Value {
    let formats = json!({ "type": "string", "enum": ["csv", "xlsx"] });
    json!({ "name": "format", "in": "query", "required": false, "schema": formats, "description": "`csv` when absent." })
}

fn file() -> Value {
    let binary = || json!({ "schema": { "type": "string", "format": "binary" } });
    json!({
        "text/csv": binary(),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": binary(),
    })
}

/// What every export is asked, besides what its list is.
pub fn export_parameters() -> Vec<Value> {
    let formats = json!({ "type": "string", "enum": ["csv", "xlsx", "pdf"] });
    let columns = json!({ "type": "array", "items": { "type": "string" } });
    vec![
        json!({ "name": "format", "in": "query", "description": "`csv` when absent. `pdf` has at most 10,000 rows.", "required": false, "schema": formats }),
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
        "application/pdf": { "schema": { "type": "string", "contentMediaType": "application/octet-stream" } },
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
            "limit": { "type": "integer", "minimum": 1, "description": "The limit that was reached, if one was." },
        },
    })
}

/// A track as JSON, as columns, and as the files that it can be had as.
fn track() -> Value {
    let binary = || json!({ "schema": { "type": "string", "format": "binary" } });
    json!({
        "application/json": { "schema": reference("Track") },
        "application/x-protobuf": binary(),
        "text/csv": binary(),
        "application/gpx+xml": binary(),
        "application/vnd.google-earth.kml+xml": binary(),
        "application/geo+json": binary(),
    })
}

/// A file that is kept: the kinds that are taken in.
fn scan() -> Value {
    let kinds = ["application/pdf", "image/jpeg", "image/png", "image/webp"];
    let binary = || json!({ "schema": { "type": "string", "format": "binary" } });
    Value::Object(kinds.map(|kind| (kind.to_owned(), binary())).into_iter().collect())
}
