//! Everybody who asks, and what they ask for.

use std::{cell::Cell, time::Duration};

use anyhow::Context as _;
use armada_proto::{TenantId, Timestamp, access::CATALOGUE};
use armada_testkit::{Api, Kind, Reply, eventually};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{
    ABSENT, ALL_ROLES, Row,
    Who::{self, *},
};
use crate::support::{Device, OWNER, PASSWORD, SOON, Site, address, comparable, text};

/// What is posted and done anew each time, whatever its key, and why.
const ANEW: [(&str, &str); 3] = [
    ("erase_tenant", "the ledger of erasures takes it once"),
    ("restore_tenant", "the ledger of erasures takes it once"),
    ("ws_ticket", "a ticket is used once"),
];

/// Everybody, and a tenant with one of everything.
pub(super) struct Stage {
    pub(super) site: Site,
    tenant: TenantId,
    /// In the order of [`ALL_ROLES`].
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
    /// Of the device.
    alarm: String,
    number: Cell<u32>,
}

impl Stage {
    pub(super) async fn set_up(kind: Kind) -> anyhow::Result<Self> {
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
            alarm: String::new(),
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
        stage.alarm = stage.site.raise(stage.tenant, &stage.device, "alarm.sos").await?;
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
        Ok(text(&self.create("/api/v1/device-members", body).await?["id"]))
    }

    fn next(&self) -> u32 {
        self.number.replace(self.number.get() + 1)
    }

    async fn create(&self, path: &str, body: Value) -> anyhow::Result<Value> {
        Ok(self.site.owner.api.post(path, body).await?.expect(StatusCode::CREATED))
    }

    async fn new_permission(&self) -> anyhow::Result<String> {
        let body = json!({ "key": format!("depot:act{}", letters(self.next())), "description": "x" });
        Ok(text(&self.create("/api/v1/permissions", body).await?["key"]))
    }

    async fn new_device(&self, n: u32) -> anyhow::Result<String> {
        let body = json!({
            "tenant_id": self.tenant, "name": "gone", "imei": imei(n).to_string(), "user_id": self.owner,
        });
        let id = text(&self.create("/api/v1/devices", body).await?["id"]);
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
        Ok(text(&self.create("/api/v1/maintenance", body).await?["id"]))
    }

    async fn new_tenant(&self) -> anyhow::Result<String> {
        Ok(text(&self.create("/api/v1/tenants", json!({ "name": "gone" })).await?["id"]))
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
                text(&self.create("/api/v1/roles", body).await?["id"])
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
                let created =
                    self.people[Owner as usize].post("/api/v1/documents", body).await?.expect(StatusCode::CREATED);
                if resource == "files" { file } else { text(&created["id"]) }
            }
            "commands" => {
                let path = format!("/api/v1/devices/{}/commands", self.device.id);
                let sent = self.site.owner.api.post(&path, json!({ "kind": "reboot" })).await?;
                text(&sent.expect(StatusCode::OK)["id"])
            }
            "saved-commands" => {
                let body = json!({ "tenant_id": self.tenant, "kind": "reboot", "name": format!("command {n}") });
                text(&self.create("/api/v1/saved-commands", body).await?["id"])
            }
            "maintenance" => self.new_maintenance().await?,
            "maintenance-logs" => {
                let body = json!({ "tenant_id": self.tenant, "maintenance_id": self.maintenance });
                text(&self.create("/api/v1/maintenance-logs", body).await?["id"])
            }
            "drivers" => {
                let body = json!({ "tenant_id": self.tenant, "name": format!("driver {n}") });
                text(&self.create("/api/v1/drivers", body).await?["id"])
            }
            "master-data" => {
                let body = json!({ "tenant_id": self.tenant, "kind": "warehouse", "name": format!("warehouse {n}") });
                text(&self.create("/api/v1/master-data", body).await?["id"])
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
            "alarms" => self.alarm.clone(),
            "saved-views" => {
                let body = json!({ "screen": "devices", "name": format!("view {n}"), "is_shared": true });
                let created = self.people[Owner as usize].post("/api/v1/saved-views", body).await?;
                text(&created.expect(StatusCode::CREATED)["id"])
            }
            "account" | "alarm-names" | "imei-claims" | "map-sources" => ABSENT.to_owned(),
            "imei-assignments" => {
                let imei = imei(n).to_string();
                let body = json!({ "tenant_id": self.tenant, "imeis": [imei] });
                self.site.owner.api.post("/api/v1/imei-assignments", body).await?.expect(StatusCode::OK);
                imei
            }
            "share-links" => {
                let tomorrow = (Timestamp::now() + Duration::from_secs(24 * 3600)).to_rfc3339();
                let body = json!({ "name": format!("link {n}"), "device_id": self.device.id, "expires_at": tomorrow });
                let created = self.people[Owner as usize].post("/api/v1/share-links", body).await?;
                text(&created.expect(StatusCode::CREATED)["id"])
            }
            resource @ ("gateways" | "gateway-messages") => {
                let body = json!({ "tenant_id": self.tenant, "name": format!("gateway-{n}") });
                let created = self.create("/api/v1/gateways", body).await?;
                text(&created[if resource == "gateways" { "id" } else { "name" }])
            }
            other => anyhow::bail!("nobody said what {{id}} is below {other}"),
        })
    }

    async fn ask(&self, who: Who, method: &Method, path: &str, row: &Row, tenant: &str) -> anyhow::Result<Reply> {
        let body = self.body(row, tenant);
        self.people[who as usize].request(method.clone(), path, &[], body.as_ref()).await
    }

    /// Asks twice under one key; tells when what was done is answered in another way the second time.
    async fn ask_twice(&self, who: Who, path: &str, row: &Row) -> anyhow::Result<(Reply, Option<String>)> {
        let body = self.body(row, &self.tenant.to_string());
        let key = format!("{}-{}", row.operation, self.next());
        let ask = async || {
            let headers = [("idempotency-key", &*key)];
            self.people[who as usize].request(Method::POST, path, &headers, body.as_ref()).await
        };
        let first = ask().await?;
        if !first.status.is_success() {
            return Ok((first, None));
        }
        let second = ask().await?;
        let anew = (first.status, &first.text) != (second.status, &second.text);
        let said = anew.then(|| {
            let answers = format!("{} {}, then {} {}", first.status, first.text, second.status, second.text);
            format!("{} as {who:?}, twice under one key: {answers}", row.operation)
        });
        Ok((first, said.filter(|_| !ANEW.iter().any(|(operation, _)| *operation == row.operation))))
    }

    /// What a row sends, filled in.
    fn body(&self, row: &Row, tenant: &str) -> Option<Value> {
        let n = self.next();
        row.body.as_ref().map(|body| {
            let filled = body.to_string().replace("{tenant}", tenant).replace("{role}", &self.role);
            let filled = filled.replace("{user}", &self.user).replace("{device}", &self.device.id.to_string());
            let tomorrow = (Timestamp::now() + Duration::from_secs(24 * 3600)).to_rfc3339();
            let filled = filled.replace("{tomorrow}", &tomorrow);
            let filled = filled.replace("{imei}", &imei(n).to_string()).replace("{letters}", &letters(n));
            let filled = filled.replace("{maintenance}", &self.maintenance);
            serde_json::from_str(&filled.replace("{n}", &n.to_string())).expect("JSON")
        })
    }

    /// Asks for what a row says as everybody; tells where the answer is another one.
    pub(super) async fn check(&self, path: &str, method: &Method, row: &Row) -> anyhow::Result<Vec<String>> {
        self.check_of(path, method, method, row).await
    }

    /// The same, each of a thing of their own, since what one does to it would be in the way of the next.
    pub(super) async fn check_of_new(&self, path: &str, method: &Method, row: &Row) -> anyhow::Result<Vec<String>> {
        let of = if path.contains("/tenants/") { method } else { &Method::DELETE };
        self.check_of(path, of, method, row).await
    }

    async fn check_of(&self, path: &str, of: &Method, method: &Method, row: &Row) -> anyhow::Result<Vec<String>> {
        let mut wrong = Vec::new();
        let own = self.tenant.to_string();
        for who in ALL_ROLES {
            let subject = if path.contains('{') { self.subject(path, of).await? } else { String::new() };
            let path = path.replace("{service}", "fleet");
            let named = ["{id}", "{device_id}", "{key}", "{imei}", "{name}", "{correction_id}"].iter();
            let asked = named.fold(path.clone(), |path, name| path.replace(name, &subject)) + row.query;
            // What is posted by somebody who is signed in is done once under a key.
            let once = method == Method::POST && path.starts_with("/api/") && who != Anonymous;
            let (reply, anew) = match once {
                true => self.ask_twice(who, &asked, row).await?,
                false => (self.ask(who, method, &asked, row, &own).await?, None),
            };
            wrong.extend(anew);
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
                if comparable(&reply) != comparable(&nothing) {
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
