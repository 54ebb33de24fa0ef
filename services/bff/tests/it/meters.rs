//! Odometer and engine hours over HTTP: what was read at any time is found, and a correction shows wherever people look.

use armada_proto::{Timestamp, access::permission::DEVICE_CORRECT_METERS};
use armada_testkit::{both_databases, eventually};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Device, SOON, Site, text};

/// Seconds since 1970 of an hour ago.
fn an_hour_ago() -> i64 {
    Timestamp::now().millis() / 1000 - 3_600
}

fn rfc3339(second: i64) -> String {
    Timestamp::from_millis(second * 1000).to_rfc3339()
}

both_databases! {
    async fn a_correction_shows_wherever_people_look(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let api = &tenant.admin.api;
        let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
        let began = an_hour_ago();
        for step in 0..10 {
            site.drive(&truck, began + step * 10, -6.2 + step as f64 * 0.001).await?;
        }
        let meters = format!("/api/v1/devices/{}/meters", truck.id);
        let corrections = format!("/api/v1/devices/{}/meter-corrections", truck.id);
        let mut socket = tenant.admin.socket("&context=maps").await?;
        socket.wait_for(SOON, |message| message["position"]["device_id"] == truck.id.to_string()).await?;

        // Half the way ago it showed 50,000 km: what was driven since is added.
        let middle = began + 50;
        let body = json!({ "odometer": 50_000_000, "effective_from": rfc3339(middle), "reason": "Bengkel" });
        let made = api.post(&corrections, body).await?.expect(StatusCode::OK);
        let before = made["odometer_before"].as_f64().unwrap_or_default();
        assert!((554.0..558.0).contains(&before), "{made}");
        assert_eq!((text(&made["reason"]), text(&made["created_by_name"]), &made["is_newest"]), ("Bengkel".into(), "admin-of-acme".into(), &json!(true)));
        let shows = |shown: &Value| shown.as_f64().is_some_and(|metres| (50_000_440.0..50_000_450.0).contains(&metres));
        let update = socket.wait_for(SOON, |message| shows(&message["position"]["odometer"])).await?;
        assert_eq!(update["position"]["recorded_at"], rfc3339(began + 90), "the same fix once more");
        let last = api.get("/api/v1/last-positions").await?.expect(StatusCode::OK);
        assert!(shows(&last["items"][0]["odometer"]), "{last}");
        eventually("the figures of the device show it", SOON, async || {
            let found = api.get(&meters).await?.expect(StatusCode::OK);
            // At first what was read half the way ago is all that fleet knows.
            anyhow::ensure!(found["odometer"].as_f64().is_some_and(|metres| metres >= 50_000_000.0), "{found}");
            anyhow::ensure!(found["odometer_source"] == "device" && found.get("device_odometer").is_none(), "{found}");
            Ok(())
        })
        .await;
        // History is as it was stored.
        let track = api.get(&format!("/api/v1/devices/{}/track?from={}", truck.id, rfc3339(began))).await?;
        let track = track.expect(StatusCode::OK);
        let stored = track["items"].as_array().and_then(|items| items.last()).map(|item| item["odometer"].clone());
        assert!(stored.and_then(|metres| metres.as_f64()).is_some_and(|metres| metres < 1_010.0), "{track}");

        // What is wrong is said in the reader's language, and what stands in the body of an anchor is nobody's.
        let future = json!({ "odometer": 1, "effective_from": "2100-01-01T00:00:00Z", "reason": "x", "anchor": { "distance": 7 } });
        let refused = api.post(&corrections, future).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused["fields"]["effective_from"], "Tidak boleh di masa depan.");
        let listed = api.get(&corrections).await?.expect(StatusCode::OK);
        assert_eq!((listed["total"].clone(), &listed["items"][0]["id"]), (json!(1), &made["id"]));
        api.delete(&format!("{corrections}/{}", text(&made["id"]))).await?.expect(StatusCode::NO_CONTENT);
        eventually("it is as if it had never been", SOON, async || {
            let last = api.get("/api/v1/last-positions").await?.expect(StatusCode::OK);
            anyhow::ensure!(last["items"][0]["odometer"].as_f64().is_some_and(|metres| metres < 1_010.0), "{last}");
            Ok(())
        })
        .await;
        site.running.stop().await
    }

    async fn who_owns_a_device_corrects_it_with_the_permission(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let budi = site.user(tenant.id, "budi", false).await?;
        let sari = site.account(tenant.id, "sari", false).await?;
        let permissions = [&armada_testkit::READ_PERMISSIONS[..], &[DEVICE_CORRECT_METERS]].concat();
        site.allow(tenant.id, &sari, &permissions).await?;
        let sari = site.sign_in("sari", &permissions).await?;
        let (his, hers) = (
            tenant.admin.device(490_154_203_237_518, "Truck", Some(&budi.id)).await?,
            tenant.admin.device(351_756_051_523_999, "Lorry", Some(&sari.id)).await?,
        );
        let body = || json!({ "engine_seconds": 3_600, "reason": "x" });
        let of = |device: &Device| format!("/api/v1/devices/{}/meter-corrections", device.id);
        budi.api.post(&of(&his), body()).await?.expect(StatusCode::FORBIDDEN);
        sari.api.post(&of(&his), body()).await?.expect(StatusCode::NOT_FOUND);
        let made = sari.api.post(&of(&hers), body()).await?.expect(StatusCode::OK);
        assert_eq!((&made["engine_seconds"], made.get("odometer")), (&json!(3600.0), None));
        site.running.stop().await
    }
}
