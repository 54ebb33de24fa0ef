//! The demonstration in the whole program: made at the first start, driven, and gone for good when it is removed.

use std::collections::HashMap;

use armada_position_ingest as ingest;
use armada_runtime::{Database, db::Location};
use armada_testkit::{Api, Kind, both_databases, eventually, eventually_equal};
use nix::sys::signal::Signal;
use serde_json::Value;

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
                Ok(ingest::storage(&history).await?.total().positions)
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
async fn nobody_gets_it_unasked() -> anyhow::Result<()> {
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
    let told = String::from_utf8_lossy(&only.stderr).into_owned();
    assert!(!only.status.success() && told.contains("ARMADA_DEMO"), "{told}");
    Ok(())
}
