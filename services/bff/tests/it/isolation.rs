//! Two tenants: whatever is asked, another tenant's things answer exactly like things that do not exist.

use std::collections::HashSet;

use anyhow::Context as _;
use armada_proto::DeviceId;
use armada_testkit::{both_databases, eventually};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Device, Person, SOON, Site, comparable, position, text, upgrade};

const ABSENT: &str = "01900000-0000-7000-8000-000000000000";

/// Requests whose `{}` stands for an id; each with a body where one is needed.
fn requests() -> Vec<(Method, &'static str, Option<Value>)> {
    vec![
        (Method::GET, "/api/v1/devices/{}", None),
        (Method::PUT, "/api/v1/devices/{}", Some(json!({ "name": "mine" }))),
        (Method::PUT, "/api/v1/devices/{}", Some(json!({ "imei": "1" }))),
        (Method::DELETE, "/api/v1/devices/{}", None),
        (Method::GET, "/api/v1/devices/{}/track", None),
        (Method::GET, "/api/v1/devices/{}/track?format=gpx", None),
        (Method::GET, "/api/v1/devices/{}/track/segments", None),
        (Method::GET, "/api/v1/devices/{}/track?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z", None),
        (Method::GET, "/api/v1/devices/{}/track?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", None),
        (Method::GET, "/api/v1/devices/{}/messages", None),
        (Method::GET, "/api/v1/devices/{}/messages?outcome=refused&page_size=5", None),
        (Method::GET, "/api/v1/devices/{}/messages?cursor=x", None),
        (Method::GET, "/api/v1/devices/{}/access", None),
        (Method::GET, "/api/v1/device-members/{}", None),
        (Method::PUT, "/api/v1/device-members/{}", Some(json!({ "role": "viewer" }))),
        (Method::DELETE, "/api/v1/device-members/{}", None),
        (Method::GET, "/api/v1/device-members?tenant_id={}", None),
        (Method::GET, "/api/v1/device-members?user_id={}", None),
        (Method::GET, "/api/v1/device-members?device_id={}", None),
        (Method::POST, "/api/v1/device-members", Some(json!({ "device_id": "{}", "user_id": ABSENT }))),
        (Method::POST, "/api/v1/device-members", Some(json!({ "device_id": ABSENT, "user_id": "{}" }))),
        (
            Method::POST,
            "/api/v1/device-members/link",
            Some(json!({ "user_id": "{}", "role": "viewer", "device_ids": [ABSENT] })),
        ),
        (Method::GET, "/api/v1/users/{}/device-access", None),
        (Method::GET, "/api/v1/documents/{}", None),
        (Method::PUT, "/api/v1/documents/{}", Some(json!({ "notes": "mine" }))),
        (Method::DELETE, "/api/v1/documents/{}", None),
        (Method::GET, "/api/v1/files/{}/content", None),
        (Method::GET, "/api/v1/documents?tenant_id={}", None),
        (Method::GET, "/api/v1/documents?device_id={}", None),
        (Method::GET, "/api/v1/documents?driver_id={}", None),
        (Method::GET, "/api/v1/documents/summary?device_id={}", None),
        (Method::GET, "/api/v1/files/usage?tenant_id={}", None),
        (Method::GET, "/api/v1/thresholds?tenant_id={}", None),
        (Method::PUT, "/api/v1/thresholds", Some(json!({ "tenant_id": "{}", "idle_seconds": 90 }))),
        (Method::POST, "/api/v1/documents", Some(json!({ "kind": "stnk", "device_id": "{}" }))),
        (Method::POST, "/api/v1/documents", Some(json!({ "kind": "license", "driver_id": "{}" }))),
        (Method::POST, "/api/v1/devices/{}/commands", Some(json!({ "kind": "reboot" }))),
        (Method::POST, "/api/v1/devices/{}/commands", Some(json!({ "kind": "engine_stop", "reason": "mine" }))),
        (Method::GET, "/api/v1/devices/{}/command-kinds", None),
        (Method::GET, "/api/v1/commands?tenant_id={}", None),
        (Method::GET, "/api/v1/commands?device_id={}", None),
        (Method::GET, "/api/v1/commands?user_id={}", None),
        (Method::GET, "/api/v1/commands/{}", None),
        (Method::POST, "/api/v1/commands/{}/cancel", Some(json!({}))),
        (Method::POST, "/api/v1/commands/{}/consent", Some(json!({ "agrees": true }))),
        (Method::POST, "/api/v1/commands/{}/resolve", Some(json!({ "carried_out": true }))),
        (Method::GET, "/api/v1/saved-commands/{}", None),
        (Method::PUT, "/api/v1/saved-commands/{}", Some(json!({ "description": "mine" }))),
        (Method::DELETE, "/api/v1/saved-commands/{}", None),
        (Method::GET, "/api/v1/saved-commands?tenant_id={}", None),
        (Method::GET, "/api/v1/maintenance/{}", None),
        (Method::PUT, "/api/v1/maintenance/{}", Some(json!({ "detail": "mine" }))),
        (Method::DELETE, "/api/v1/maintenance/{}", None),
        (Method::GET, "/api/v1/maintenance?tenant_id={}", None),
        (Method::GET, "/api/v1/maintenance?device_id={}", None),
        (Method::GET, "/api/v1/maintenance/words?tenant_id={}", None),
        (Method::POST, "/api/v1/maintenance", Some(json!({ "title": "Mine", "device_id": "{}" }))),
        (
            Method::POST,
            "/api/v1/maintenance/plan",
            Some(json!({ "group_id": "{}", "maintenance": { "title": "Mine" } })),
        ),
        (Method::GET, "/api/v1/maintenance-logs/{}", None),
        (Method::PUT, "/api/v1/maintenance-logs/{}", Some(json!({ "notes": "mine" }))),
        (Method::DELETE, "/api/v1/maintenance-logs/{}", None),
        (Method::GET, "/api/v1/maintenance-logs?maintenance_id={}", None),
        (Method::POST, "/api/v1/maintenance-logs", Some(json!({ "maintenance_id": "{}" }))),
        (Method::GET, "/api/v1/maintenance-logs/costs?from=2026-01-01&until=2026-12-31&device_id={}", None),
        (Method::GET, "/api/v1/alarms/{}", None),
        (Method::GET, "/api/v1/alarms?tenant_id={}", None),
        (Method::GET, "/api/v1/alarms?device_id={}", None),
        (Method::GET, "/api/v1/alarms/export?tenant_id={}", None),
        (Method::POST, "/api/v1/alarms/{}/acknowledge", Some(json!({ "note": "mine" }))),
        (Method::POST, "/api/v1/alarms/acknowledge", Some(json!({ "ids": ["{}"] }))),
        (Method::POST, "/api/v1/alarms/acknowledge", Some(json!({ "device_id": "{}" }))),
        (Method::GET, "/api/v1/events?tenant_id={}", None),
        (Method::GET, "/api/v1/events?device_id={}", None),
        (Method::GET, "/api/v1/events/export?tenant_id={}", None),
        (Method::GET, "/api/v1/drivers/{}", None),
        (Method::PUT, "/api/v1/drivers/{}", Some(json!({ "name": "mine" }))),
        (Method::DELETE, "/api/v1/drivers/{}", None),
        (Method::GET, "/api/v1/master-data/{}", None),
        (Method::PUT, "/api/v1/master-data/{}", Some(json!({ "name": "mine" }))),
        (Method::DELETE, "/api/v1/master-data/{}", None),
        (Method::GET, "/api/v1/master-data/{}/usage", None),
        (Method::POST, "/api/v1/master-data/{}/replace", Some(json!({ "replacement_id": ABSENT }))),
        (Method::GET, "/api/v1/gateways/{}", None),
        (Method::PUT, "/api/v1/gateways/{}", Some(json!({ "enabled": false }))),
        (Method::DELETE, "/api/v1/gateways/{}", None),
        (Method::POST, "/api/v1/gateways/{}/secret", Some(json!({}))),
        (Method::POST, "/api/v1/gateways/{}/retire-secret", Some(json!({}))),
        (Method::GET, "/api/v1/gateways/{}/connections", None),
        (Method::GET, "/api/v1/gateway-messages/{}", None),
        (Method::GET, "/api/v1/users/{}", None),
        (Method::PUT, "/api/v1/users/{}", Some(json!({ "name": "mine" }))),
        (Method::DELETE, "/api/v1/users/{}", None),
        (Method::PUT, "/api/v1/users/{}/roles", Some(json!({ "role_ids": [ABSENT] }))),
        (Method::POST, "/api/v1/users/{}/links", Some(json!({ "purpose": "password_reset" }))),
        (Method::GET, "/api/v1/users/{}/decisions", None),
        (Method::GET, "/api/v1/roles/{}", None),
        (Method::PUT, "/api/v1/roles/{}", Some(json!({ "name": "mine" }))),
        (Method::DELETE, "/api/v1/roles/{}", None),
        (Method::GET, "/api/v1/roles/{}/permissions", None),
        (Method::PUT, "/api/v1/roles/{}/permissions", Some(json!({ "items": [] }))),
        (Method::GET, "/api/v1/saved-views/{}", None),
        (Method::PUT, "/api/v1/saved-views/{}", Some(json!({ "name": "mine" }))),
        (Method::DELETE, "/api/v1/saved-views/{}", None),
        (Method::DELETE, "/api/v1/account/sessions/{}", None),
        (Method::GET, "/api/v1/tenants/{}", None),
        (Method::PUT, "/api/v1/tenants/{}", Some(json!({ "name": "mine" }))),
        (Method::DELETE, "/api/v1/tenants/{}?name=two", None),
        (Method::POST, "/api/v1/tenants/{}/restore", Some(json!({}))),
        (Method::POST, "/api/v1/tenants/{}/erasure", Some(json!({ "name": "two" }))),
        (Method::GET, "/api/v1/devices?userIds={}", None),
        (Method::GET, "/api/v1/devices?tenant_id={}", None),
        (Method::GET, "/api/v1/devices?q={}", None),
        (Method::GET, "/api/v1/drivers?tenant_id={}", None),
        (Method::GET, "/api/v1/master-data?tenant_id={}", None),
        (Method::GET, "/api/v1/master-data?ids={}", None),
        (Method::GET, "/api/v1/devices?warehouse_id={}", None),
        (Method::GET, "/api/v1/devices?group_id={}", None),
        (Method::PUT, "/api/v1/devices/{}", Some(json!({ "warehouse_id": ABSENT }))),
        (Method::GET, "/api/v1/gateways?tenant_id={}", None),
        (Method::GET, "/api/v1/driver-assignments?driver_id={}", None),
        (Method::GET, "/api/v1/driver-assignments?device_id={}", None),
        (Method::PUT, "/api/v1/devices/{}", Some(json!({ "primary_driver_id": ABSENT }))),
        (Method::GET, "/api/v1/users?tenant_id={}", None),
        (Method::GET, "/api/v1/users?q={}", None),
        (Method::GET, "/api/v1/users?ids={}", None),
        (Method::GET, "/api/v1/users?role_id={}", None),
        (Method::GET, "/api/v1/users/summary?tenant_id={}", None),
        (Method::GET, "/api/v1/users/export?tenant_id={}", None),
        (Method::GET, "/api/v1/roles?tenant_id={}", None),
        (Method::GET, "/api/v1/audit?tenant_id={}", None),
        (Method::GET, "/api/v1/audit?actor_id={}", None),
        (Method::GET, "/api/v1/audit?object_id={}", None),
        (Method::GET, "/api/v1/audit/export?tenant_id={}", None),
        (Method::GET, "/api/v1/audit/verification?tenant_id={}", None),
        (Method::GET, "/api/v1/last-positions?userId={}", None),
        (Method::GET, "/api/v1/last-positions?tenant_id={}", None),
        (Method::GET, "/api/v1/last-positions?device_id={}", None),
        (Method::POST, "/api/v1/devices", Some(json!({ "imei": "351756051523999", "name": "x", "user_id": "{}" }))),
        (Method::POST, "/api/v1/devices", Some(json!({ "imei": "351756051523999", "name": "x", "tenant_id": "{}" }))),
        (
            Method::POST,
            "/api/v1/devices",
            Some(json!({ "imei": "351756051523999", "name": "x", "primary_driver_id": "{}" })),
        ),
        (
            Method::POST,
            "/api/v1/devices",
            Some(json!({ "imei": "351756051523999", "name": "x", "warehouse_id": "{}" })),
        ),
        (Method::GET, "/api/v1/devices/{}/meter-corrections", None),
        (Method::GET, "/api/v1/devices/{}/meters", None),
        (Method::GET, "/api/v1/devices/{}/tracker-replacements", None),
        (Method::GET, "/api/v1/jobs/fleet/{}", None),
        (Method::GET, "/api/v1/jobs/fleet/{}/items", None),
        (Method::GET, "/api/v1/jobs/fleet/{}/import-report", None),
        (Method::GET, "/api/v1/share-links/{}", None),
        (Method::GET, "/api/v1/share-links?tenant_id={}", None),
        (Method::GET, "/api/v1/driver-assignments?tenant_id={}", None),
        (Method::GET, "/api/v1/documents/summary?tenant_id={}", None),
        (Method::GET, "/api/v1/events/summary?tenant_id={}", None),
        (Method::GET, "/api/v1/maintenance/summary?tenant_id={}", None),
        (Method::GET, "/api/v1/maintenance-logs?tenant_id={}", None),
        (Method::GET, "/api/v1/maintenance-logs/costs?from=2026-01-01&until=2026-12-31&tenant_id={}", None),
        (Method::GET, "/api/v1/meters/day?day=2026-01-01&tenant_id={}", None),
        (Method::GET, "/api/v1/jobs?service=fleet&tenant_id={}", None),
        (Method::GET, "/api/v1/heard-imeis?tenant_id={}", None),
        (Method::GET, "/api/v1/commands/export?tenant_id={}", None),
        (Method::GET, "/api/v1/device-members/export?tenant_id={}", None),
        (Method::GET, "/api/v1/devices/export?tenant_id={}", None),
        (Method::GET, "/api/v1/documents/export?tenant_id={}", None),
        (Method::GET, "/api/v1/drivers/export?tenant_id={}", None),
        (Method::GET, "/api/v1/gateways/export?tenant_id={}", None),
        (Method::GET, "/api/v1/maintenance/export?tenant_id={}", None),
        (Method::GET, "/api/v1/maintenance-logs/export?tenant_id={}", None),
        (Method::GET, "/api/v1/master-data/export?tenant_id={}", None),
        (Method::GET, "/api/v1/share-links/export?tenant_id={}", None),
        (Method::POST, "/api/v1/devices/{}/restore", Some(json!({}))),
        (Method::POST, "/api/v1/devices/{}/erasure", Some(json!({ "name": "Theirs" }))),
        (
            Method::POST,
            "/api/v1/devices/{}/meter-corrections",
            Some(json!({ "odometer": 1, "reason": "mine", "effective_from": "2026-01-01T00:00:00Z" })),
        ),
        (Method::DELETE, "/api/v1/devices/{}/meter-corrections/01900000-0000-7000-8000-000000000001", None),
        (
            Method::POST,
            "/api/v1/devices/{}/tracker-replacements",
            Some(json!({ "imei": "351756051523999", "replaced_at": "2026-01-01T00:00:00Z" })),
        ),
        (Method::DELETE, "/api/v1/devices/{}/tracker-replacements/01900000-0000-7000-8000-000000000001", None),
        (Method::POST, "/api/v1/jobs/fleet/{}/cancel", Some(json!({}))),
        (Method::POST, "/api/v1/jobs/fleet/{}/undo", Some(json!({}))),
        (Method::PUT, "/api/v1/share-links/{}", Some(json!({ "name": "mine" }))),
        (Method::DELETE, "/api/v1/share-links/{}", None),
        (Method::POST, "/api/v1/share-links/{}/address", Some(json!({}))),
        (Method::POST, "/api/v1/share-links/{}/revoke", Some(json!({}))),
        (Method::POST, "/api/v1/drivers", Some(json!({ "name": "x", "tenant_id": "{}" }))),
        (Method::POST, "/api/v1/gateways", Some(json!({ "name": "x", "tenant_id": "{}" }))),
        (Method::POST, "/api/v1/master-data", Some(json!({ "kind": "device_group", "name": "x", "tenant_id": "{}" }))),
        (Method::POST, "/api/v1/master-data", Some(json!({ "kind": "device_group", "name": "x", "parent_id": "{}" }))),
        (Method::POST, "/api/v1/saved-commands", Some(json!({ "kind": "reboot", "name": "x", "tenant_id": "{}" }))),
        (
            Method::POST,
            "/api/v1/share-links",
            Some(json!({ "name": "x", "device_id": "{}", "expires_at": "2999-01-01T00:00:00Z" })),
        ),
        (Method::POST, "/api/v1/commands", Some(json!({ "device_ids": ["{}"], "command": { "kind": "reboot" } }))),
        (Method::POST, "/api/v1/roles", Some(json!({ "name": "x", "tenant_id": "{}" }))),
        (Method::POST, "/api/v1/roles", Some(json!({ "name": "x", "copy_of": "{}" }))),
        (
            Method::POST,
            "/api/v1/users",
            Some(json!({ "name": "x", "email": "x@example.com", "password": "long enough", "tenant_id": "{}" })),
        ),
    ]
}

/// What is asked of operations that name no thing of a tenant, and why not.
const NOT_ASKED: [(&str, &str); 30] = [
    ("approve_imei_claim", "for platform owners alone"),
    ("assign_imeis", "as above"),
    ("bulk_device_members", "a job, to whose items others do not exist: `jobs.rs`"),
    ("bulk_devices", "as above"),
    ("bulk_documents", "as above"),
    ("bulk_drivers", "as above"),
    ("bulk_maintenance", "as above"),
    ("bulk_maintenance_logs", "as above"),
    ("bulk_master_data", "as above"),
    ("bulk_tenants", "as above"),
    ("bulk_users", "as above"),
    ("delete_alarm_name", "of the platform"),
    ("delete_permission", "as above"),
    ("get_alarm_name", "as above"),
    ("get_preference", "one's own"),
    ("import_device_members", "takes a file: `imports.rs`"),
    ("import_devices", "as above"),
    ("import_drivers", "as above"),
    ("import_maintenance", "as above"),
    ("import_users", "as above"),
    ("list_imei_assignments", "for platform owners alone"),
    ("list_imei_claims", "as above"),
    ("map_file", "of the platform"),
    ("map_tile", "as above"),
    ("reject_imei_claim", "for platform owners alone"),
    ("set_preference", "one's own"),
    ("unassign_imei", "for platform owners alone"),
    ("update_alarm_name", "of the platform"),
    ("update_permission", "as above"),
    ("upload_file", "takes a file: `files.rs`"),
];

/// Whether the body of an operation names something: a tenant, or another thing by its id.
fn names_in_body(document: &Value, operation: &Value) -> bool {
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    let reference = schema["$ref"].as_str().or(schema["allOf"][0]["$ref"].as_str()).unwrap_or_default();
    let fields = &document["components"]["schemas"][reference.rsplit('/').next().unwrap_or_default()]["properties"];
    let names = |name: &String| name == "ids" || name.ends_with("_id") || name.ends_with("_ids");
    fields.as_object().is_some_and(|fields| fields.keys().any(names))
}

/// Operations that name something, by their path, by the tenant that they narrow to, or in their body, and that [`requests`]
/// does not ask.
fn not_asked() -> Vec<String> {
    let document: Value = serde_json::from_str(armada_openapi::DOCUMENT).expect("JSON");
    let asked: Vec<_> = requests()
        .into_iter()
        .map(|(method, path, body)| {
            let in_body = body.is_some_and(|body| body.to_string().contains("\"{}\""));
            (method, path, in_body)
        })
        .collect();
    let mut missing = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        let pattern: Vec<_> = path.split('/').collect();
        let named = |part: &str| part.starts_with('{');
        for (method, operation) in methods.as_object().expect("methods") {
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let narrows = parameters.clone().any(|parameter| parameter["name"] == "tenant_id");
            let asks = |(verb, address, _): &(Method, &str, bool)| {
                let address: Vec<_> = address.split('?').next().unwrap_or_default().split('/').collect();
                let is_same = |(part, of): (&&str, &&str)| part == of || named(part);
                verb.as_str().eq_ignore_ascii_case(method)
                    && address.len() == pattern.len()
                    && pattern.iter().zip(&address).all(is_same)
            };
            let is_asked = match pattern.iter().any(|part| named(part)) {
                true => asked.iter().any(|request| {
                    asks(request) && request.1.split('?').next().is_some_and(|path| path.contains("{}"))
                }),
                false => {
                    let narrowed = |request: &(Method, &str, bool)| request.1.contains("tenant_id={}");
                    let by_query = !narrows || asked.iter().any(|request| asks(request) && narrowed(request));
                    let named = names_in_body(&document, operation);
                    by_query && (!named || asked.iter().any(|request| asks(request) && request.2))
                }
            };
            if !is_asked {
                missing.push(operation["operationId"].as_str().unwrap_or_default().to_owned());
            }
        }
    }
    missing.sort();
    missing
}

#[test]
fn every_operation_that_names_something_is_asked() {
    let known: Vec<_> = NOT_ASKED.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(not_asked(), known, "add a request with a foreign id to `requests`");
}

/// Each request answers for these ids as for one of nothing.
async fn assert_no_difference(caller: &Person, foreign: &[&str]) -> anyhow::Result<()> {
    for (method, path, body) in requests() {
        let ask = async |id: &str| {
            let body = body.as_ref().map(|body| {
                serde_json::from_str(&body.to_string().replace("\"{}\"", &format!("\"{id}\""))).expect("JSON")
            });
            // An export gives its place back once its answer has been sent, a moment after it was read here.
            eventually("there is a place for what is heavy", SOON, async || {
                let reply = caller.api.request(method.clone(), &path.replace("{}", id), &[], body.as_ref()).await?;
                anyhow::ensure!(reply.status != StatusCode::TOO_MANY_REQUESTS, "{}", reply.text);
                Ok(reply)
            })
            .await
        };
        let nobodys = ask(ABSENT).await;
        assert!(!nobodys.status.is_server_error(), "{method} {path}: {}", nobodys.text);
        for id in foreign {
            // What was asked may stand in the answer, as often as it was asked for nothing.
            let [theirs, nobodys] = [(&ask(id).await, *id), (&nobodys, ABSENT)].map(|(reply, id)| {
                let (status, mut headers, text) = comparable(reply);
                headers.retain(|(name, _)| name != "content-length");
                (status, headers, text.replace(id, "?"))
            });
            assert_eq!(theirs, nobodys, "{method} {path} {id}");
        }
    }
    Ok(())
}

async fn assert_no_socket(caller: &Person, foreign: &str) -> anyhow::Result<()> {
    let open = async |user: &str| {
        let ticket = caller.ticket().await?;
        upgrade(&caller.api, &format!("token={ticket}&userId={user}&context=maps"), &[]).await
    };
    let (theirs, nobodys) = (open(foreign).await?, open(ABSENT).await?);
    assert_eq!(theirs.status, StatusCode::NOT_FOUND, "{}", theirs.text);
    assert_eq!(comparable(&theirs), comparable(&nobodys));
    Ok(())
}

/// Of what one may not see, nothing is heard: neither at subscription nor when it moves.
async fn assert_silence(
    site: &Site,
    caller: &Person,
    own: &Device,
    foreign: &[(armada_proto::TenantId, DeviceId)],
) -> anyhow::Result<()> {
    let mut socket = caller.socket("&context=maps").await?;
    let mut ids: Vec<_> = foreign.iter().map(|(_, device)| device.to_string()).collect();
    ids.extend([ABSENT.to_owned(), "no id".to_owned()]);
    socket.send(json!({ "type": "subscribe_devices", "payload": { "device_ids": ids } })).await?;
    for (tenant, device) in foreign {
        site.live(*tenant, vec![position(*device, 4_000_000_000)]).await?;
    }
    socket.send(json!({ "type": "subscribe_devices", "payload": { "device_ids": [own.id] } })).await?;
    let mut messages = Vec::new();
    loop {
        let message = socket.next(SOON).await?;
        messages.push(message.to_string());
        if message["type"] == "device_update" {
            break;
        }
    }
    for message in messages {
        for (_, device) in foreign {
            assert!(!message.contains(&device.to_string()), "{message}");
        }
        assert!(!message.contains(ABSENT) && !message.contains("\"error\""), "{message}");
    }
    socket.close().await
}

both_databases! {
    async fn other_tenants_do_not_exist(kind: Kind) -> anyhow::Result<()> {
        let mut config = armada_bff::Config::default();
        // So many questions in a row would be one user's too many.
        let limits = &mut config.limits;
        (limits.user_burst, limits.tenant_burst, limits.address_burst) = (100_000, 100_000, 100_000);
        let site = Site::start_with(kind, config).await?;
        let (one, two) = (site.tenant("one").await?, site.tenant("two").await?);
        let everything = site.one_of_everything(&two).await?;
        let two_id = two.id.to_string();
        let theirs = &everything.device;
        let own = one.admin.device(490_154_203_237_518, "Own", None).await?;
        let user = site.user(one.id, "budi", false).await?;
        let linked = one.admin.device(861_230_041_234_567, "Linked", Some(&user.id)).await?;
        for (device, second) in [(theirs, 1_700_000_000), (&own, 1_700_000_000), (&linked, 1_700_000_000)] {
            site.drive(device, second, -6.2).await?;
        }
        for caller in [&one.admin, &user] {
            let mut foreign = vec![&*two.admin.id, &two_id];
            foreign.extend(everything.ids.iter().map(|id| &**id));
            assert_no_difference(caller, &foreign).await?;
            assert_no_socket(caller, &two.admin.id).await?;
            let last = caller.api.get("/api/v1/last-positions").await?.expect(StatusCode::OK);
            assert!(!last.to_string().contains(&theirs.id.to_string()), "{last}");
        }
        let left = two.admin.api.get(&format!("/api/v1/alarms/{}", everything.alarm)).await?.expect(StatusCode::OK);
        assert_eq!(left["state"], "open", "nobody else has acknowledged it");
        assert_no_difference(&user, &[&own.id.to_string()]).await?;
        assert_no_socket(&user, &one.admin.id).await?;
        assert_silence(&site, &one.admin, &own, &[(two.id, theirs.id)]).await?;
        assert_silence(&site, &user, &linked, &[(two.id, theirs.id), (one.id, own.id)]).await?;
        let last = user.api.get("/api/v1/last-positions").await?.expect(StatusCode::OK);
        assert_eq!((&last["total"], &last["items"][0]["device_id"]), (&json!(1), &json!(linked.id)));
        // What somebody sees is the same in every list, for who looks at it as well.
        for (of, ids) in [(&one.admin, vec![own.id, linked.id]), (&user, vec![linked.id])] {
            let devices = site.owner.api.get(&format!("/api/v1/devices?userIds={}", of.id)).await?.expect(StatusCode::OK);
            let last = site.owner.api.get(&format!("/api/v1/last-positions?userId={}", of.id)).await?.expect(StatusCode::OK);
            for (list, field) in [(&devices, "id"), (&last, "device_id")] {
                let items = list["items"].as_array().context("items")?;
                let seen: HashSet<_> = items.iter().map(|item| text(&item[field])).collect();
                assert_eq!(seen, ids.iter().map(ToString::to_string).collect(), "{list}");
            }
        }
        site.running.stop().await
    }
}
