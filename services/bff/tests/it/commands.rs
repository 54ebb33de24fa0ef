//! Commands over HTTP and over the live socket: who sends them, and who hears what becomes of them.

use armada_proto::{
    access::permission::{COMMAND_CREATE, COMMAND_LIST, DEVICE_LIST, POSITION_LIVE},
    command::{self, GatewayReplyState},
};
use armada_testkit::{Socket, both_databases};
use async_nats::Subscriber;
use futures::StreamExt;
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Device, SOON, Site, text};

/// Makes a gateway of the test: what it hears.
async fn commands_to(site: &Site, device: &Device) -> anyhow::Result<Subscriber> {
    let gateways = &site.world.gateways_bus().await.client;
    let subscriber = gateways.subscribe(command::subject("*", &device.imei)).await?;
    gateways.flush().await?;
    Ok(subscriber)
}

/// The next command, and the gateway that gets it.
async fn next(subscriber: &mut Subscriber) -> anyhow::Result<(String, Value)> {
    let message = tokio::time::timeout(SOON, subscriber.next()).await?.expect("it listens");
    let gateway = message.subject.split('.').nth(1).expect("a gateway").to_owned();
    Ok((gateway, serde_json::from_slice(&message.payload)?))
}

async fn reply(site: &Site, gateway: &str, sent: &Value, state: GatewayReplyState) -> anyhow::Result<()> {
    let reply = json!({ "id": sent["id"], "state": state, "text": "OK" });
    let subject = command::reply_subject(gateway, &text(&sent["imei"]));
    let gateways = &site.world.gateways_bus().await.client;
    gateways.publish(subject, reply.to_string().into()).await?;
    Ok(gateways.flush().await?)
}

/// Waits until a socket is told that a command stands like that.
async fn wait_for_state(socket: &mut Socket, id: &str, state: &str) -> anyhow::Result<Value> {
    let is_wanted = |message: &Value| {
        let command = &message["payload"]["command"];
        message["type"] == "command_response" && command["id"] == id && command["state"] == state
    };
    Ok(socket.wait_for(SOON, is_wanted).await?["payload"]["command"].take())
}

/// Waits until a socket shows what its user may see of commands.
async fn is_ready(site: &Site, socket: &mut Socket, device: &Device) -> anyhow::Result<()> {
    let path = format!("/api/v1/devices/{}/commands", device.id);
    armada_testkit::eventually("the socket tells of commands", SOON, async || {
        let sent = site.owner.api.post(&path, json!({ "kind": "alarm_arm" })).await?.expect(StatusCode::OK);
        let is_wanted = |message: &Value| message["payload"]["command"]["id"] == sent["id"];
        socket.wait_for(std::time::Duration::from_millis(500), is_wanted).await?;
        Ok(())
    })
    .await;
    Ok(())
}

/// Everything that a socket hears until it has answered twice: what waited for it came in between.
async fn next_state(socket: &mut Socket) -> anyhow::Result<Vec<Value>> {
    let mut subscriber = Vec::new();
    for _ in 0..2 {
        socket.send(json!({ "type": "ping" })).await?;
        loop {
            let message = socket.next(SOON).await?;
            if message["type"] == "pong" {
                break;
            }
            subscriber.push(message);
        }
    }
    Ok(subscriber)
}

both_databases! {
    async fn command_updates_reach_their_users_only(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let (tenant, other) = (site.tenant("acme").await?, site.tenant("globex").await?);
        let viewer = site.user(tenant.id, "budi", false).await?;
        let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
        let link = json!({ "device_id": truck.id, "user_id": viewer.id, "role": "viewer" });
        tenant.admin.api.post("/api/v1/device-members", link).await?.expect(StatusCode::CREATED);
        let columns = tenant.admin.api.url(&format!("/ws?token={}", tenant.admin.ticket().await?));
        let mut columns = Socket::open_with(&columns, &[("sec-websocket-protocol", "armada.columns.v1")]).await?;
        let mut admin = tenant.admin.socket("").await?;
        let (mut foreign, mut blind) = (other.admin.socket("&context=maps").await?, viewer.socket("&context=maps").await?);
        is_ready(&site, &mut admin, &truck).await?;
        is_ready(&site, &mut columns, &truck).await?;
        let list = tenant.admin.api.get("/api/v1/commands?state=queued").await?.expect(StatusCode::OK);
        for queued in list["items"].as_array().expect("items") {
            let path = format!("/api/v1/commands/{}/cancel", text(&queued["id"]));
            tenant.admin.api.post(&path, json!({})).await?.expect(StatusCode::OK);
        }

        let mut gateway = commands_to(&site, &truck).await?;
        site.drive(&truck, 1_700_000_000, -6.2).await?;
        let path = format!("/api/v1/devices/{}/commands", truck.id);
        let input = json!({
            "kind": "position_periodic", "interval_seconds": 30, "reason": "Sidang",
            "request_id": "0199f2b4-6c1e-7d3a-9a55-0c2f5f0d8e11",
        });
        let sent = tenant.admin.api.post(&path, input.clone()).await?.expect(StatusCode::OK);
        let id = text(&sent["id"]);
        let again = tenant.admin.api.post(&path, input).await?.expect(StatusCode::OK);
        assert_eq!(again["id"], sent["id"], "asked again, it is the same");
        let (name, subscriber) = next(&mut gateway).await?;
        assert_eq!((&subscriber["id"], &subscriber["arguments"]), (&sent["id"], &json!({ "interval_seconds": 30 })));
        reply(&site, &name, &subscriber, GatewayReplyState::Delivered).await?;
        wait_for_state(&mut admin, &id, "delivered").await?;
        reply(&site, &name, &subscriber, GatewayReplyState::Acknowledged).await?;
        for socket in [&mut admin, &mut columns] {
            let is_wanted = wait_for_state(socket, &id, "acknowledged").await?;
            assert_eq!((&is_wanted["answer"], &is_wanted["device_name"]), (&json!("OK"), &json!("Truck")));
        }
        for socket in [&mut foreign, &mut blind] {
            let subscriber = next_state(socket).await?;
            assert!(!subscriber.iter().any(|message| message["type"] == "command_response"), "{subscriber:?}");
        }
        site.running.stop().await
    }

    async fn command_is_sent_over_the_socket(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let tenant = site.tenant("acme").await?;
        let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
        let permissions = [DEVICE_LIST, POSITION_LIVE, COMMAND_LIST, COMMAND_CREATE];
        let id = site.account(tenant.id, "budi", false).await?;
        site.allow(tenant.id, &id, &permissions).await?;
        let technician = site.sign_in("budi", &permissions).await?;
        let link = json!({ "device_id": truck.id, "user_id": id, "role": "technician" });
        tenant.admin.api.post("/api/v1/device-members", link).await?.expect(StatusCode::CREATED);
        let mut gateway = commands_to(&site, &truck).await?;
        site.drive(&truck, 1_700_000_000, -6.2).await?;

        let mut socket = technician.socket("").await?;
        let mut send = async |device: &str, command: Value| {
            let payload = json!({ "device_id": device, "command": command });
            socket.send(json!({ "type": "send_command", "payload": payload })).await?;
            let answer = |message: &Value| {
                let payload = &message["payload"];
                message["type"] == "command_response" && (payload["error"].is_object() || payload["request_id"].is_string())
            };
            anyhow::Ok(socket.wait_for(SOON, answer).await?["payload"].take())
        };
        let truck_id = truck.id.to_string();
        let request = "0199f2b4-6c1e-7d3a-9a55-0c2f5f0d8e12";
        let sent = send(&truck_id, json!({ "kind": "reboot", "request_id": request })).await?;
        assert_eq!((&sent["device_id"], &sent["command"]["user_id"]), (&json!(truck_id), &json!(id)));
        assert_eq!(next(&mut gateway).await?.1["id"], sent["command"]["id"]);
        let engine = send(&truck_id, json!({ "kind": "engine_stop", "reason": "Dicuri", "request_id": request })).await?;
        assert_eq!((&engine["error"]["error"], &engine["request_id"]), (&json!("forbidden"), &json!(request)));
        let absent = send("01900000-0000-7000-8000-000000000000", json!("reboot")).await?;
        assert_eq!(absent["error"]["error"], "not_found");
        let wrong = send(&truck_id, json!("position_periodic")).await?;
        assert_eq!(wrong["error"]["error"], "invalid");
        assert!(wrong["error"]["fields"]["interval_seconds"].is_string(), "{wrong}");
        site.running.stop().await
    }

    async fn many_are_sent_at_once(kind: Kind) -> anyhow::Result<()> {
        let site = Site::start(kind).await?;
        let (tenant, other) = (site.tenant("acme").await?, site.tenant("globex").await?);
        let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
        let van = tenant.admin.device(351_756_051_523_999, "Van", None).await?;
        let theirs = other.admin.device(861_230_041_234_567, "Theirs", None).await?;
        let many = json!({ "device_ids": [truck.id, theirs.id, van.id], "command": { "kind": "reboot", "reason": "Pembaruan" } });
        let report = tenant.admin.api.post("/api/v1/commands", many).await?.expect(StatusCode::OK);
        assert_eq!((&report["succeeded"], &report["failed"], &report["items"][1]["error"]), (&json!(2), &json!(1), &json!("not_found")));
        let list = tenant.admin.api.get("/api/v1/commands?kind=reboot&sort=device_name").await?.expect(StatusCode::OK);
        let names: Vec<_> = list["items"].as_array().expect("items").iter().map(|item| text(&item["device_name"])).collect();
        assert_eq!(names, ["Truck", "Van"]);
        let file = tenant.admin.api.get("/api/v1/commands/export?format=csv&columns=device_name&columns=kind&columns=user").await?;
        assert!(file.text.contains("Truck,Mulai ulang alat GPS,admin-of-acme"), "{}", file.text);
        let none = json!({ "device_ids": [], "command": { "kind": "reboot" } });
        tenant.admin.api.post("/api/v1/commands", none).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
        site.running.stop().await
    }
}
