//! Devices by what they do now, which another service knows than the one that lists them.

use std::collections::HashMap;

use anyhow::Context as _;
use armada_proto::Timestamp;
use armada_testkit::{both_databases, eventually};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Device, Person, SOON, Site, text};

impl Site {
    /// Publishes a fix of so many minutes ago, and waits until it is known.
    async fn reports(&self, device: &Device, minutes_ago: i64, with: Value) -> anyhow::Result<()> {
        let recorded_at = Timestamp::from_millis(Timestamp::now().millis() - minutes_ago * 60_000).to_rfc3339();
        let mut fix = json!({ "recorded_at": recorded_at, "lat": -6.2, "lng": 106.8 });
        fix.as_object_mut().context("an object")?.extend(with.as_object().cloned().unwrap_or_default());
        eventually("the fix arrives", SOON, async || {
            self.gateway.report(&device.imei, &fix).await?;
            let last = self.owner.api.get("/api/v1/last-positions").await?.expect(StatusCode::OK);
            let items = last["items"].as_array().context("items")?;
            anyhow::ensure!(items.iter().any(|item| item["device_id"] == device.id.to_string()), "{last}");
            Ok(())
        })
        .await;
        Ok(())
    }
}

/// The names that a person gets for a query, in their order.
async fn names(person: &Person, query: &str) -> anyhow::Result<Vec<String>> {
    let list = person.api.get(&format!("/api/v1/devices?sort=name&{query}")).await?.expect(StatusCode::OK);
    let items = list["items"].as_array().context("items")?;
    assert_eq!(list["total"], items.len(), "{list}");
    Ok(items.iter().map(|item| text(&item["name"])).collect())
}

/// Each vehicle is called after its state, but for the one that is not in use.
async fn last_positions_say_the_same(person: &Person, by_id: &HashMap<String, &str>) -> anyhow::Result<()> {
    let alarmed = eventually("every state is that of the lists", SOON, async || {
        let last = person.api.get("/api/v1/last-positions").await?.expect(StatusCode::OK);
        let items = last["items"].as_array().context("items")?;
        anyhow::ensure!(items.len() == by_id.len(), "{last}");
        for item in items {
            let name = by_id[&text(&item["device_id"])];
            let wanted = if name == "unused" { "no_data" } else { name };
            anyhow::ensure!(item["state"] == wanted, "{name}: {item}");
            anyhow::ensure!(item["standing_alarm"].is_null() == (name != "alarm"), "{name}: {item}");
        }
        items.iter().find(|item| item["state"] == "alarm").cloned().context("an alarm")
    })
    .await;
    // So does the socket, of the alarm in the one message that is told anew when that is over.
    let mut socket = person.socket("&context=maps").await?;
    let is_of = |message: &Value| message["position"]["device_id"] == alarmed["device_id"];
    let position = socket.wait_for(SOON, is_of).await?;
    assert_eq!(position["position"]["state"], Value::Null, "{position}");
    let device_ids = json!({ "device_ids": [alarmed["device_id"]] });
    socket.send(json!({ "type": "subscribe_devices", "payload": device_ids })).await?;
    let update = socket.wait_for(SOON, |message| message["type"] == "device_update").await?;
    let status = &update["payload"]["status"];
    assert_eq!((&status["alarm"], &status["alarm_since"]), (&json!("sos"), &alarmed["standing_alarm_since"]));
    assert_eq!(alarmed["standing_alarm"], status["alarm"]);
    Ok(())
}

both_databases! {
    async fn devices_are_listed_by_what_they_do_now(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let admin = &tenant.admin;
        let budi = site.user(tenant.id, "budi", false).await?;
        let fixes = [
            ("alarm", 11, json!({ "speed": 0.0, "alarm": "sos" })),
            ("idle", 0, json!({ "speed": 0.0, "ignition": true })),
            ("moving", 0, json!({ "speed": 36.0 })),
            ("offline", 11, json!({ "speed": 36.0 })),
            ("parked", 9, json!({ "speed": 0.0, "ignition": false })),
            ("unused", 0, json!({ "speed": 36.0 })),
        ];
        let mut by_id = HashMap::new();
        for (number, (name, minutes_ago, with)) in fixes.into_iter().enumerate() {
            let owner = (name == "moving").then_some(budi.id.as_str());
            let device = admin.device(350_000_000_000_000 + number as u64, name, owner).await?;
            by_id.insert(device.id.to_string(), name);
            site.reports(&device, minutes_ago, with).await?;
            if name == "unused" {
                let path = format!("/api/v1/devices/{}", device.id);
                admin.api.put(&path, json!({ "status": "inactive" })).await?.expect(StatusCode::OK);
            }
        }
        admin.device(350_000_000_000_099, "silent", None).await?;
        let other = site.tenant("other").await?;
        let theirs = other.admin.device(350_000_000_000_088, "theirs", None).await?;
        site.reports(&theirs, 0, json!({ "speed": 36.0 })).await?;

        // It stands a moment after the fix that raises it, whatever else the vehicle does.
        eventually("the alarm stands", SOON, async || {
            let alarmed = names(admin, "live_state=alarm").await?;
            anyhow::ensure!(alarmed == ["alarm"], "{alarmed:?}");
            Ok(())
        })
        .await;
        for state in ["alarm", "idle", "moving", "offline", "parked"] {
            assert_eq!(names(admin, &format!("live_state={state}")).await?, [state]);
        }
        assert_eq!(names(admin, "live_state=no_data").await?, ["silent", "unused"]);
        assert_eq!(names(admin, "live_state=moving&live_state=idle").await?, ["idle", "moving"]);
        assert_eq!(names(admin, "live_state=no_data&live_state=offline").await?, ["offline", "silent", "unused"]);
        assert_eq!(names(admin, "live_state=no_data&status=active").await?, ["silent"]);
        assert_eq!(names(&site.owner, "live_state=moving").await?, ["moving", "theirs"]);
        assert_eq!(names(&site.owner, &format!("live_state=moving&tenant_id={}", other.id)).await?, ["theirs"]);
        assert_eq!(names(&budi, "live_state=moving&live_state=parked").await?, ["moving"]);
        admin.api.get("/api/v1/devices?live_state=flying").await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        last_positions_say_the_same(admin, &by_id).await?;

        let file = admin.api.get("/api/v1/devices/export?columns=name&sort=name&live_state=no_data").await?;
        assert_eq!(file.text, "\u{feff}Nama\r\nsilent\r\nunused\r\n");
        let filter = json!({ "live_state": ["idle", "no_data"] });
        let job = admin.api.post("/api/v1/devices/bulk", json!({ "filter": filter, "delete": {} })).await?;
        assert_eq!(job.expect(StatusCode::ACCEPTED)["total"], 3);
        eventually("they are removed", SOON, async || {
            let left = names(admin, "").await?;
            anyhow::ensure!(left == ["alarm", "moving", "offline", "parked"], "{left:?}");
            Ok(())
        })
        .await;
        site.running.stop().await
    }

    /// Who may not see where vehicles are cannot find it out by asking for a list.
    async fn live_states_need_permission(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let id = site.account(tenant.id, "budi", false).await?;
        site.allow(tenant.id, &id, &["device:list", "device:export"]).await?;
        let budi = site.sign_in("budi", &["device:list"]).await?;
        assert_eq!(names(&budi, "").await?, Vec::<String>::new());
        for path in ["/api/v1/devices?live_state=moving", "/api/v1/devices/export?live_state=moving"] {
            budi.api.get(path).await?.expect(StatusCode::FORBIDDEN);
        }
        let filter = json!({ "filter": { "live_state": ["moving"] }, "delete": {} });
        budi.api.post("/api/v1/devices/bulk", filter).await?.expect(StatusCode::FORBIDDEN);
        site.running.stop().await
    }
}
