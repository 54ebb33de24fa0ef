//! What happens to vehicles, from the tracker to the list and the live socket of who sees them.

use std::{cell::Cell, time::Duration};

use armada_proto::{
    Timestamp,
    access::permission::{DEVICE_LIST, EVENT_LIST, POSITION_LIVE},
};
use armada_testkit::{Socket, both_databases, eventually};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Device, SOON, Site};

fn is_event_notice(message: &Value) -> bool {
    message["type"] == "events_changed"
}

/// Raises alarms until a socket tells that something has happened; how many there were.
async fn alarms_until_event_notice(site: &Site, device: &Device, socket: &mut Socket) -> usize {
    // An alarm that still stands is none that is raised.
    let raised = Cell::new(0);
    let reported = eventually("the socket tells of events", SOON, async || {
        raised.set(raised.get() + 1);
        let alarm = format!("door_{}", raised.get());
        let fix = json!({ "recorded_at": Timestamp::now().to_rfc3339(), "lat": -6.2, "lng": 106.8, "alarm": alarm });
        site.gateway.report(&device.imei, &fix).await?;
        socket.wait_for(Duration::from_secs(1), is_event_notice).await?;
        Ok(raised.get())
    });
    reported.await
}

/// Whether a socket was told of something until it has answered twice: what waited for it came in between.
async fn is_notified(socket: &mut Socket) -> anyhow::Result<bool> {
    let mut reported = false;
    for _ in 0..2 {
        socket.send(json!({ "type": "ping" })).await?;
        loop {
            let message = socket.next(SOON).await?;
            if message["type"] == "pong" {
                break;
            }
            reported |= is_event_notice(&message);
        }
    }
    Ok(reported)
}

both_databases! {
    async fn events_reach_their_users_only(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let (tenant, other) = (site.tenant("acme").await?, site.tenant("globex").await?);
        let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
        let id = site.account(tenant.id, "siti", false).await?;
        site.allow(tenant.id, &id, &[DEVICE_LIST, POSITION_LIVE, EVENT_LIST]).await?;
        let elsewhere = site.sign_in("siti", &[EVENT_LIST]).await?;
        let mut admin = tenant.admin.socket("").await?;
        let (mut unlinked, mut foreign) = (elsewhere.socket("").await?, other.admin.socket("").await?);

        let raised = alarms_until_event_notice(&site, &truck, &mut admin).await;
        let all = format!("/api/v1/events?kind=alarm.*&device_id={}", truck.id);
        let list = eventually("all of them are listed", SOON, async || {
            let list = tenant.admin.api.get(&all).await?.expect(StatusCode::OK);
            anyhow::ensure!(list["total"] == raised, "{list}");
            Ok(list)
        })
        .await;
        let newest = &list["items"][0];
        assert_eq!(newest["kind"], format!("alarm.door_{raised}"));
        assert_eq!((&newest["device_name"], &newest["lat"]), (&json!("Truck"), &json!(-6.2)));
        assert!(newest.get("since").is_none() && newest["id"].as_str().is_some_and(|id| id.len() == 32), "{newest}");
        let summary = tenant.admin.api.get("/api/v1/events/summary?kind=alarm.*").await?.expect(StatusCode::OK);
        assert_eq!(summary["total"], raised);

        for socket in [&mut unlinked, &mut foreign] {
            assert!(!is_notified(socket).await?);
        }
        for person in [&elsewhere, &other.admin] {
            let list = person.api.get(&all).await?.expect(StatusCode::OK);
            assert_eq!(list["total"], 0, "{list}");
        }
        site.running.stop().await
    }
}
