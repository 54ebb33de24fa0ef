//! The demonstration in the whole program: made at the first start, driven, and gone for good when it is removed.

use std::collections::HashMap;

use armada_position_ingest as ingest;
use armada_proto::{coded, command, route, v1::ImeiRoute};
use armada_runtime::{Bus, Database, db::Location};
use armada_testkit::{Api, Kind, both_databases, eventually, eventually_equal};
use futures::StreamExt;
use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::support::{SOON, site::Site};

const ADMIN: &str = "demo.admin@armada.local";
const VIEWER: &str = "demo.viewer@armada.local";

async fn items(api: &Api, path: &str) -> anyhow::Result<Vec<Value>> {
    let reply = api.get(path).await?;
    anyhow::ensure!(reply.status.is_success(), "{path}: {} {}", reply.status, reply.text);
    Ok(reply.json()["items"].as_array().cloned().unwrap_or_default())
}

/// When and where each device was last.
async fn places(api: &Api) -> anyhow::Result<HashMap<String, (String, f64, f64)>> {
    let text = |item: &Value, name: &str| item[name].as_str().unwrap_or_default().to_owned();
    let place = |item: &Value| {
        let degrees = |name: &str| item[name].as_f64().unwrap_or_default();
        (text(item, "recorded_at"), degrees("lat"), degrees("lng"))
    };
    let positions = items(api, "/api/v1/last-positions").await?;
    Ok(positions.iter().map(|item| (text(item, "device_id"), place(item))).collect())
}

/// Waits until the newest fixes are those of now, and then until a vehicle is somewhere else.
async fn vehicles_move(api: &Api) {
    let live = now() - 120_000;
    let before = eventually("vehicles report", SOON, async || {
        let places = places(api).await?;
        let newest = places.values().map(|(time, ..)| time.clone()).max().unwrap_or_default();
        let newest = armada_proto::Timestamp::parse_rfc3339(&newest).map_or(0, |time| time.millis());
        anyhow::ensure!(places.len() == 49 && newest > live, "{} vehicles, the newest at {newest}", places.len());
        Ok(places)
    })
    .await;
    eventually("a vehicle drives on", SOON, async || {
        let after = places(api).await?;
        let moved = |(id, (time, lat, lng)): (&String, &(String, f64, f64))| {
            let (then, lat_then, lng_then) = &before[id];
            time > then && (lat - lat_then).abs() + (lng - lng_then).abs() > 0.000_5
        };
        anyhow::ensure!(after.iter().any(moved), "all stand");
        Ok(())
    })
    .await;
}

fn now() -> i64 {
    armada_proto::Timestamp::now().millis()
}

/// The password that a start printed for somebody.
fn password(printed: &str, email: &str) -> Option<String> {
    let line = printed.lines().find(|line| line.contains(email))?;
    Some(line.split_whitespace().nth(2)?.to_owned())
}

fn done(site: &Site, arguments: &[&str]) -> String {
    let output = site.output(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

both_databases! {
    async fn vehicles_drive_until_they_are_removed_for_good(kind: Kind) -> anyhow::Result<()> {
        let mut site = Site::new(kind).await;
        site.set("ARMADA_DEMO", "1");
        let armada = site.run().await;
        vehicles_move(&site.owner().await?).await;
        let (status, printed) = armada.stop(Signal::SIGTERM).await?;
        assert!(status.success());
        let (admin, viewer) = (password(&printed, ADMIN), password(&printed, VIEWER));
        let (admin, viewer) = (admin.expect("the admin's password"), viewer.expect("the viewer's password"));

        // Started again, it goes on, and makes and tells nothing.
        let armada = site.run().await;
        let owner = site.owner().await?;
        vehicles_move(&owner).await;
        let console = Api::new(&format!("http://{}", site.http));
        let admin_api = console.sign_in(ADMIN, &admin).await?;
        assert_eq!(admin_api.get("/api/v1/auth/me").await?.json()["is_demo"], true);
        let devices = items(&admin_api, "/api/v1/devices?page_size=500").await?;
        assert_eq!(devices.len(), 50);
        let seen = items(&console.sign_in(VIEWER, &viewer).await?, "/api/v1/devices?page_size=500").await?;
        assert!(!seen.is_empty() && seen.len() < 50, "the viewer sees {}", seen.len());

        // What is there is not made again; what is missing is, when somebody asks for it.
        assert!(done(&site, &["seed", "--demo"]).starts_with("0 devices made"));
        let id = devices[0]["id"].as_str().expect("an id");
        assert!(admin_api.delete(&format!("/api/v1/devices/{id}")).await?.status.is_success());
        assert!(done(&site, &["seed", "--demo"]).starts_with("1 devices made"));
        assert_eq!(items(&owner, "/api/v1/tenants").await?.len(), 1);

        let unasked = site.output(&["seed", "--remove-demo"]);
        assert!(!unasked.status.success(), "nobody was asked");
        done(&site, &["seed", "--remove-demo", "--yes"]);
        for path in ["/api/v1/tenants", "/api/v1/devices", "/api/v1/last-positions"] {
            eventually_equal(path, SOON, 0, async || Ok(items(&owner, path).await?.len())).await;
        }
        assert!(console.sign_in(ADMIN, &admin).await.is_err(), "the admin is gone");
        if let Kind::Sqlite = kind {
            let history = Database::open(&Location::Sqlite(site.data()), ingest::NAME).await?;
            eventually_equal("no history is left", SOON * 2, 0, async || {
                Ok(ingest::admin::storage(&history).await?.total().positions)
            })
            .await;
        }
        let (status, printed) = armada.stop(Signal::SIGTERM).await?;
        assert!(status.success() && !printed.contains("demo."), "{printed}");

        let _armada = site.run().await;
        assert_eq!(items(&site.owner().await?, "/api/v1/tenants").await?.len(), 0, "nobody asked for it again");
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn demo_is_opt_in() -> anyhow::Result<()> {
    let mut site = Site::new(Kind::Sqlite).await;
    let armada = site.run().await;
    let owner = site.owner().await?;
    assert_eq!(items(&owner, "/api/v1/tenants").await?.len(), 0);
    owner.post("/api/v1/tenants", serde_json::json!({ "name": "PT Sungguhan" })).await?;
    armada.stop(Signal::SIGTERM).await?;

    // An installation that is in use already does not get it either.
    site.set("ARMADA_DEMO", "1");
    let _armada = site.run().await;
    assert_eq!(items(&site.owner().await?, "/api/v1/tenants").await?.len(), 1);
    let only = site.output(&["run", "--only", "fleet"]);
    let log = String::from_utf8_lossy(&only.stderr).into_owned();
    assert!(!only.status.success() && log.contains("ARMADA_DEMO"), "{log}");
    Ok(())
}

/// Sends commands as fleet does, and hears what becomes of them.
struct Commander {
    bus: Bus,
    /// In the account of gateways.
    gateways: Bus,
    replies: async_nats::Subscriber,
}

impl Commander {
    async fn new(site: &Site) -> anyhow::Result<Self> {
        let bus = Bus::connect(&site.operators_nats_url()?, "test").await?;
        let gateways = Bus::connect_without_streams(&site.gateways_url()?, "test").await?;
        let replies = gateways.client.subscribe(command::REPLIES).await?;
        Ok(Self { bus, gateways, replies })
    }

    async fn send(&self, id: &str, imei: &str, kind: &str, expires_at: &str) -> anyhow::Result<()> {
        let command = json!({ "id": id, "imei": imei, "protocol": "GT06", "kind": kind, "expires_at": expires_at });
        Ok(self.gateways.client.publish(command::subject("demo", imei), command.to_string().into()).await?)
    }

    /// The next reply to a command of a test: of which, to which tracker, how far it has come, what the tracker said or why it
    /// failed. The demonstration sends some of its own.
    async fn reply(&mut self) -> anyhow::Result<(String, String, String, String)> {
        loop {
            let message = tokio::time::timeout(SOON, self.replies.next()).await?.expect("it listens");
            let (gateway, imei) = command::origin(&message.subject).expect("a reply");
            assert_eq!(gateway, "demo");
            let reply: Value = serde_json::from_slice(&message.payload)?;
            let text = |name: &str| reply[name].as_str().unwrap_or_default().to_owned();
            if text("id").len() == 1 {
                return Ok((text("id"), imei.to_owned(), text("state"), text("text") + &text("reason")));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn vehicles_obey_commands() -> anyhow::Result<()> {
    const LATER: &str = "2100-01-01T00:00:00Z";
    let mut site = Site::new(Kind::Sqlite).await;
    site.set("ARMADA_DEMO", "1");
    let _armada = site.run().await;
    let owner = site.owner().await?;
    vehicles_move(&owner).await;
    let last = items(&owner, "/api/v1/last-positions").await?;
    let fastest = last.iter().max_by_key(|item| item["speed"].as_f64().unwrap_or_default() as i64).expect("one drives");
    let devices = items(&owner, "/api/v1/devices?page_size=500").await?;
    let device = devices.iter().find(|device| device["id"] == fastest["device_id"]).expect("it is there");
    let imei = device["imei"].as_str().expect("an IMEI").to_owned();
    let mut commander = Commander::new(&site).await?;
    eventually("its gateway is known", SOON, async || {
        let value = commander.bus.bucket(route::BUCKET).await?.get(imei.clone()).await?;
        let route = value.and_then(|value| coded::decode::<ImeiRoute>(&value));
        anyhow::ensure!(route.as_ref().is_some_and(|route| route.gateway == "demo"), "{route:?}");
        Ok(())
    })
    .await;

    let reply = |id: &str, imei: &str, state: &str, said: &str| {
        (id.to_owned(), imei.to_owned(), state.to_owned(), said.to_owned())
    };
    commander.send("1", &imei, "engine_stop", LATER).await?;
    assert_eq!(commander.reply().await?, reply("1", &imei, "delivered", ""));
    assert_eq!(commander.reply().await?, reply("1", &imei, "acknowledged", "RELAY:1 OK"));
    eventually("it stands", SOON, async || {
        let last = items(&owner, "/api/v1/last-positions").await?;
        let now = last.iter().find(|item| item["device_id"] == fastest["device_id"]);
        anyhow::ensure!(now.is_some_and(|now| now["ignition"] == false && now["speed"] == 0.0), "{now:?}");
        Ok(())
    })
    .await;

    // What comes twice is carried out once: the next reply is another command's.
    commander.send("1", &imei, "engine_stop", LATER).await?;
    commander.send("2", &imei, "self_destruct", LATER).await?;
    assert_eq!(commander.reply().await?, reply("2", &imei, "failed", "unsupported"));
    commander.send("3", &imei, "reboot", "2026-01-01T00:00:00Z").await?;
    assert_eq!(commander.reply().await?, reply("3", &imei, "failed", "expired"));
    commander.send("4", "356938035643809", "reboot", LATER).await?;
    assert_eq!(commander.reply().await?, reply("4", "356938035643809", "not_connected", ""));
    commander.send("5", &imei, "engine_resume", LATER).await?;
    assert_eq!(commander.reply().await?, reply("5", &imei, "delivered", ""));
    assert_eq!(commander.reply().await?, reply("5", &imei, "acknowledged", "RELAY:0 OK"));
    Ok(())
}
