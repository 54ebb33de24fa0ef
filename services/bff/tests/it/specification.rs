//! The product's specification: the names that it gives to fields and parameters are taken, in whatever style.

use armada_testkit::{Kind, Reply};
use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::support::Site;

/// Names that are not taken as they stand there: the entity, the specification's name, the one here, and why.
const DECIDED: [(&str, &str, &str, &str); 16] = [
    (
        "users",
        "roles",
        "role ids",
        "answers have the roles with their names there, and clients send back what they read",
    ),
    ("devices", "gps brand", "gps brand id", CHOSEN),
    ("devices", "gps model", "gps model id", CHOSEN),
    ("devices", "gps protocol", "gps protocol id", CHOSEN),
    ("devices", "vehicle brand", "vehicle brand id", CHOSEN),
    ("devices", "vehicle model", "vehicle model id", CHOSEN),
    ("devices", "vehicle status", "vehicle status id", CHOSEN),
    ("devices", "vehicle type", "vehicle type id", CHOSEN),
    ("devices", "device category", "device category id", CHOSEN),
    ("devices", "cargo category", "cargo category id", CHOSEN),
    ("devices", "temperature range", "temperature range id", CHOSEN),
    ("devices", "warehouse", "warehouse id", CHOSEN),
    ("devices", "primary driver", "primary driver id", CHOSEN),
    ("devices?", "user", "user ids", "the list takes several: the specification's own call is `userIds`"),
    ("drivers", "home base/depot", "home base", "one of two names that stand there for it"),
    ("tenants", "active flag", "active", "what it is, not what it is called"),
];
const CHOSEN: &str = "an entry is named by its id, and answers have its name there, which clients send back";

/// What the specification calls the fields of an entity, with a value that one may have.
struct Entity {
    path: &'static str,
    fields: Vec<(&'static str, Value)>,
}

#[tokio::test(flavor = "multi_thread")]
async fn every_field_is_taken_by_the_name_of_the_specification() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let user = site.account(tenant.id, "sari", false).await?;
    let role = site.allow(tenant.id, &user, &["device:list"]).await?;
    let device = tenant.admin.device(490_154_203_237_518, "Truck", None).await?.id.to_string();
    let mut entities = people(&tenant.id.to_string(), &role);
    entities.extend(fleet(&tenant.id.to_string(), &user, &device));
    let api = &site.owner.api;
    for entity in &entities {
        let path = format!("/api/v1/{}", entity.path);
        let reply = api.post(&path, entity.body(camel)).await?;
        let thing = taken(&path, &reply, StatusCode::CREATED);
        let id = thing["id"].as_str().or(thing["key"].as_str()).unwrap_or_default();
        let path = format!("{path}/{id}");
        // Once more by the other style, as a client does that sends back what somebody else called so.
        let mut body = entity.body(snake);
        if let Some(roles) = body.as_object_mut().and_then(|body| body.remove("role_ids")) {
            // Those of a user who is there are set by a call of their own.
            let roles = json!({ "role_ids": roles });
            taken("roles", &api.put(&format!("{path}/roles"), roles).await?, StatusCode::OK);
        }
        taken(&path, &api.put(&path, body).await?, StatusCode::OK);
    }
    let effects =
        json!({ "items": [{ "key": "user:list", "effect": "none" }, { "key": "device:list", "effect": "allow" }] });
    taken("effects", &api.put(&format!("/api/v1/roles/{role}/permissions"), effects).await?, StatusCode::OK);
    let links = json!({ "user": user, "role": "technician", "device_ids": [device] });
    taken("links", &api.post("/api/v1/device-members/link", links).await?, StatusCode::OK);
    // The flag that only the server sets is passed over in either style, and no news to whoever sent it.
    let counted = json!({ "usedDevices": 7, "isPlatformOwner": true });
    taken("counted", &api.put(&format!("/api/v1/tenants/{}", tenant.id), counted).await?, StatusCode::OK);
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_parameter_is_taken_by_the_name_of_the_specification() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let id = tenant.id.to_string();
    let user = site.account(tenant.id, "sari", false).await?;
    let chosen = ["gps brand", "gps model", "vehicle brand", "vehicle model", "vehicle status"];
    let mut lists = vec![
        ("users", "tenant", id.as_str()),
        ("users", "tenant id", &id),
        ("users", "status", "active"),
        ("users", "subscription active", "true"),
        ("devices", "user", &user),
        ("devices", "user ids", &user),
        ("drivers", "status", "on_duty"),
        ("maintenance", "status", "in-progress"),
        ("maintenance", "priority", "high"),
        ("device-members", "user", &user),
        ("device-members", "device", &user),
        ("device-members", "role", "viewer"),
        ("last-positions", "user id", &user),
    ];
    lists.extend(chosen.map(|name| ("devices", name, user.as_str())));
    for (path, name, value) in lists {
        for style in [camel, snake] {
            let name = style(here(&format!("{path}?"), here(path, name)));
            let asked = format!("/api/v1/{path}?{name}={value}");
            taken(&asked, &tenant.admin.api.get(&asked).await?, StatusCode::OK);
        }
    }
    let me = tenant.admin.api.get("/api/v1/auth/me").await?.expect(StatusCode::OK);
    for name in [
        "id",
        "user_id",
        "tenantId",
        "tenant_id",
        "roles",
        "is_platform_owner",
        "is_tenant_admin",
        "is_subscription_user",
        "policy_version",
    ] {
        assert!(me.get(name).is_some(), "{name}: {me}");
    }
    site.running.stop().await
}

fn people(tenant: &str, role: &str) -> Vec<Entity> {
    vec![
        Entity {
            path: "users",
            fields: vec![
                ("name", json!("Budi")),
                ("email", json!("budi@example.com")),
                ("phone", json!("+62 21 1")),
                ("password", json!("a password of many letters")),
                ("tenant", json!(tenant)),
                ("roles", json!([role])),
                ("is tenant admin", json!(false)),
                ("subscription active", json!(true)),
            ],
        },
        Entity {
            path: "roles",
            fields: vec![("name", json!("Night shift")), ("description", json!("At night")), ("tenant", json!(tenant))],
        },
        Entity { path: "permissions", fields: vec![("key", json!("crane:lift")), ("description", json!("Lifts"))] },
        Entity {
            path: "tenants",
            fields: vec![
                ("name", json!("Other")),
                ("cost model", json!("per_device")),
                ("cost per device", json!(100)),
                ("cost bundle", json!(0)),
                ("currency", json!("IDR")),
                ("device limit", json!(0)),
                ("user limit", json!(0)),
                ("used devices", json!(3)),
                ("billing period", json!("monthly")),
                ("billing day", json!(28)),
                ("due day", json!(14)),
                ("subscription status", json!("past_due")),
                ("description", json!("Next door")),
                ("active flag", json!(true)),
            ],
        },
    ]
}

fn fleet(tenant: &str, user: &str, device: &str) -> Vec<Entity> {
    let none = || json!("");
    vec![
        Entity {
            path: "devices",
            fields: vec![
                ("tenant", json!(tenant)),
                ("user", json!(user)),
                ("imei", json!("351756051523999")),
                ("name", json!("Lorry")),
                ("sim number", json!("0812")),
                ("max parking time", json!(600)),
                ("password", none()),
                ("gps brand", none()),
                ("gps model", none()),
                ("gps protocol", none()),
                ("icon type", json!("truck")),
                ("vehicle brand", none()),
                ("vehicle model", none()),
                ("engine number", json!("E1")),
                ("chasis number", json!("C1")),
                ("vehicle status", none()),
                ("vehicle code", json!("B 1")),
                ("vehicle type", none()),
                ("device category", none()),
                ("capacity volume", json!(1.5)),
                ("capacity weight", json!(2)),
                ("cargo category", none()),
                ("temperature range", none()),
                ("warehouse", none()),
                ("allowed zones", none()),
                ("license expiry", json!("2027-01-31")),
                ("primary driver", none()),
                ("tracking device serial number", json!("S1")),
                ("maintenance status", json!("fine")),
                ("hazmat certificate", json!(true)),
                ("wms routing profile", json!("night")),
                ("fuel capacity", json!(60)),
                ("device groups", none()),
            ],
        },
        Entity {
            path: "drivers",
            fields: vec![
                ("tenant", json!(tenant)),
                ("name", json!("Siti")),
                ("status", json!("on_duty")),
                ("phone", json!("0811")),
                ("email", json!("siti@example.com")),
                ("license number", json!("L1")),
                ("vehicle type", json!("Van")),
                ("license plate", json!("B 2")),
                ("home base/depot", json!("Cakung")),
                ("notes", json!("Nights only")),
            ],
        },
        Entity {
            path: "maintenance",
            fields: vec![
                ("tenant", json!(tenant)),
                ("device id", json!(device)),
                ("title", json!("Oil")),
                ("trigger mode", json!("mileage")),
                ("status", json!("in-progress")),
                ("priority", json!("high")),
                ("due date", json!("2027-01-31")),
                ("due odometer", json!(10_000)),
                ("lead days", json!(7)),
                ("lead odometer", json!(500)),
                ("interval days", json!(90)),
                ("interval odometer", json!(5_000)),
                ("notification emails", none()),
                ("detail", json!("10W-40")),
                ("auto generate report", json!(true)),
                ("paused", json!(false)),
            ],
        },
        Entity {
            path: "device-members",
            fields: vec![
                ("tenant", json!(tenant)),
                ("user", json!(user)),
                ("device", json!(device)),
                ("role", json!("viewer")),
            ],
        },
    ]
}

impl Entity {
    fn body(&self, style: fn(&str) -> String) -> Value {
        let fields = self.fields.iter().map(|(name, value)| (style(here(self.path, name)), value.clone()));
        Value::Object(fields.collect::<Map<_, _>>())
    }
}

/// The name that is sent: the specification's, unless it was decided otherwise.
fn here(entity: &str, name: &'static str) -> &'static str {
    DECIDED.iter().find(|decided| (decided.0, decided.1) == (entity, name)).map_or(name, |decided| decided.2)
}

fn snake(words: &str) -> String {
    words.replace(' ', "_")
}

fn camel(words: &str) -> String {
    let mut words = words.split(' ');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

/// What was answered, where nothing of the request was refused or passed over.
fn taken(what: &str, reply: &Reply, status: StatusCode) -> Value {
    assert_eq!(reply.headers.get("armada-unknown-names"), None, "{what}: {}", reply.text);
    assert_eq!(reply.status, status, "{what}: {}", reply.text);
    serde_json::from_str(&reply.text).unwrap_or_default()
}
