//! Of vehicles, and what belongs to them.

use serde_json::json;

use super::{ABSENT, Row, Statuses, Who::*, except, get, linked, open, permitted, platform, send, signed_in, within};

/// Of a vehicle: who sees it sees them and acknowledges them. One that was acknowledged stays so.
pub(super) fn alarms() -> Vec<Row> {
    vec![
        get("list_alarms", "", permitted(200)),
        get("export_alarms", "", permitted(200)),
        get("get_alarm", "", linked(200)),
        send("acknowledge_alarm", json!({ "note": "{n}" }), linked(200)),
        // There is none of this id, so there is nothing to do.
        send("acknowledge_alarms", json!({ "ids": [ABSENT] }), permitted(200)),
        get("list_alarm_names", "", platform(200)),
        // Nothing was heard under a name that nobody knows.
        get("get_alarm_name", "", platform(404)),
        send("update_alarm_name", json!({ "event": "alarm.door" }), platform(404)),
        get("delete_alarm_name", "", platform(404)),
    ]
}

/// Of a vehicle: who sees it sees them, and who maintains it sends them. The one that is asked for is queued.
pub(super) fn commands() -> Vec<Row> {
    let saved = json!({ "tenant_id": "{tenant}", "name": "new {n}", "kind": "reboot" });
    let many = json!({ "device_ids": [ABSENT], "command": { "kind": "reboot" } });
    vec![
        get("list_commands", "", permitted(200)),
        get("export_commands", "", permitted(200)),
        get("get_command", "", linked(200)),
        get("list_command_kinds", "", linked(200)),
        send("send_command", json!({ "kind": "reboot" }), except(linked(200), Viewer, 403)),
        send("send_commands", many, permitted(200)),
        send("cancel_command", json!({}), except(linked(200), Viewer, 403)),
        send("consent_command", json!({ "agrees": true }), except(linked(409), Viewer, 403)),
        send("resolve_command", json!({ "carried_out": true }), except(linked(409), Viewer, 403)),
        get("list_saved_commands", "", permitted(200)),
        send("create_saved_command", saved, except(permitted(201), Stranger, 422)),
        get("get_saved_command", "", within(200)),
        send("update_saved_command", json!({ "description": "{n}" }), within(200)),
        get("delete_saved_command", "", within(204)),
    ]
}

pub(super) fn devices() -> Vec<Row> {
    let device = json!({ "imei": "{imei}", "name": "new", "tenant_id": "{tenant}" });
    vec![
        get("list_devices", "", permitted(200)),
        get("export_devices", "", permitted(200)),
        get("list_device_groups", "", permitted(200)),
        send("create_device", device, except(permitted(201), Stranger, 422)),
        get("get_device", "", linked(200)),
        send("update_device", json!({ "vehicle_code": "{n}" }), except(linked(200), Viewer, 403)),
        get("delete_device", "", except(except(linked(204), Viewer, 403), Technician, 403)),
        // A deleted one is there for whoever may delete it.
        send("restore_device", json!({}), of_deleted(200)),
        send("erase_device", json!({ "name": "gone" }), of_deleted(204)),
        get("device_track", "", linked(200)),
        get("device_track_segments", "", linked(200)),
        get("device_messages", "", linked(200)),
        get("last_positions", "", permitted(200)),
        // What is at a place is nobody's own.
        send(
            "lookup_addresses",
            json!({ "points": [{ "lat": -6.2, "lng": 106.8 }], "language": "id" }),
            permitted(200),
        ),
        get("position_rejections", "", platform(200)),
        get("device_meters", "", linked(200)),
        get("fleet_day", "?day=2026-11-25", permitted(200)),
        get("list_meter_corrections", "", linked(200)),
        send("correct_meters", json!({ "odometer": 1000, "reason": "x" }), except(linked(200), Viewer, 403)),
        // There is none of this id; who may not undo any is told so before.
        get("undo_meter_correction", "", except(linked(404), Viewer, 403)),
        get("list_tracker_replacements", "", linked(200)),
        send("replace_tracker", json!({ "reason": "x" }), except(linked(200), Viewer, 403)),
        get("withdraw_tracker_replacement", "", except(linked(404), Viewer, 403)),
    ]
}

/// A deleted device is there for its owner and for admins.
const fn of_deleted(status: u16) -> Statuses {
    except(except(linked(status), Viewer, 404), Technician, 404)
}

/// Links are changed by who owns their device. Members see their own.
const fn of_owner(status: u16) -> Statuses {
    except(except(within(status), Unlinked, 404), Technician, 404)
}

pub(super) fn device_members() -> Vec<Row> {
    let link = json!({ "tenant_id": "{tenant}", "device_id": "{device}", "user_id": "{user}" });
    let links = json!({ "user_id": "{user}", "role": "viewer", "device_ids": [ABSENT] });
    vec![
        get("list_device_members", "", permitted(200)),
        get("export_device_members", "", permitted(200)),
        send("create_device_member", link, [401, 422, 403, 422, 403, 403, 201, 409, 409]),
        get("get_device_member", "", except(of_owner(200), Viewer, 404)),
        send("update_device_member", json!({ "role": "viewer" }), except(of_owner(200), Viewer, 404)),
        get("delete_device_member", "", except(of_owner(204), Viewer, 404)),
        send("link_devices", links, except(permitted(200), Stranger, 422)),
        get("list_device_access", "", except(except(linked(200), Viewer, 403), Technician, 403)),
        get("get_user_access", "", [401, 404, 403, 404, 404, 404, 404, 200, 200]),
    ]
}

/// Of a vehicle: who sees it sees them, and who maintains it changes them.
pub(super) fn documents() -> Vec<Row> {
    let document = json!({ "tenant_id": "{tenant}", "kind": "stnk", "device_id": "{device}" });
    let made = except(except(except(permitted(201), Stranger, 422), Unlinked, 422), Viewer, 403);
    vec![
        get("list_documents", "", permitted(200)),
        get("export_documents", "", permitted(200)),
        get("document_summary", "", permitted(200)),
        send("create_document", document, made),
        get("get_document", "", linked(200)),
        send("update_document", json!({ "notes": "{n}" }), except(linked(200), Viewer, 403)),
        get("delete_document", "", except(linked(204), Viewer, 403)),
        // The body is none that is taken in.
        Row {
            operation: "upload_file",
            query: "?name=scan.pdf",
            body: Some(json!({})),
            statuses: except(permitted(422), Platform, 422),
        },
        get("file_content", "", except(linked(200), Rightless, 404)),
        // Whose, a platform owner has to say.
        get("storage_usage", "", except(permitted(200), Platform, 422)),
    ]
}

/// Of a vehicle: who sees it sees it, and who maintains it changes it.
pub(super) fn maintenance() -> Vec<Row> {
    let new = json!({ "tenant_id": "{tenant}", "device_id": "{device}", "title": "Oil {n}", "interval_days": 90 });
    let made = except(except(except(permitted(201), Stranger, 422), Unlinked, 422), Viewer, 403);
    let plan = json!({ "group_id": ABSENT, "maintenance": { "tenant_id": "{tenant}", "title": "Oil" } });
    vec![
        get("list_maintenance", "", permitted(200)),
        get("export_maintenance", "", permitted(200)),
        get("maintenance_summary", "", permitted(200)),
        get("maintenance_words", "", permitted(200)),
        send("create_maintenance", new, made),
        // There is no such group.
        send("plan_maintenance", plan, permitted(422)),
        get("get_maintenance", "", linked(200)),
        send("update_maintenance", json!({ "detail": "{n}" }), except(linked(200), Viewer, 403)),
        get("delete_maintenance", "", except(linked(204), Viewer, 403)),
    ]
}

pub(super) fn maintenance_logs() -> Vec<Row> {
    let log = json!({ "tenant_id": "{tenant}", "maintenance_id": "{maintenance}", "vendor": "{n}" });
    let made = except(except(except(permitted(201), Stranger, 422), Unlinked, 422), Viewer, 403);
    vec![
        get("list_maintenance_logs", "", permitted(200)),
        get("export_maintenance_logs", "", permitted(200)),
        // Whose, a platform owner has to say.
        get("maintenance_costs", "?from=2026-01-01&until=2026-12-31", except(permitted(200), Platform, 422)),
        send("create_maintenance_log", log, made),
        get("get_maintenance_log", "", linked(200)),
        send("update_maintenance_log", json!({ "notes": "{n}" }), except(linked(200), Viewer, 403)),
        get("delete_maintenance_log", "", except(linked(204), Viewer, 403)),
    ]
}

pub(super) fn events() -> Vec<Row> {
    vec![
        get("list_events", "", permitted(200)),
        get("event_summary", "", permitted(200)),
        get("export_events", "", permitted(200)),
    ]
}

pub(super) fn drivers() -> Vec<Row> {
    let driver = json!({ "tenant_id": "{tenant}", "name": "new {n}" });
    vec![
        get("list_drivers", "", permitted(200)),
        get("export_drivers", "", permitted(200)),
        send("create_driver", driver, except(permitted(201), Stranger, 422)),
        get("get_driver", "", within(200)),
        send("update_driver", json!({ "notes": "{n}" }), within(200)),
        get("delete_driver", "", within(204)),
        get("list_driver_assignments", "", permitted(200)),
    ]
}

pub(super) fn master_data() -> Vec<Row> {
    let warehouse = json!({ "tenant_id": "{tenant}", "kind": "warehouse", "name": "new {n}" });
    vec![
        get("list_master_data", "", permitted(200)),
        get("export_master_data", "", permitted(200)),
        send("create_master_data_entry", warehouse, except(permitted(201), Stranger, 422)),
        get("get_master_data_entry", "", within(200)),
        send("update_master_data_entry", json!({ "description": "{n}" }), within(200)),
        get("delete_master_data_entry", "", within(204)),
        get("get_master_data_usage", "", within(200)),
        send("replace_master_data_entry", json!({ "replacement_id": ABSENT }), within(422)),
    ]
}

/// Who may make, change or remove something, may bring a file; what a row is, the service says once there are rows: these
/// bodies are tables without any.
pub(super) fn imports() -> Vec<Row> {
    let (file, looked_at) = (
        |operation| send(operation, json!({}), permitted(422)),
        |operation| send(operation, json!({}), permitted(200)),
    );
    vec![
        file("import_devices"),
        file("import_device_members"),
        file("import_drivers"),
        file("import_maintenance"),
        file("import_users"),
        looked_at("preview_import_devices"),
        looked_at("preview_import_device_members"),
        looked_at("preview_import_drivers"),
        looked_at("preview_import_maintenance"),
        looked_at("preview_import_users"),
        get("import_devices_template", "", signed_in(200)),
        get("import_device_members_template", "", signed_in(200)),
        get("import_drivers_template", "", signed_in(200)),
        get("import_maintenance_template", "", signed_in(200)),
        get("import_users_template", "", signed_in(200)),
    ]
}

pub(super) fn imeis() -> Vec<Row> {
    let imeis = json!({ "tenant_id": "{tenant}", "imeis": ["{imei}"] });
    vec![
        get("list_imei_claims", "", platform(200)),
        // There is none of this id; who may decide is told so.
        get("approve_imei_claim", "", platform(404)),
        send("reject_imei_claim", json!({ "reason": "x" }), platform(404)),
        get("list_imei_assignments", "", platform(200)),
        send("assign_imeis", imeis, platform(200)),
        get("unassign_imei", "", platform(204)),
        get("list_heard_imeis", "", permitted(200)),
    ]
}

/// Tiles and files are asked for with a signature, whoever asks.
pub(super) fn maps() -> Vec<Row> {
    vec![
        get("list_map_sources", "", signed_in(200)),
        get("map_tile", "?until=4000000000&signature=00", open(403)),
        get("map_file", "", open(403)),
    ]
}

/// Of a link of the device's owner: nobody else sees it but admins.
const fn of_maker(status: u16) -> Statuses {
    [401, 404, 403, 404, 404, 404, status, status, status]
}

pub(super) fn share_links() -> Vec<Row> {
    let new =
        json!({ "tenant_id": "{tenant}", "name": "new {n}", "device_id": "{device}", "expires_at": "{tomorrow}" });
    vec![
        get("list_share_links", "", permitted(200)),
        get("export_share_links", "", permitted(200)),
        send("create_share_link", new, [401, 422, 403, 422, 403, 403, 201, 201, 201]),
        get("get_share_link", "", of_maker(200)),
        send("update_share_link", json!({ "name": "changed {n}" }), of_maker(200)),
        get("delete_share_link", "", of_maker(204)),
        send("renew_share_link_address", json!({}), of_maker(200)),
        send("revoke_share_link", json!({}), of_maker(200)),
        // For people without an account.
        send("open_shared_view", json!({ "url_token": "nobody's" }), open(404)),
        get("shared_socket", "", open(401)),
    ]
}

/// Those of a tenant; a platform owner, who has none, names whose.
pub(super) fn thresholds() -> Vec<Row> {
    let idle = json!({ "tenant_id": "{tenant}", "idle_seconds": 90 });
    vec![get("get_thresholds", "", except(permitted(200), Platform, 422)), send("update_thresholds", idle, within(200))]
}
