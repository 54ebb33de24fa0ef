//! Who may do what: every operation of the document, asked by everybody there is. An operation without a row fails, and
//! so does one that tells a stranger more of a foreign thing than of one that does not exist.

use std::{cell::Cell, collections::BTreeMap, time::Duration};

use anyhow::Context as _;
use armada_proto::{TenantId, Timestamp, access::CATALOGUE};
use armada_testkit::{Api, Kind, Reply, both_databases, eventually};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Device, OWNER, PASSWORD, SOON, Site, address, essence, text};

const ABSENT: &str = "01900000-0000-7000-8000-000000000000";

/// Everybody there is. The stranger is the admin of another tenant than that of the things that are asked for; those from
/// `Unlinked` to `Owner` hold every permission, and differ in what they are to the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Anonymous,
    Stranger,
    Rightless,
    Unlinked,
    Viewer,
    Technician,
    Owner,
    Admin,
    Platform,
}

use Who::*;

const EVERYBODY: [Who; 9] = [Anonymous, Stranger, Rightless, Unlinked, Viewer, Technician, Owner, Admin, Platform];

/// The status that each of them gets.
type Statuses = [u16; 9];

/// For anybody.
const fn open(status: u16) -> Statuses {
    [status; 9]
}

/// For who is signed in.
const fn signed_in(status: u16) -> Statuses {
    [401, status, status, status, status, status, status, status, status]
}

/// For who holds the permission.
const fn held(status: u16) -> Statuses {
    [401, status, 403, status, status, status, status, status, status]
}

/// For platform owners.
const fn platform(status: u16) -> Statuses {
    [401, 403, 403, 403, 403, 403, 403, 403, status]
}

/// The same but for one of them.
const fn but(mut statuses: Statuses, who: Who, status: u16) -> Statuses {
    statuses[who as usize] = status;
    statuses
}

/// For who holds the permission, of a thing of one tenant: for a stranger it does not exist.
const fn within(status: u16) -> Statuses {
    but(held(status), Stranger, 404)
}

/// A device is there for who is linked to it.
const fn linked(status: u16) -> Statuses {
    but(within(status), Unlinked, 404)
}

/// What is asked of an operation. In the body `{tenant}`, `{role}`, `{user}`, `{device}` and `{maintenance}` are those of one tenant; `{n}`, `{letters}` and
/// `{imei}` are others each time.
struct Row {
    operation: &'static str,
    query: &'static str,
    body: Option<Value>,
    statuses: Statuses,
}

fn get(operation: &'static str, query: &'static str, statuses: Statuses) -> Row {
    Row { operation, query, body: None, statuses }
}

fn send(operation: &'static str, body: Value, statuses: Statuses) -> Row {
    Row { operation, query: "", body: Some(body), statuses }
}

/// All operations.
fn rows() -> Vec<Row> {
    let rows = [
        sign_in(),
        account(),
        tenants(),
        users(),
        roles(),
        audit(),
        commands(),
        devices(),
        device_members(),
        documents(),
        drivers(),
        master_data(),
        gateways(),
        imeis(),
        maintenance(),
        maintenance_logs(),
        saved_views(),
        share_links(),
        jobs(),
        imports(),
    ];
    rows.into_iter().flatten().collect()
}

/// Cookies play no part here: nobody has one.
fn sign_in() -> Vec<Row> {
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
        send("ws_ticket", json!({}), held(200)),
        get("live_socket", "", open(401)),
    ]
}

fn account() -> Vec<Row> {
    let wrong = || json!({ "password": "not the password" });
    vec![
        get("get_account", "", signed_in(200)),
        send("update_account", json!({ "phone": "0812" }), signed_in(200)),
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

fn tenants() -> Vec<Row> {
    vec![
        get("list_tenants", "", platform(200)),
        get("tenant_summary", "", platform(200)),
        get("export_tenants", "", platform(200)),
        send("create_tenant", json!({ "name": "new {n}" }), platform(201)),
        // One's own.
        get("get_tenant", "", but(signed_in(200), Stranger, 404)),
        send("update_tenant", json!({ "description": "{n}" }), platform(200)),
        get("delete_tenant", "?name=gone", platform(200)),
        send("restore_tenant", json!({}), platform(200)),
        send("erase_tenant", json!({ "name": "gone" }), platform(204)),
    ]
}

fn users() -> Vec<Row> {
    let user = json!({
        "name": "new", "email": "new-{n}@example.com", "password": PASSWORD, "tenant_id": "{tenant}",
    });
    vec![
        get("list_users", "", held(200)),
        get("user_summary", "", held(200)),
        get("export_users", "", held(200)),
        send("create_user", user, but(held(201), Stranger, 422)),
        get("get_user", "", within(200)),
        send("update_user", json!({ "phone": "{n}" }), within(200)),
        get("delete_user", "", within(204)),
        send("set_user_roles", json!({ "role_ids": ["{role}"] }), within(200)),
        send("send_user_link", json!({ "purpose": "password_reset" }), within(200)),
        get("user_decisions", "?key=user:list", within(200)),
    ]
}

fn roles() -> Vec<Row> {
    let permission = json!({ "key": "warehouse:act{letters}", "description": "x" });
    vec![
        get("list_roles", "", held(200)),
        get("role_templates", "", held(200)),
        send("create_role", json!({ "name": "new {n}", "tenant_id": "{tenant}" }), but(held(201), Stranger, 422)),
        get("get_role", "", within(200)),
        send("update_role", json!({ "description": "{n}" }), within(200)),
        get("delete_role", "", within(204)),
        get("get_role_permissions", "", within(200)),
        send("set_role_permissions", json!({ "items": [{ "key": "user:list", "effect": "none" }] }), within(200)),
        get("list_permissions", "", held(200)),
        send("create_permission", permission, platform(201)),
        send("update_permission", json!({ "description": "{n}" }), platform(200)),
        get("delete_permission", "", platform(204)),
    ]
}

fn audit() -> Vec<Row> {
    vec![get("list_audit", "", held(200)), get("export_audit", "", held(200)), get("verify_audit", "", held(200))]
}

/// Of a vehicle: who sees it sees them, and who maintains it sends them. The one that is asked for is queued.
fn commands() -> Vec<Row> {
    let saved = json!({ "tenant_id": "{tenant}", "name": "new {n}", "kind": "reboot" });
    let many = json!({ "device_ids": [ABSENT], "command": { "kind": "reboot" } });
    vec![
        get("list_commands", "", held(200)),
        get("export_commands", "", held(200)),
        get("get_command", "", linked(200)),
        get("list_command_kinds", "", linked(200)),
        send("send_command", json!({ "kind": "reboot" }), but(linked(200), Viewer, 403)),
        send("send_commands", many, held(200)),
        send("cancel_command", json!({}), but(linked(200), Viewer, 403)),
        send("consent_command", json!({ "agrees": true }), but(linked(409), Viewer, 403)),
        send("resolve_command", json!({ "carried_out": true }), but(linked(409), Viewer, 403)),
        get("list_saved_commands", "", held(200)),
        send("create_saved_command", saved, but(held(201), Stranger, 422)),
        get("get_saved_command", "", within(200)),
        send("update_saved_command", json!({ "description": "{n}" }), within(200)),
        get("delete_saved_command", "", within(204)),
    ]
}

fn devices() -> Vec<Row> {
    let device = json!({ "imei": "{imei}", "name": "new", "tenant_id": "{tenant}" });
    vec![
        get("list_devices", "", held(200)),
        get("export_devices", "", held(200)),
        send("create_device", device, but(held(201), Stranger, 422)),
        get("get_device", "", linked(200)),
        send("update_device", json!({ "vehicle_code": "{n}" }), but(linked(200), Viewer, 403)),
        get("delete_device", "", but(but(linked(204), Viewer, 403), Technician, 403)),
        // A deleted one is there for whoever may delete it.
        send("restore_device", json!({}), of_deleted(200)),
        send("erase_device", json!({ "name": "gone" }), of_deleted(204)),
        get("device_track", "", linked(200)),
        get("device_messages", "", linked(200)),
        get("last_positions", "", held(200)),
        get("position_rejections", "", platform(200)),
        get("device_meters", "", linked(200)),
        get("list_meter_corrections", "", linked(200)),
        send("correct_meters", json!({ "odometer": 1000, "reason": "x" }), but(linked(200), Viewer, 403)),
        // There is none of this id; who may not undo any is told so before.
        get("undo_meter_correction", "", but(linked(404), Viewer, 403)),
    ]
}

/// A deleted device is there for its owner and for admins.
const fn of_deleted(status: u16) -> Statuses {
    but(but(linked(status), Viewer, 404), Technician, 404)
}

/// Links are changed by who owns their device. Members see their own.
const fn of_owner(status: u16) -> Statuses {
    but(but(within(status), Unlinked, 404), Technician, 404)
}

fn device_members() -> Vec<Row> {
    let link = json!({ "tenant_id": "{tenant}", "device_id": "{device}", "user_id": "{user}" });
    let links = json!({ "user_id": "{user}", "role": "viewer", "device_ids": [ABSENT] });
    vec![
        get("list_device_members", "", held(200)),
        get("export_device_members", "", held(200)),
        send("create_device_member", link, [401, 422, 403, 422, 403, 403, 201, 409, 409]),
        get("get_device_member", "", but(of_owner(200), Viewer, 404)),
        send("update_device_member", json!({ "role": "viewer" }), but(of_owner(200), Viewer, 404)),
        get("delete_device_member", "", but(of_owner(204), Viewer, 404)),
        send("link_devices", links, but(held(200), Stranger, 422)),
        get("list_device_access", "", but(but(linked(200), Viewer, 403), Technician, 403)),
        get("get_user_access", "", [401, 404, 403, 404, 404, 404, 404, 200, 200]),
    ]
}

/// Of a vehicle: who sees it sees them, and who maintains it changes them.
fn documents() -> Vec<Row> {
    let document = json!({ "tenant_id": "{tenant}", "kind": "stnk", "device_id": "{device}" });
    let made = but(but(but(held(201), Stranger, 422), Unlinked, 422), Viewer, 403);
    vec![
        get("list_documents", "", held(200)),
        get("export_documents", "", held(200)),
        get("document_summary", "", held(200)),
        send("create_document", document, made),
        get("get_document", "", linked(200)),
        send("update_document", json!({ "notes": "{n}" }), but(linked(200), Viewer, 403)),
        get("delete_document", "", but(linked(204), Viewer, 403)),
        // The body is none that is taken in.
        Row {
            operation: "upload_file",
            query: "?name=scan.pdf",
            body: Some(json!({})),
            statuses: but(held(422), Platform, 422),
        },
        get("file_content", "", but(linked(200), Rightless, 404)),
        // Whose, a platform owner has to say.
        get("storage_usage", "", but(held(200), Platform, 422)),
    ]
}

/// Of a vehicle: who sees it sees it, and who maintains it changes it.
fn maintenance() -> Vec<Row> {
    let new = json!({ "tenant_id": "{tenant}", "device_id": "{device}", "title": "Oil {n}", "interval_days": 90 });
    let made = but(but(but(held(201), Stranger, 422), Unlinked, 422), Viewer, 403);
    let plan = json!({ "group_id": ABSENT, "maintenance": { "tenant_id": "{tenant}", "title": "Oil" } });
    vec![
        get("list_maintenance", "", held(200)),
        get("export_maintenance", "", held(200)),
        get("maintenance_summary", "", held(200)),
        get("maintenance_words", "", held(200)),
        send("create_maintenance", new, made),
        // There is no such group.
        send("plan_maintenance", plan, held(422)),
        get("get_maintenance", "", linked(200)),
        send("update_maintenance", json!({ "detail": "{n}" }), but(linked(200), Viewer, 403)),
        get("delete_maintenance", "", but(linked(204), Viewer, 403)),
    ]
}

fn maintenance_logs() -> Vec<Row> {
    let log = json!({ "tenant_id": "{tenant}", "maintenance_id": "{maintenance}", "vendor": "{n}" });
    let made = but(but(but(held(201), Stranger, 422), Unlinked, 422), Viewer, 403);
    vec![
        get("list_maintenance_logs", "", held(200)),
        get("export_maintenance_logs", "", held(200)),
        // Whose, a platform owner has to say.
        get("maintenance_costs", "?from=2026-01-01&until=2026-12-31", but(held(200), Platform, 422)),
        send("create_maintenance_log", log, made),
        get("get_maintenance_log", "", linked(200)),
        send("update_maintenance_log", json!({ "notes": "{n}" }), but(linked(200), Viewer, 403)),
        get("delete_maintenance_log", "", but(linked(204), Viewer, 403)),
    ]
}

fn drivers() -> Vec<Row> {
    let driver = json!({ "tenant_id": "{tenant}", "name": "new {n}" });
    vec![
        get("list_drivers", "", held(200)),
        get("export_drivers", "", held(200)),
        send("create_driver", driver, but(held(201), Stranger, 422)),
        get("get_driver", "", within(200)),
        send("update_driver", json!({ "notes": "{n}" }), within(200)),
        get("delete_driver", "", within(204)),
        get("list_driver_assignments", "", held(200)),
    ]
}

fn master_data() -> Vec<Row> {
    let warehouse = json!({ "tenant_id": "{tenant}", "kind": "warehouse", "name": "new {n}" });
    vec![
        get("list_master_data", "", held(200)),
        get("export_master_data", "", held(200)),
        send("create_master_data_entry", warehouse, but(held(201), Stranger, 422)),
        get("get_master_data_entry", "", within(200)),
        send("update_master_data_entry", json!({ "description": "{n}" }), within(200)),
        get("delete_master_data_entry", "", within(204)),
        get("get_master_data_usage", "", within(200)),
        send("replace_master_data_entry", json!({ "replacement_id": ABSENT }), within(422)),
    ]
}

fn gateways() -> Vec<Row> {
    let gateway = json!({ "tenant_id": "{tenant}", "name": "new-{n}" });
    vec![
        get("list_gateways", "", held(200)),
        get("export_gateways", "", held(200)),
        send("create_gateway", gateway, but(held(201), Stranger, 422)),
        get("get_gateway", "", within(200)),
        send("update_gateway", json!({ "notes": "{n}" }), within(200)),
        get("delete_gateway", "", within(204)),
        send("rotate_gateway_secret", json!({}), within(200)),
        send("retire_gateway_secret", json!({}), within(200)),
        get("list_gateway_connections", "", within(200)),
        get("list_gateway_messages", "", within(200)),
    ]
}

/// Who may do what a row is, the service says once there are rows: these bodies are tables without any.
fn imports() -> Vec<Row> {
    let (file, looked_at) = (
        |operation| send(operation, json!({}), signed_in(422)),
        |operation| send(operation, json!({}), signed_in(200)),
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

fn imeis() -> Vec<Row> {
    let imeis = json!({ "tenant_id": "{tenant}", "imeis": ["{imei}"] });
    vec![
        get("list_imei_claims", "", platform(200)),
        // There is none of this id; who may decide is told so.
        get("approve_imei_claim", "", platform(404)),
        send("reject_imei_claim", json!({ "reason": "x" }), platform(404)),
        get("list_imei_assignments", "", platform(200)),
        send("assign_imeis", imeis, platform(200)),
        get("unassign_imei", "", platform(204)),
        get("list_heard_imeis", "", held(200)),
    ]
}

/// Of a view that somebody shares: everybody of their tenant sees it, and it is changed by who made it and by admins.
const fn shared(status: u16, others: u16) -> Statuses {
    [401, 404, others, others, others, others, status, status, 404]
}

fn saved_views() -> Vec<Row> {
    vec![
        get("list_saved_views", "?screen=devices", signed_in(200)),
        send("create_saved_view", json!({ "screen": "devices", "name": "new {n}" }), signed_in(201)),
        get("get_saved_view", "", shared(200, 200)),
        send("update_saved_view", json!({ "name": "changed {n}" }), shared(200, 403)),
        get("delete_saved_view", "", shared(204, 403)),
    ]
}

/// Of a link of the device's owner: nobody else sees it but admins.
const fn of_maker(status: u16) -> Statuses {
    [401, 404, 403, 404, 404, 404, status, status, status]
}

fn share_links() -> Vec<Row> {
    let new =
        json!({ "tenant_id": "{tenant}", "name": "new {n}", "device_id": "{device}", "expires_at": "{tomorrow}" });
    vec![
        get("list_share_links", "", held(200)),
        get("export_share_links", "", held(200)),
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

/// Of a job: who started it, and who administers them.
const fn own_job(status: u16) -> Statuses {
    [401, 404, 404, 404, 404, 404, status, status, status]
}

fn jobs() -> Vec<Row> {
    let of = |act: &str, input: Value| json!({ "ids": [ABSENT], act: input });
    vec![
        send("bulk_devices", of("update", json!({ "vehicle_code": "{n}" })), held(202)),
        send("bulk_device_members", of("update", json!({ "role": "viewer" })), held(202)),
        send("bulk_documents", of("update", json!({ "notes": "{n}" })), held(202)),
        send("bulk_drivers", of("update", json!({ "notes": "{n}" })), held(202)),
        send("bulk_maintenance", of("update", json!({ "detail": "{n}" })), held(202)),
        send("bulk_maintenance_logs", json!({ "ids": [ABSENT], "delete": {} }), held(202)),
        send("bulk_master_data", of("update", json!({ "description": "{n}" })), held(202)),
        send("bulk_users", of("set_roles", json!({ "role_ids": ["{role}"] })), held(202)),
        send("bulk_tenants", of("update", json!({ "description": "{n}" })), platform(202)),
        get("list_jobs", "?service=fleet", signed_in(200)),
        get("get_job", "", own_job(200)),
        get("list_job_items", "", own_job(200)),
        send("cancel_job", json!({}), own_job(200)),
        get("get_job_undo", "", own_job(200)),
    ]
}

/// Everybody, and a tenant with one of everything.
struct Stage {
    site: Site,
    tenant: TenantId,
    /// In the order of [`EVERYBODY`].
    people: Vec<Api>,
    device: Device,
    viewer: String,
    technician: String,
    owner: String,
    user: String,
    role: String,
    permission: String,
    /// Started by the owner.
    job: String,
    /// Of the device; it comes again.
    maintenance: String,
    number: Cell<u32>,
}

impl Stage {
    async fn set_up(kind: Kind) -> anyhow::Result<Self> {
        let mut site = Site::start(kind).await?;
        let one = site.tenant("one").await?;
        site.tenant("two").await?;
        let everything: Vec<_> = CATALOGUE.iter().map(|built_in| built_in.key).collect();
        site.account(one.id, "rightless", false).await?;
        let mut ids = Vec::new();
        for name in ["unlinked", "viewer", "technician", "holder"] {
            let id = site.account(one.id, name, false).await?;
            site.allow(one.id, &id, &everything).await?;
            site.sign_in(name, &everything).await?;
            ids.push(id);
        }
        let [_, viewer, technician, owner] = ids.try_into().expect("four of them");
        let mut people = vec![Api::new(&site.running.http)];
        let names = ["admin-of-two", "rightless", "unlinked", "viewer", "technician", "holder", "admin-of-one"];
        for email in names.iter().map(|name| address(name)).chain([OWNER.to_owned()]) {
            people.push(without_cookie(&site, &email).await?);
        }
        let user = site.account(one.id, "sari", false).await?;
        // That one ends their other sessions.
        site.owner.api = people[Platform as usize].clone();
        let mut stage = Self {
            device: one.admin.device(imei(0), "Truck", Some(&owner)).await?,
            role: site.allow(one.id, &user, &["user:list"]).await?,
            permission: String::new(),
            job: String::new(),
            maintenance: String::new(),
            tenant: one.id,
            number: Cell::new(1),
            site,
            people,
            viewer,
            technician,
            owner,
            user,
        };
        stage.link(&stage.device).await?;
        stage.permission = stage.new_permission().await?;
        stage.job = stage.new_job().await?;
        stage.maintenance = stage.new_maintenance().await?;
        Ok(stage)
    }

    /// Makes a viewer and a technician of a device.
    async fn link(&self, device: &Device) -> anyhow::Result<()> {
        for (user, role) in [(&self.viewer, "viewer"), (&self.technician, "technician")] {
            self.new_link(device, user, role).await?;
        }
        Ok(())
    }

    async fn new_link(&self, device: &Device, user: &str, role: &str) -> anyhow::Result<String> {
        let body = json!({ "tenant_id": self.tenant, "device_id": device.id, "user_id": user, "role": role });
        Ok(text(&self.made("/api/v1/device-members", body).await?["id"]))
    }

    fn next(&self) -> u32 {
        self.number.replace(self.number.get() + 1)
    }

    async fn made(&self, path: &str, body: Value) -> anyhow::Result<Value> {
        Ok(self.site.owner.api.post(path, body).await?.expect(StatusCode::CREATED))
    }

    async fn new_permission(&self) -> anyhow::Result<String> {
        let body = json!({ "key": format!("depot:act{}", letters(self.next())), "description": "x" });
        Ok(text(&self.made("/api/v1/permissions", body).await?["key"]))
    }

    async fn new_device(&self, n: u32) -> anyhow::Result<String> {
        let body = json!({
            "tenant_id": self.tenant, "name": "gone", "imei": imei(n).to_string(), "user_id": self.owner,
        });
        let id = text(&self.made("/api/v1/devices", body).await?["id"]);
        let device = Device { id: id.parse()?, imei: String::new() };
        self.link(&device).await?;
        Ok(id)
    }

    async fn new_job(&self) -> anyhow::Result<String> {
        let body = json!({ "ids": [ABSENT], "delete": {} });
        let job = self.people[Owner as usize].post("/api/v1/devices/bulk", body).await?;
        let id = text(&job.expect(StatusCode::ACCEPTED)["id"]);
        eventually("the job is over", SOON, async || {
            let job = self.people[Owner as usize].get(&format!("/api/v1/jobs/fleet/{id}")).await?.json();
            anyhow::ensure!(job["finished_at"].is_string(), "{job}");
            Ok(())
        })
        .await;
        Ok(id)
    }

    async fn new_maintenance(&self) -> anyhow::Result<String> {
        let body = json!({
            "tenant_id": self.tenant, "device_id": self.device.id, "title": "Oil", "interval_days": 90,
        });
        Ok(text(&self.made("/api/v1/maintenance", body).await?["id"]))
    }

    async fn new_tenant(&self) -> anyhow::Result<String> {
        Ok(text(&self.made("/api/v1/tenants", json!({ "name": "gone" })).await?["id"]))
    }

    /// What the `{id}` of a path is: what is there already, or for who takes it away something new.
    async fn subject(&self, path: &str, method: &Method) -> anyhow::Result<String> {
        let new = method == Method::DELETE;
        let n = self.next();
        Ok(match path.split('/').nth(3).context("a resource")? {
            "users" if new => self.site.account(self.tenant, &format!("gone-{n}"), false).await?,
            "users" => self.user.clone(),
            "roles" if new => {
                let body = json!({ "tenant_id": self.tenant, "name": format!("gone {n}") });
                text(&self.made("/api/v1/roles", body).await?["id"])
            }
            "roles" => self.role.clone(),
            "devices" if new => self.new_device(n).await?,
            "devices" if path.ends_with("/restore") || path.ends_with("/erasure") => {
                let id = self.new_device(n).await?;
                let deleted = self.site.owner.api.delete(&format!("/api/v1/devices/{id}")).await?;
                deleted.expect(StatusCode::NO_CONTENT);
                id
            }
            "devices" => self.device.id.to_string(),
            "device-members" => {
                let user = self.site.account(self.tenant, &format!("linked-{n}"), false).await?;
                self.new_link(&self.device, &user, "technician").await?
            }
            resource @ ("documents" | "files") => {
                let file = self.people[Owner as usize].upload(
                    "/api/v1/files?name=a.pdf",
                    "application/pdf",
                    b"%PDF-1.7".to_vec(),
                );
                let file = text(&file.await?.expect(StatusCode::CREATED)["id"]);
                let body = json!({ "kind": "stnk", "device_id": self.device.id, "file_ids": file });
                let made =
                    self.people[Owner as usize].post("/api/v1/documents", body).await?.expect(StatusCode::CREATED);
                if resource == "files" { file } else { text(&made["id"]) }
            }
            "commands" => {
                let path = format!("/api/v1/devices/{}/commands", self.device.id);
                let sent = self.site.owner.api.post(&path, json!({ "kind": "reboot" })).await?;
                text(&sent.expect(StatusCode::OK)["id"])
            }
            "saved-commands" => {
                let body = json!({ "tenant_id": self.tenant, "kind": "reboot", "name": format!("command {n}") });
                text(&self.made("/api/v1/saved-commands", body).await?["id"])
            }
            "maintenance" => self.new_maintenance().await?,
            "maintenance-logs" => {
                let body = json!({ "tenant_id": self.tenant, "maintenance_id": self.maintenance });
                text(&self.made("/api/v1/maintenance-logs", body).await?["id"])
            }
            "drivers" => {
                let body = json!({ "tenant_id": self.tenant, "name": format!("driver {n}") });
                text(&self.made("/api/v1/drivers", body).await?["id"])
            }
            "master-data" => {
                let body = json!({ "tenant_id": self.tenant, "kind": "warehouse", "name": format!("warehouse {n}") });
                text(&self.made("/api/v1/master-data", body).await?["id"])
            }
            "tenants" if new => self.new_tenant().await?,
            "tenants" if path.ends_with("/restore") || path.ends_with("/erasure") => {
                let id = self.new_tenant().await?;
                let deleted = self.site.owner.api.delete(&format!("/api/v1/tenants/{id}?name=gone")).await?;
                deleted.expect(StatusCode::OK);
                id
            }
            "tenants" => self.tenant.to_string(),
            "permissions" if new => self.new_permission().await?,
            "permissions" => self.permission.clone(),
            "jobs" => self.job.clone(),
            "saved-views" => {
                let body = json!({ "screen": "devices", "name": format!("view {n}"), "is_shared": true });
                let made = self.people[Owner as usize].post("/api/v1/saved-views", body).await?;
                text(&made.expect(StatusCode::CREATED)["id"])
            }
            "account" | "imei-claims" => ABSENT.to_owned(),
            "imei-assignments" => {
                let imei = imei(n).to_string();
                let body = json!({ "tenant_id": self.tenant, "imeis": [imei] });
                self.site.owner.api.post("/api/v1/imei-assignments", body).await?.expect(StatusCode::OK);
                imei
            }
            "share-links" => {
                let tomorrow = (Timestamp::now() + Duration::from_secs(24 * 3600)).to_rfc3339();
                let body = json!({ "name": format!("link {n}"), "device_id": self.device.id, "expires_at": tomorrow });
                let made = self.people[Owner as usize].post("/api/v1/share-links", body).await?;
                text(&made.expect(StatusCode::CREATED)["id"])
            }
            resource @ ("gateways" | "gateway-messages") => {
                let body = json!({ "tenant_id": self.tenant, "name": format!("gateway-{n}") });
                let made = self.made("/api/v1/gateways", body).await?;
                text(&made[if resource == "gateways" { "id" } else { "name" }])
            }
            other => anyhow::bail!("nobody said what {{id}} is below {other}"),
        })
    }

    async fn ask(&self, who: Who, method: &Method, path: &str, row: &Row, tenant: &str) -> anyhow::Result<Reply> {
        let n = self.next();
        let body = row.body.as_ref().map(|body| {
            let filled = body.to_string().replace("{tenant}", tenant).replace("{role}", &self.role);
            let filled = filled.replace("{user}", &self.user).replace("{device}", &self.device.id.to_string());
            let tomorrow = (Timestamp::now() + Duration::from_secs(24 * 3600)).to_rfc3339();
            let filled = filled.replace("{tomorrow}", &tomorrow);
            let filled = filled.replace("{imei}", &imei(n).to_string()).replace("{letters}", &letters(n));
            let filled = filled.replace("{maintenance}", &self.maintenance);
            serde_json::from_str(&filled.replace("{n}", &n.to_string())).expect("JSON")
        });
        self.people[who as usize].request(method.clone(), path, &[], body.as_ref()).await
    }

    /// Asks for what a row says as everybody; tells where the answer is another one.
    async fn check(&self, path: &str, method: &Method, row: &Row) -> anyhow::Result<Vec<String>> {
        let mut wrong = Vec::new();
        let own = self.tenant.to_string();
        for who in EVERYBODY {
            let subject = if path.contains('{') { self.subject(path, method).await? } else { String::new() };
            let path = path.replace("{service}", "fleet");
            let named = ["{id}", "{device_id}", "{key}", "{imei}", "{name}", "{correction_id}"].iter();
            let asked = named.fold(path.clone(), |path, name| path.replace(name, &subject)) + row.query;
            let reply = self.ask(who, method, &asked, row, &own).await?;
            let wanted = row.statuses[who as usize];
            if reply.status.as_u16() != wanted {
                wrong.push(format!("{} as {who:?}: {} and not {wanted}: {}", row.operation, reply.status, reply.text));
            }
            // Only of what may be foreign: another wrong password would be one too many.
            let names = path.contains("{id}") || path.contains("{device_id}");
            let foreign = names || row.body.as_ref().is_some_and(|b| b.to_string().contains("{t"));
            if who == Stranger && foreign {
                let mut nowhere = asked.replace(&own, ABSENT);
                if !subject.is_empty() {
                    nowhere = nowhere.replace(&subject, ABSENT);
                }
                let nothing = self.ask(who, method, &nowhere, row, ABSENT).await?;
                if essence(&reply) != essence(&nothing) {
                    wrong.push(format!(
                        "{}: {} {} for what is foreign, {} {} for what does not exist",
                        row.operation, reply.status, reply.text, nothing.status, nothing.text
                    ));
                }
            }
        }
        Ok(wrong)
    }
}

/// Signed in, but with nothing that a browser would send by itself.
async fn without_cookie(site: &Site, email: &str) -> anyhow::Result<Api> {
    let api = site.running.api();
    let signed_in = api.post("/auth/login", json!({ "email": email, "password": PASSWORD })).await?;
    Ok(Api::new(&site.running.http).with_token(&text(&signed_in.expect(StatusCode::OK)["token"])))
}

/// A number of fifteen digits whose last one is right (ISO/IEC 7812-1).
fn imei(n: u32) -> u64 {
    let body = 35_175_605_000_000 + u64::from(n);
    let sum: u64 = (0..14)
        .map(|place| {
            let digit = body / 10_u64.pow(place) % 10;
            if place % 2 == 0 { digit * 2 / 10 + digit * 2 % 10 } else { digit }
        })
        .sum();
    body * 10 + (10 - sum % 10) % 10
}

/// A number in letters, since keys of permissions have no digits.
fn letters(n: u32) -> String {
    n.to_string().chars().map(|digit| char::from(b'a' + digit as u8 - b'0')).collect()
}

both_databases! {
    async fn everybody_gets_what_the_matrix_says(kind: Kind) -> anyhow::Result<()> {
        let stage = Stage::set_up(kind).await?;
        let document = serde_json::from_str::<Value>(armada_bff::OPENAPI)?;
        let mut rows: BTreeMap<_, _> = rows().into_iter().map(|row| (row.operation, row)).collect();
        let mut wrong = Vec::new();
        for (path, methods) in document["paths"].as_object().context("paths")? {
            for (method, operation) in methods.as_object().context("methods")? {
                let name = operation["operationId"].as_str().context("an id")?;
                let row = rows.remove(name).with_context(|| format!("{name} has no row"))?;
                wrong.extend(stage.check(path, &method.to_uppercase().parse()?, &row).await?);
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(rows.is_empty(), "no such operations: {:?}", rows.keys());
        stage.site.running.stop().await
    }
}
