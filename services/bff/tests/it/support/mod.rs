//! The edge with everything behind it, as clients find it.

mod everything;
pub mod gpx;

use std::time::Duration;

use anyhow::Context as _;
use armada_bff::{Config, ConsoleFile};
use armada_proto::{
    DeviceId, TenantId, Timestamp, binding,
    v1::{Event, LastPosition, LiveFrame},
};
use armada_runtime::{Context, events};
use armada_testkit::{Api, Gateway, Kind, READ_PERMISSIONS, Reply, RunningProcess, Socket, Tables, World, eventually};
use http::StatusCode;
use prost::Message;
use serde_json::{Value, json};

/// How long anything may take that does not depend on a setting.
pub const SOON: Duration = Duration::from_secs(20);

/// The platform owner.
pub const OWNER: &str = "owner@example.com";
/// Of everybody.
pub const PASSWORD: &str = "correct horse battery";

/// A console of two files.
pub fn console_file(path: &str) -> Option<ConsoleFile> {
    let content: &[u8] = match path {
        "index.html" => b"<!doctype html><title>Armada</title>",
        "share.html" => b"<!doctype html><title>Armada, shared</title>",
        "assets/index-1f3a.js" => b"export const text = 'as long as what is compressed must be, which is 32 bytes';",
        _ => return None,
    };
    Some(ConsoleFile { content: content.into(), sha256: [content.len() as u8; 32] })
}

/// All services in one process.
pub struct Site {
    pub world: World,
    pub running: RunningProcess,
    /// A platform owner.
    pub owner: Person,
    pub gateway: Gateway,
}

/// A signed-in user.
pub struct Person {
    pub id: String,
    pub api: Api,
}

/// Those that have tables.
pub const SERVICES: [&str; 4] =
    [armada_identity::NAME, armada_fleet::NAME, armada_notification::NAME, armada_position_ingest::NAME];

/// A tenant with its admin.
pub struct Tenant {
    pub id: TenantId,
    pub admin: Person,
}

impl Site {
    pub async fn start(kind: Kind) -> anyhow::Result<Self> {
        Self::start_with(kind, Config::default()).await
    }

    pub async fn start_with(kind: Kind, config: Config) -> anyhow::Result<Self> {
        Box::pin(Self::started(kind, config)).await
    }

    async fn started(kind: Kind, config: Config) -> anyhow::Result<Self> {
        static TABLES: Tables = Tables::new(&SERVICES, |context| {
            Box::pin(async move { migrate(&context, &Config::default()).await.expect("the services migrate") })
        });
        let world = World::start_with_tables(kind, &TABLES).await;
        let context = world.context(&SERVICES).await;
        migrate(&context, &config).await?;
        let mut process = world.process(&context);
        process.add(armada_identity::build(&context, armada_identity::Config::default()).await?);
        let url = format!("file://{}", world.folder().join("files").display());
        let files = armada_fleet::FilesConfig { url: Some(url), max_mb: 1, ..armada_fleet::FilesConfig::default() };
        let fleet = armada_fleet::Config { files, ..armada_fleet::Config::default() };
        process.add(armada_fleet::build(&context, fleet).await?);
        process.add(armada_notification::build(&context, armada_notification::Config::default()).await?);
        process.add(armada_position_ingest::build(&context, armada_position_ingest::Config::default()).await?);
        process.add(armada_bff::build(&context, config, console_file).await?);
        let identity = context.database(armada_identity::NAME)?;
        armada_identity::first_sign_in(&identity, Some(OWNER), Some(PASSWORD)).await?;
        let running = world.run(process).await;
        let owner = Person::sign_in(&running.api(), OWNER).await?;
        let gateway = Gateway::anonymous(&world.nats).await;
        Ok(Self { world, running, owner, gateway })
    }

    /// A new tenant and its admin.
    pub async fn tenant(&self, name: &str) -> anyhow::Result<Tenant> {
        let tenant = self.owner.api.post("/api/v1/tenants", json!({ "name": name })).await?.expect(StatusCode::CREATED);
        let id: TenantId = text(&tenant["id"]).parse()?;
        Ok(Tenant { id, admin: self.user(id, &format!("admin-of-{name}"), true).await? })
    }

    /// A new user of a tenant: an admin, or one who may look at what they are linked to.
    pub async fn user(&self, tenant: TenantId, name: &str, is_tenant_admin: bool) -> anyhow::Result<Person> {
        let id = self.account(tenant, name, is_tenant_admin).await?;
        if !is_tenant_admin {
            self.allow(tenant, &id, &READ_PERMISSIONS).await?;
        }
        self.sign_in(name, if is_tenant_admin { &[] } else { &READ_PERMISSIONS }).await
    }

    /// A new account of a tenant, without any role; its address begins with the name.
    pub async fn account(&self, tenant: TenantId, name: &str, is_tenant_admin: bool) -> anyhow::Result<String> {
        let user = json!({
            "tenant_id": tenant, "name": name, "email": address(name), "invite": true,
            "is_tenant_admin": is_tenant_admin,
        });
        let api = &self.owner.api;
        let id = text(&api.post("/api/v1/users", user).await?.expect(StatusCode::CREATED)["id"]);
        let invitation = json!({ "purpose": "invitation" });
        let sent = api.post(&format!("/api/v1/users/{id}/links"), invitation).await?.expect(StatusCode::OK);
        let link = text(&sent["link"]);
        let (_, token) = link.split_once('#').context("a token")?;
        let used = json!({ "token": token, "new_password": PASSWORD });
        self.running.api().post("/auth/links/use", used).await?.expect(StatusCode::NO_CONTENT);
        Ok(id)
    }

    /// Gives a user a role of their own that allows these permissions.
    pub async fn allow(&self, tenant: TenantId, user: &str, permissions: &[&str]) -> anyhow::Result<String> {
        let api = &self.owner.api;
        let role = json!({ "tenant_id": tenant, "name": format!("of {user}") });
        let role = text(&api.post("/api/v1/roles", role).await?.expect(StatusCode::CREATED)["id"]);
        let items: Vec<_> = permissions.iter().map(|key| json!({ "key": key, "effect": "allow" })).collect();
        let path = format!("/api/v1/roles/{role}/permissions");
        api.put(&path, json!({ "items": items })).await?.expect(StatusCode::OK);
        let path = format!("/api/v1/users/{user}/roles");
        api.put(&path, json!({ "role_ids": [role] })).await?.expect(StatusCode::OK);
        Ok(role)
    }

    /// Signs in the user of a name, and waits until every service knows that they may do this.
    pub async fn sign_in(&self, name: &str, permissions: &[&str]) -> anyhow::Result<Person> {
        let person = Person::sign_in(&self.running.api(), &address(name)).await?;
        let policies = &self.running.context.policies;
        eventually("the services know what a new user may do", SOON, async || {
            let rights = policies.of(person.id.parse()?).await?;
            anyhow::ensure!(permissions.iter().all(|permission| rights.allow(permission)), "{rights:?}");
            Ok(())
        })
        .await;
        Ok(person)
    }

    /// Publishes a fix as a gateway does, and waits until it is the device's last position.
    pub async fn drive(&self, device: &Device, second: i64, lat: f64) -> anyhow::Result<()> {
        let recorded_at = Timestamp::from_millis(second * 1000);
        eventually("the fix arrives", SOON, async || {
            let fix = json!({ "recorded_at": recorded_at.to_rfc3339(), "lat": lat, "lng": 106.8, "speed": 36.0 });
            self.gateway.report(&device.imei, &fix).await?;
            let last = self.owner.api.get("/api/v1/last-positions").await?.expect(StatusCode::OK);
            let items = last["items"].as_array().context("items")?;
            let found = items.iter().find(|item| item["device_id"] == device.id.to_string()).context("no position")?;
            anyhow::ensure!(found["recorded_at"] == recorded_at.to_rfc3339(), "{found}");
            Ok(())
        })
        .await;
        Ok(())
    }

    /// Publishes positions as position-ingest does.
    pub async fn live(&self, tenant: TenantId, positions: Vec<LastPosition>) -> anyhow::Result<()> {
        let client = &self.world.bus.client;
        let frame = LiveFrame { positions }.encode_to_vec();
        client.publish(binding::live_subject(tenant), frame.into()).await?;
        client.flush().await?;
        Ok(())
    }

    /// Tells of an event of a device as position-ingest does, and waits until the alarm stands that it opens; its id.
    pub async fn raise(&self, tenant: TenantId, device: &Device, kind: &str) -> anyhow::Result<String> {
        let (now, tenant_id, device_id) = (Timestamp::now(), tenant.to_string(), device.id.to_string());
        let event = Event {
            id: events::id(&[&tenant_id, kind, &device_id, &now.millis().to_string()]),
            tenant_id,
            kind: kind.to_owned(),
            subject_id: device_id.clone(),
            device_id: Some(device_id),
            occurred_at: Some(now),
            recorded_at: Some(now),
            ..Event::default()
        };
        let subject = format!("event.{tenant}.{kind}");
        #[allow(clippy::disallowed_methods, reason = "as a stranger publishes")]
        self.world.bus.jetstream.publish(subject, event.encode_to_vec().into()).await?.await?;
        eventually("the alarm stands", SOON, async || {
            let alarm = self.owner.api.get(&format!("/api/v1/alarms/{}", event.id)).await?;
            anyhow::ensure!(alarm.status == StatusCode::OK, "{}", alarm.text);
            Ok(())
        })
        .await;
        Ok(event.id)
    }

    /// A number from `/metrics`.
    pub async fn metric(&self, name: &str) -> anyhow::Result<f64> {
        let text = self.metrics().await?;
        let line = text.lines().find(|line| line.split(['{', ' ']).next() == Some(name)).context(name.to_owned())?;
        Ok(line.rsplit(' ').next().unwrap_or_default().parse()?)
    }

    /// All of `/metrics`.
    pub async fn metrics(&self) -> anyhow::Result<String> {
        use tower::ServiceExt;
        let request = http::Request::get("/metrics").body(axum::body::Body::empty())?;
        let answer = self.running.context.health.router().oneshot(request).await?;
        let text = axum::body::to_bytes(answer.into_body(), 1 << 20).await?;
        Ok(String::from_utf8(text.to_vec())?)
    }
}

async fn migrate(context: &Context, config: &Config) -> anyhow::Result<()> {
    let (bus, of) = (&context.bus, |name| context.database(name));
    armada_identity::migrate(bus, &of(armada_identity::NAME)?, &armada_identity::Config::default()).await?;
    armada_fleet::migrate(bus, &of(armada_fleet::NAME)?, &armada_fleet::Config::default()).await?;
    let notification = armada_notification::Config::default();
    armada_notification::migrate(bus, &of(armada_notification::NAME)?, &notification).await?;
    let ingest = armada_position_ingest::Config::default();
    armada_position_ingest::migrate(bus, &of(armada_position_ingest::NAME)?, &ingest).await?;
    Ok(armada_bff::migrate(bus, config).await?)
}

/// A device.
pub struct Device {
    pub id: DeviceId,
    pub imei: String,
}

impl Person {
    /// Signs in at an edge.
    pub async fn sign_in(api: &Api, email: &str) -> anyhow::Result<Self> {
        let api = api.sign_in(email, PASSWORD).await?;
        let me = eventually("the services know that somebody may sign in", SOON, async || {
            let me = api.get("/api/v1/auth/me").await?;
            anyhow::ensure!(me.status == StatusCode::OK, "{}", me.text);
            Ok(me.json())
        });
        Ok(Self { id: text(&me.await["id"]), api })
    }

    /// Makes a device in the caller's tenant.
    pub async fn device(&self, imei: u64, name: &str, owner: Option<&str>) -> anyhow::Result<Device> {
        let imei = format!("{imei:015}");
        let body = json!({ "imei": imei, "name": name, "user_id": owner });
        let device = self.api.post("/api/v1/devices", body).await?.expect(StatusCode::CREATED);
        Ok(Device { id: text(&device["id"]).parse()?, imei })
    }

    pub async fn ticket(&self) -> anyhow::Result<String> {
        let answer = self.api.post("/api/v1/ws-ticket", json!({})).await?.expect(StatusCode::OK);
        Ok(text(&answer["ticket"]))
    }

    /// Opens a live socket; `query` comes after the ticket.
    pub async fn socket(&self, query: &str) -> anyhow::Result<Socket> {
        let ticket = self.ticket().await?;
        Socket::open(&self.api.url(&format!("/ws?token={ticket}{query}"))).await
    }
}

/// Asks for the live socket by hand, to see the answer.
pub async fn upgrade(api: &Api, query: &str, headers: &[(&str, &str)]) -> anyhow::Result<Reply> {
    upgrade_at(api, "/ws", query, headers).await
}

/// Asks for a socket by hand.
pub async fn upgrade_at(api: &Api, path: &str, query: &str, headers: &[(&str, &str)]) -> anyhow::Result<Reply> {
    let mut all = vec![
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    all.extend(headers);
    api.request(http::Method::GET, &format!("{path}?{query}"), &all, None).await
}

/// A position as position-ingest publishes it.
pub fn position(device: DeviceId, second: i64) -> LastPosition {
    LastPosition {
        device_id: device.to_string(),
        recorded_at: Some(Timestamp::from_millis(second * 1000)),
        lat: -6.2 + second as f64 * 1e-5,
        lng: 106.8,
        valid: true,
        ..LastPosition::default()
    }
}

/// The address of the user of a name.
pub fn address(name: &str) -> String {
    format!("{name}@example.com")
}

/// What must not differ between two answers.
pub fn comparable(reply: &Reply) -> (StatusCode, Vec<(String, String)>, String) {
    let headers = reply.headers.iter().filter(|(name, _)| !matches!(name.as_str(), "date" | "x-request-id"));
    let headers = headers.map(|(name, value)| (name.to_string(), format!("{value:?}")));
    (reply.status, headers.collect(), reply.text.clone())
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
