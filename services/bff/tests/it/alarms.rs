//! An alarm of a vehicle, from its tracker to who acknowledges it.

use anyhow::Context as _;
use armada_proto::{
    Timestamp,
    access::permission::{ALARM_ACKNOWLEDGE, ALARM_LIST, DEVICE_LIST, POSITION_LIVE},
};
use armada_testkit::{Socket, both_databases, eventually};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Device, SOON, Site, text};

impl Site {
    /// A tracker says the same for as long as its button is pressed; the last it said was eleven minutes ago.
    async fn press_sos(&self, device: &Device) -> anyhow::Result<Value> {
        let recorded_at = Timestamp::from_millis(Timestamp::now().millis() - 11 * 60_000).to_rfc3339();
        let fix = json!({ "recorded_at": recorded_at, "lat": -6.2, "lng": 106.8, "alarm": "sos" });
        let stands = eventually("the alarm stands", SOON, async || {
            self.gateway.report(&device.imei, &fix).await?;
            let path = format!("/api/v1/alarms?state=open&device_id={}", device.id);
            let list = self.owner.api.get(&path).await?.expect(StatusCode::OK);
            anyhow::ensure!(list["total"] == 1, "{list}");
            Ok(list["items"][0].clone())
        });
        Ok(stands.await)
    }

    /// Waits until so many devices of the platform are in each of two states.
    async fn are_in_states(&self, wanted: [(&str, u32); 2]) {
        eventually("what vehicles do is known", SOON, async || {
            for (state, count) in wanted {
                let list = self.owner.api.get(&format!("/api/v1/devices?live_state={state}")).await?;
                anyhow::ensure!(list.expect(StatusCode::OK)["total"] == count, "{state}: {}", list.text);
            }
            Ok(())
        })
        .await;
    }
}

/// Waits until a socket is told of a device with this alarm, or with none.
async fn next_alarm_message(socket: &mut Socket, alarm: Option<&str>) -> anyhow::Result<Value> {
    let update = socket.wait_for(SOON, |message| {
        message["type"] == "device_update" && message["payload"]["status"].get("alarm").and_then(Value::as_str) == alarm
    });
    Ok(update.await?["payload"]["status"].clone())
}

both_databases! {
    async fn alarm_is_active_until_acknowledged(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
        let rights = [DEVICE_LIST, POSITION_LIVE, ALARM_LIST, ALARM_ACKNOWLEDGE];
        let id = site.account(tenant.id, "budi", false).await?;
        site.allow(tenant.id, &id, &rights).await?;
        let link = json!({ "device_id": truck.id, "user_id": id });
        tenant.admin.api.post("/api/v1/device-members", link).await?.expect(StatusCode::CREATED);
        let budi = site.sign_in("budi", &rights).await?;
        let alarm = site.press_sos(&truck).await?;
        assert_eq!((&alarm["kind"], &alarm["severity"]), (&json!("alarm.sos"), &json!("critical")));
        assert_eq!((&alarm["device_name"], &alarm["count"], &alarm["lat"]), (&json!("Truck"), &json!(1), &json!(-6.2)));
        assert!(alarm.get("acknowledged_at").is_none(), "{alarm}");

        // It wins over silence, wherever somebody asks.
        let subscribe = json!({ "type": "subscribe_devices", "payload": { "device_ids": [truck.id] } });
        let mut sockets = [tenant.admin.socket("").await?, budi.socket("").await?];
        for socket in &mut sockets {
            socket.send(subscribe.clone()).await?;
            assert_eq!(next_alarm_message(socket, Some("sos")).await?["alarm_since"], alarm["first_at"]);
        }
        site.are_in_states([("alarm", 1), ("offline", 0)]).await;

        let path = format!("/api/v1/alarms/{}/acknowledge", text(&alarm["id"]));
        let done = budi.api.post(&path, json!({ "note": " Called the driver. " })).await?.expect(StatusCode::OK);
        assert_eq!((&done["state"], &done["acknowledged_by"]), (&json!("acknowledged"), &json!(budi.id)));
        assert_eq!(done["note"], "Called the driver.");
        assert!(done["reaction_seconds"].as_u64().is_some_and(|seconds| seconds >= 660), "{done}");
        for socket in &mut sockets {
            next_alarm_message(socket, None).await?;
        }
        site.are_in_states([("alarm", 0), ("offline", 1)]).await;
        // Who comes second changes nothing.
        let again = tenant.admin.api.post(&path, json!({ "note": "Mine." })).await?.expect(StatusCode::OK);
        assert_eq!(again, done);
        let list = tenant.admin.api.get("/api/v1/alarms?state=acknowledged").await?.expect(StatusCode::OK);
        assert_eq!((&list["total"], &list["items"][0]), (&json!(1), &done));
        eventually("the audit says who it was", SOON, async || {
            let audit = tenant.admin.api.get("/api/v1/audit?act=alarm:acknowledge").await?.expect(StatusCode::OK);
            anyhow::ensure!(audit["total"] == 1, "{audit}");
            let entry = &audit["items"][0];
            assert_eq!((&entry["actor_id"], &entry["object_name"]), (&json!(budi.id), &json!("Truck")));
            Ok(())
        })
        .await;
        let columns = ["severity", "kind", "device_name", "state", "acknowledged_by_name", "reaction_seconds", "note"];
        let columns: Vec<_> = columns.iter().map(|column| format!("columns={column}")).collect();
        let path = format!("/api/v1/alarms/export?state=acknowledged&{}", columns.join("&"));
        let file = tenant.admin.api.request(Method::GET, &path, &[("accept-language", "en")], None).await?;
        let (heading, rows) = file.text.split_once("\r\n").context("a heading")?;
        let headings = "Severity,Alarm,Vehicle,Status,Acknowledged by,Reaction time (seconds),Note";
        assert_eq!(heading.trim_start_matches('\u{feff}'), headings);
        let reaction = &done["reaction_seconds"];
        let row = format!("Critical,SOS button,Truck,Acknowledged,budi,{reaction},Called the driver.\r\n");
        assert_eq!(rows, row);
        for (body, status) in [(json!({}), 422), (json!({ "ids": vec!["x"; 501] }), 422), (json!({ "ids": ["x"] }), 200)] {
            let reply = tenant.admin.api.post("/api/v1/alarms/acknowledge", body).await?;
            assert_eq!(reply.status.as_u16(), status, "{}", reply.text);
        }
        site.running.stop().await
    }
}
