//! The OpenAPI 3.1 document.

use std::collections::{BTreeMap, BTreeSet};

use armada_descriptors::{Contract, Operation, Reply, Rules, comment, json_name, sortable};
use prost_reflect::FieldDescriptor;
use serde_json::{Map, Value, json};

use crate::{
    custom, maps,
    schemas::{Schemas, reference},
    socket,
};

/// What parameters mean that many lists have, where the request does not say it itself.
const USUAL: [(&str, &str); 4] = [
    ("page", "From 1, as far as the 10,000th entry."),
    ("page_size", "25 when absent."),
    ("q", "Text to search for."),
    ("tenant_id", "Only of this tenant, for platform owners."),
];

/// The whole document, as text.
pub fn document(contract: &Contract, version: &str) -> String {
    let mut schemas = Schemas::default();
    let mut paths = Map::new();
    // What a tag is about: the comments of the services that have it.
    let mut tags = BTreeMap::<String, BTreeSet<String>>::new();
    let mut patches = custom::operations();
    for operation in &contract.operations {
        let mut described = describe(operation, &mut schemas);
        if let Some(patch) = patches.remove(&operation.id) {
            merge(&mut described, patch);
        }
        if operation.is_import() {
            merge(&mut described, custom::import(operation));
            let preview = described_as_preview(&described);
            paths.insert(format!("{}/preview", operation.path), json!({ "post": preview }));
            let template = custom::import_template(operation);
            paths.insert(format!("{}/template", operation.path), json!({ "get": template }));
        }
        let methods = paths.entry(operation.path.clone()).or_insert_with(|| json!({}));
        methods[operation.verb] = described;
        let service = operation.method.parent_service();
        let about = comment(&service.parent_file(), service.path()).unwrap_or_default();
        tags.entry(operation.tag.clone()).or_default().insert(about);
    }
    assert!(patches.is_empty(), "these have no method in the contract: {patches:?}");
    for (tag, about) in [(socket::TAG, socket::ABOUT_TAG), (maps::TAG, maps::ABOUT_TAG)] {
        tags.entry(tag.to_owned()).or_default().insert(about.to_owned());
    }
    let tags = tags.into_iter().map(|(name, about)| {
        let about = about.into_iter().collect::<Vec<_>>().join(" ");
        json!({ "name": name, "description": about })
    });
    paths.extend(socket::paths());
    paths.extend(maps::paths());
    paths.sort_keys();
    for name in socket::MESSAGES.into_iter().chain(custom::MESSAGES).chain(maps::MESSAGES) {
        schemas.message(&contract.pool.get_message_by_name(&format!("armada.v1.{name}")).expect(name));
    }
    schemas.0.extend(socket::schemas());
    schemas.0.insert("ApiError".to_owned(), custom::api_error());
    schemas.0.sort_keys();
    for operation in paths.values_mut().flat_map(|methods| methods.as_object_mut().expect("methods").values_mut()) {
        operation["responses"]["429"] = too_many_requests();
    }
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Armada",
            "description": "Multi-tenant GPS fleet tracking. docs/API.md tells more, and of how positions come in on NATS.",
            "version": version,
        },
        "paths": paths,
        "components": {
            "schemas": schemas.0,
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer", "bearerFormat": "JWT" } },
        },
        "security": [{ "bearer": [] }],
        "tags": tags.collect::<Vec<_>>(),
    });
    serde_json::to_string_pretty(&document).expect("it is JSON")
}

/// The operation that looks at a file which another one takes in.
fn described_as_preview(import: &Value) -> Value {
    let id = import["operationId"].as_str().unwrap_or_default();
    let mut preview = import.clone();
    merge(&mut preview, custom::import_preview(id));
    preview
}

fn describe(operation: &Operation, schemas: &mut Schemas) -> Value {
    let method = &operation.method;
    let mut described = json!({ "tags": [operation.tag] });
    if let Some(text) = comment(&method.parent_service().parent_file(), method.path()) {
        described["summary"] = text.into();
    }
    described["operationId"] = (*operation.id).into();
    if !operation.permissions.is_empty() {
        described["x-permissions"] = operation.permissions.clone().into();
    }
    let parameters = parameters(operation, schemas);
    if !parameters.is_empty() {
        described["parameters"] = parameters.into();
    }
    if operation.has_body {
        let mut schema = schemas.message(&operation.request());
        let required = operation.required_to_create();
        if !required.is_empty() {
            schema = json!({ "allOf": [schema, { "type": "object", "required": required }] });
        }
        described["requestBody"] = json!({ "content": { "application/json": { "schema": schema } }, "required": true });
    }
    described["responses"] = responses(operation, schemas);
    if operation.is_public {
        described["security"] = json!([{}]);
    }
    described
}

fn parameters(operation: &Operation, schemas: &mut Schemas) -> Vec<Value> {
    let mut parameters = Vec::new();
    for name in operation.path_fields() {
        let field = operation.request().get_field_by_name(name).expect("it was looked up before");
        parameters.push(described_as(
            &field,
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }),
        ));
    }
    if operation.reply() == Reply::File {
        parameters.extend(custom::export_parameters());
    }
    for field in operation.query_fields() {
        let mut schema = schemas.value(&field);
        // How many there may be is checked by the server, and words of more would be refused all the same.
        if let Some(list) = schema.as_object_mut() {
            list.remove("maxItems");
        }
        parameters.push(described_as(
            &field,
            json!({ "name": json_name(&field), "in": "query", "required": Rules::of(&field).is_required(), "schema": schema }),
        ));
    }
    if operation.takes_version() {
        parameters.push(json!({
            "name": "If-Match",
            "in": "header",
            "description": "The version that was seen, as `ETag` gave it: 412 when it is not the present one.",
            "required": false,
            "schema": { "type": "string" },
        }));
    }
    if operation.verb == "post" && !operation.is_public {
        parameters.push(json!({
            "name": "Idempotency-Key",
            "in": "header",
            "description": "1 to 255 visible characters of ASCII. The same call under the same key is done once, and answered as the first time, for a day.",
            "required": false,
            "schema": { "type": "string" },
        }));
    }
    parameters
}

fn described_as(field: &FieldDescriptor, mut parameter: Value) -> Value {
    let sortable = sortable(field);
    let own = match sortable.is_empty() {
        false => Some("A field, `-` before it for descending.".to_owned()),
        true => comment(&field.parent_message().parent_file(), field.path()),
    };
    let usual = USUAL.iter().find(|(name, _)| *name == field.name()).map(|(_, text)| (*text).to_owned());
    if let Some(text) = own.or(usual) {
        parameter["description"] = text.into();
    }
    parameter
}

fn responses(operation: &Operation, schemas: &mut Schemas) -> Value {
    let body = |schemas: &mut Schemas| {
        let schema = schemas.message(&operation.answer());
        json!({ "application/json": { "schema": schema } })
    };
    let version = json!({ "ETag": { "schema": { "type": "string" }, "description": "Its version." } });
    let (status, done) = match operation.reply() {
        Reply::Nothing => ("204", json!({ "description": "Done." })),
        Reply::Row { is_new: true } => {
            ("201", json!({ "description": "It is made.", "headers": version, "content": body(schemas) }))
        }
        Reply::Row { is_new: false } => {
            ("200", json!({ "description": "As it is now.", "headers": version, "content": body(schemas) }))
        }
        Reply::Job => {
            let address = json!({ "schema": { "type": "string" }, "description": "Where the job can be watched." });
            (
                "202",
                json!({ "description": "It is started.", "headers": { "Location": address }, "content": body(schemas) }),
            )
        }
        Reply::Message => ("200", json!({ "description": "The answer.", "content": body(schemas) })),
        Reply::File => ("200", json!({ "description": "The file, streamed.", "content": custom::files() })),
        // What it is stands with its handler.
        Reply::Custom => ("200", json!({})),
    };
    let refused = json!({
        "description": "Refused; the body says why.",
        "content": { "application/json": { "schema": reference("ApiError") } },
    });
    json!({ status: done, "4XX": refused })
}

fn too_many_requests() -> Value {
    json!({
        "description": "Too many requests from this address, by this user, or by this tenant.",
        "headers": { "Retry-After": {
            "schema": { "type": "integer", "format": "int32", "minimum": 0 },
            "description": "Seconds until the next try.",
        } },
        "content": { "application/json": { "schema": reference("ApiError") } },
    })
}

/// JSON Merge Patch (RFC 7386).
fn merge(target: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        *target = patch;
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    for (key, value) in patch {
        if value.is_null() {
            target.as_object_mut().expect("it is an object").remove(&key);
        } else {
            merge(&mut target[key], value);
        }
    }
}
