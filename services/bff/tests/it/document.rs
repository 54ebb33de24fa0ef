//! The OpenAPI document.

use std::collections::BTreeSet;

use serde_json::Value;

fn document() -> Value {
    serde_json::from_str(armada_openapi::DOCUMENT).expect("JSON")
}

fn each<'a>(value: &'a Value, seen: &mut dyn FnMut(&'a Value)) {
    seen(value);
    match value {
        Value::Array(items) => items.iter().for_each(|item| each(item, seen)),
        Value::Object(fields) => fields.values().for_each(|field| each(field, seen)),
        _ => {}
    }
}

fn operations(document: &Value) -> impl Iterator<Item = &Value> {
    document["paths"]
        .as_object()
        .expect("paths")
        .values()
        .flat_map(|methods| methods.as_object().expect("methods").values())
}

#[test]
fn integers_fit_javascript_numbers() {
    each(&document(), &mut |value| {
        let format = value["format"].as_str().unwrap_or_default();
        assert!(!format.contains("64"), "{value}");
    });
}

#[test]
fn operations_have_names_of_their_own() {
    let document = document();
    let names: Vec<_> =
        operations(&document).map(|operation| operation["operationId"].as_str().expect("an id")).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    for name in [
        "sign_in_options",
        "login",
        "refresh",
        "logout",
        "me",
        "register",
        "forgot_password",
        "get_link",
        "use_link",
        "start_oidc",
        "finish_oidc",
        "ws_ticket",
        "get_account",
        "update_account",
        "get_preference",
        "set_preference",
        "change_password",
        "list_sessions",
        "end_session",
        "end_other_sessions",
        "set_up_totp",
        "confirm_totp",
        "remove_totp",
        "renew_recovery_codes",
        "list_tenants",
        "tenant_summary",
        "export_tenants",
        "create_tenant",
        "get_tenant",
        "update_tenant",
        "list_users",
        "user_summary",
        "export_users",
        "create_user",
        "get_user",
        "update_user",
        "delete_user",
        "set_user_roles",
        "send_user_link",
        "user_decisions",
        "list_roles",
        "role_templates",
        "create_role",
        "get_role",
        "update_role",
        "delete_role",
        "get_role_permissions",
        "set_role_permissions",
        "list_permissions",
        "create_permission",
        "update_permission",
        "delete_permission",
        "list_audit",
        "export_audit",
        "verify_audit",
        "list_devices",
        "create_device",
        "get_device",
        "update_device",
        "delete_device",
        "device_track",
        "last_positions",
        "position_rejections",
        "export_devices",
        "live_socket",
        "list_map_sources",
        "map_tile",
        "map_file",
    ] {
        assert!(names.contains(&name), "{name}");
    }
}

#[test]
fn every_operation_documents_rate_limiting() {
    for operation in operations(&document()) {
        let refused = &operation["responses"]["429"];
        assert!(refused["headers"]["Retry-After"]["schema"].is_object(), "{operation}");
        let body = &refused["content"]["application/json"]["schema"]["$ref"];
        assert_eq!(body, "#/components/schemas/ApiError", "{operation}");
    }
}

#[test]
fn every_operation_has_one_known_tag() {
    let document = document();
    let tags: BTreeSet<_> =
        document["tags"].as_array().expect("tags").iter().map(|tag| tag["name"].clone().to_string()).collect();
    for operation in operations(&document) {
        let own = operation["tags"].as_array().expect("tags");
        assert!(own.len() == 1 && tags.contains(&own[0].to_string()), "{operation}");
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document = document();
    each(&document, &mut |value| {
        if let Some(reference) = value["$ref"].as_str() {
            let name = reference.strip_prefix("#/components/schemas/").expect("a local reference");
            assert!(document["components"]["schemas"][name].is_object(), "{reference}");
        }
    });
}

#[test]
fn no_answer_shows_a_secret() {
    let document = document();
    for (name, schema) in document["components"]["schemas"].as_object().expect("schemas") {
        for field in schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys()) {
            // Whether there is one is none.
            let tells_it = schema["properties"][field]["type"] != "boolean";
            let is_instant = schema["properties"][field]["format"] == "date-time";
            let secret =
                tells_it && !is_instant && ["password", "secret", "refresh"].iter().any(|word| field.contains(word));
            // The authenticator of who sets it up needs to know it, once; and so does a gateway.
            let shown = ["TotpSetup", "Gateway"].contains(&name.as_str()) && field == "secret";
            assert!(!secret || shown || schema["properties"][field]["writeOnly"] == true, "{name}.{field}");
        }
    }
}

#[test]
fn what_the_server_makes_is_read_only() {
    let document = document();
    for name in ["Device", "Role", "SavedView", "Tenant", "User"] {
        let fields = document["components"]["schemas"][name]["properties"].as_object().expect(name);
        for field in ["id", "row_version", "created_at", "updated_at"] {
            assert_eq!(fields[field]["readOnly"], true, "{name}.{field}");
        }
        assert!(fields["name"]["readOnly"].is_null());
        let input = &document["components"]["schemas"][format!("{name}Input")]["properties"];
        assert!(input["id"].is_null() && input["row_version"].is_null() && input["name"].is_object(), "{name}");
    }
}

#[test]
fn the_socket_is_described() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    for (side, own, foreign) in
        [("WsClientMessage", "subscribe_devices", "position"), ("WsServerMessage", "position", "view")]
    {
        let mapping = schemas[side]["discriminator"]["mapping"].as_object().expect(side);
        assert!(mapping.contains_key(own) && !mapping.contains_key(foreign), "{side}");
        for (kind, reference) in mapping {
            let name = reference.as_str().and_then(|text| text.rsplit('/').next()).expect("a reference");
            assert_eq!(schemas[name]["properties"]["type"]["enum"][0], kind.as_str(), "{name}");
        }
        assert_eq!(schemas[side]["oneOf"].as_array().map(Vec::len), Some(mapping.len()));
    }
    let socket = &document["paths"]["/ws"]["get"]["x-websocket"];
    assert_eq!(socket["client"]["$ref"], "#/components/schemas/WsClientMessage");
    assert_eq!(document["paths"]["/api/v1/ws-ticket"]["post"]["tags"][0], "live");
}
