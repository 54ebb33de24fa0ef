//! Of people, what they may, and what is theirs.

use serde_json::{Value, json};

use super::{ABSENT, Row, Statuses, Who::*, except, get, open, permitted, platform, send, signed_in, within};
use crate::support::PASSWORD;

/// Cookies play no part here: nobody has one.
pub(super) fn sign_in() -> Vec<Row> {
    vec![
        get("sign_in_options", "", open(200)),
        send("login", json!({}), open(422)),
        send("refresh", json!({}), open(401)),
        send("logout", json!({}), open(204)),
        send("register", json!({}), open(422)),
        send("forgot_password", json!({}), open(422)),
        send("get_link", json!({ "token": "nobody's" }), open(404)),
        send("use_link", json!({ "token": "nobody's", "new_password": PASSWORD }), open(404)),
        get("start_oidc", "", open(303)),
        get("finish_oidc", "?state=x&code=x", open(303)),
        send("finish_oidc_with_code", json!({ "code": "000000" }), open(401)),
        get("me", "", signed_in(200)),
        send("ws_ticket", json!({}), permitted(200)),
        get("live_socket", "", open(401)),
    ]
}

pub(super) fn account() -> Vec<Row> {
    let wrong = || json!({ "password": "not the password" });
    vec![
        get("get_account", "", signed_in(200)),
        send("update_account", json!({ "phone": "0812" }), signed_in(200)),
        get("get_preference", "", signed_in(200)),
        send("set_preference", json!({ "value": { "order": [] } }), signed_in(200)),
        send("change_password", json!({}), signed_in(422)),
        send("reauthenticate", wrong(), signed_in(422)),
        get("list_sessions", "", signed_in(200)),
        get("end_session", "", signed_in(404)),
        get("end_other_sessions", "", signed_in(204)),
        send("set_up_totp", wrong(), signed_in(422)),
        send("confirm_totp", json!({ "code": "000000" }), signed_in(422)),
        send("remove_totp", wrong(), signed_in(422)),
        send("renew_recovery_codes", wrong(), signed_in(422)),
    ]
}

pub(super) fn tenants() -> Vec<Row> {
    vec![
        get("list_tenants", "", platform(200)),
        get("tenant_summary", "", platform(200)),
        get("export_tenants", "", platform(200)),
        send("create_tenant", json!({ "name": "new {n}" }), platform(201)),
        // One's own.
        get("get_tenant", "", except(signed_in(200), Stranger, 404)),
        get("mail_status", "", platform(200)),
        send("update_tenant", json!({ "description": "{n}" }), platform(200)),
        get("delete_tenant", "?name=gone", platform(200)),
        send("restore_tenant", json!({}), platform(200)),
        send("erase_tenant", json!({ "name": "gone" }), platform(204)),
    ]
}

pub(super) fn users() -> Vec<Row> {
    let user = json!({
        "name": "new", "email": "new-{n}@example.com", "password": PASSWORD, "tenant_id": "{tenant}",
    });
    vec![
        get("list_users", "", permitted(200)),
        get("user_summary", "", permitted(200)),
        get("export_users", "", permitted(200)),
        send("create_user", user, except(permitted(201), Stranger, 422)),
        get("get_user", "", within(200)),
        send("update_user", json!({ "phone": "{n}" }), within(200)),
        get("delete_user", "", within(204)),
        send("set_user_roles", json!({ "role_ids": ["{role}"] }), within(200)),
        send("send_user_link", json!({ "purpose": "password_reset" }), within(200)),
        get("user_decisions", "?key=user:list", within(200)),
    ]
}

pub(super) fn roles() -> Vec<Row> {
    let permission = json!({ "key": "warehouse:act{letters}", "description": "x" });
    vec![
        get("list_roles", "", permitted(200)),
        get("role_templates", "", permitted(200)),
        send(
            "create_role",
            json!({ "name": "new {n}", "tenant_id": "{tenant}" }),
            except(permitted(201), Stranger, 422),
        ),
        get("get_role", "", within(200)),
        send("update_role", json!({ "description": "{n}" }), within(200)),
        get("delete_role", "", within(204)),
        get("get_role_permissions", "", within(200)),
        send("set_role_permissions", json!({ "items": [{ "key": "user:list", "effect": "none" }] }), within(200)),
        get("list_permissions", "", permitted(200)),
        send("create_permission", permission, platform(201)),
        send("update_permission", json!({ "description": "{n}" }), platform(200)),
        get("delete_permission", "", platform(204)),
    ]
}

pub(super) fn audit() -> Vec<Row> {
    vec![
        get("list_audit", "", permitted(200)),
        get("export_audit", "", permitted(200)),
        get("verify_audit", "", permitted(200)),
    ]
}

pub(super) fn gateways() -> Vec<Row> {
    let gateway = json!({ "tenant_id": "{tenant}", "name": "new-{n}" });
    vec![
        get("list_gateways", "", permitted(200)),
        get("export_gateways", "", permitted(200)),
        send("create_gateway", gateway, except(permitted(201), Stranger, 422)),
        get("get_gateway", "", within(200)),
        send("update_gateway", json!({ "notes": "{n}" }), within(200)),
        get("delete_gateway", "", within(204)),
        send("rotate_gateway_secret", json!({}), within(200)),
        send("retire_gateway_secret", json!({}), within(200)),
        get("list_gateway_connections", "", within(200)),
        get("list_gateway_messages", "", within(200)),
    ]
}

/// Of a view that somebody shares: everybody of their tenant sees it, and it is changed by who made it and by admins.
const fn shared(status: u16, others: u16) -> Statuses {
    [401, 404, others, others, others, others, status, status, 404]
}

pub(super) fn saved_views() -> Vec<Row> {
    vec![
        get("list_saved_views", "?screen=devices", signed_in(200)),
        send("create_saved_view", json!({ "screen": "devices", "name": "new {n}" }), signed_in(201)),
        get("get_saved_view", "", shared(200, 200)),
        send("update_saved_view", json!({ "name": "changed {n}" }), shared(200, 403)),
        get("delete_saved_view", "", shared(204, 403)),
    ]
}

/// Of a job: who started it, and who administers them.
const fn own_job(status: u16) -> Statuses {
    [401, 404, 404, 404, 404, 404, status, status, status]
}

pub(super) fn jobs() -> Vec<Row> {
    let of = |act: &str, input: Value| json!({ "ids": [ABSENT], act: input });
    vec![
        send("bulk_devices", of("update", json!({ "vehicle_code": "{n}" })), permitted(202)),
        send("bulk_device_members", of("update", json!({ "role": "viewer" })), permitted(202)),
        send("bulk_documents", of("update", json!({ "notes": "{n}" })), permitted(202)),
        send("bulk_drivers", of("update", json!({ "notes": "{n}" })), permitted(202)),
        send("bulk_maintenance", of("update", json!({ "detail": "{n}" })), permitted(202)),
        send("bulk_maintenance_logs", json!({ "ids": [ABSENT], "delete": {} }), permitted(202)),
        send("bulk_master_data", of("update", json!({ "description": "{n}" })), permitted(202)),
        send("bulk_users", of("set_roles", json!({ "role_ids": ["{role}"] })), permitted(202)),
        send("bulk_tenants", of("update", json!({ "description": "{n}" })), platform(202)),
        get("list_jobs", "?service=fleet", signed_in(200)),
        get("get_job", "", own_job(200)),
        get("list_job_items", "", own_job(200)),
        send("cancel_job", json!({}), own_job(200)),
        // Its one item is of nothing.
        send("undo_job", json!({}), own_job(409)),
        // That is no import.
        get("get_import_report", "", own_job(404)),
    ]
}
