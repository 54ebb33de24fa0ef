//! The live socket: what is told, to whom, and what a client may do.

use std::time::{Duration, Instant};

use armada_bff::{Config, Limits};
use armada_proto::{DeviceId, Timestamp, access::permission::POSITION_LIVE, v1::LastPosition};
use armada_testkit::{Kind, Socket, eventually};
use futures::future::join_all;
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{self, SOON, Site, position, text};

fn ids(devices: &[DeviceId]) -> Value {
    json!({ "type": "subscribe_devices", "payload": { "device_ids": devices } })
}

async fn next_of(socket: &mut Socket, kind: &str) -> anyhow::Result<Value> {
    socket.wait_for(SOON, |message| message["type"] == kind).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_published_fix_reaches_the_map() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    site.drive(&truck, 1_700_000_000, -6.2).await?;

    let mut socket = tenant.admin.socket(&format!("&userId={}&context=maps", tenant.admin.id)).await?;
    let first = socket.next(SOON).await?;
    assert_eq!(first["type"], "position");
    assert_eq!(first["position"]["device_id"], json!(truck.id));
    assert_eq!(first["position"]["recorded_at"], "2023-11-14T22:13:20Z");
    assert_eq!(first["position"]["lat"], -6.2);

    let fix = json!({ "recorded_at": "2023-11-14T22:13:30Z", "lat": -6.201, "lng": 106.8, "speed": 40.0 });
    site.gateway.report(&truck.imei, &fix).await?;
    let moved = next_of(&mut socket, "position").await?;
    assert_eq!((&moved["position"]["lat"], &moved["position"]["speed"]), (&json!(-6.201), &json!(40.0)));

    // A device made now appears with its first fix.
    let van = tenant.admin.device(351_756_051_523_999, "Van", None).await?;
    site.drive(&van, 1_700_000_050, -6.3).await?;
    let seen = |message: &Value| message["position"]["device_id"] == json!(van.id);
    socket.wait_for(SOON, seen).await?;
    socket.close().await?;

    let mut everything = site.owner.socket("&context=maps").await?;
    let mut devices = vec![];
    while devices.len() < 2 {
        devices.push(text(&next_of(&mut everything, "position").await?["position"]["device_id"]));
    }
    devices.sort();
    let mut wanted = vec![truck.id.to_string(), van.id.to_string()];
    wanted.sort();
    assert_eq!(devices, wanted);
    site.running.stop().await
}

/// It is shown live before it is stored.
#[tokio::test(flavor = "multi_thread")]
async fn new_socket_gets_unstored_positions() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    let mut first = tenant.admin.socket("&context=maps").await?;
    first.send(json!({ "type": "ping" })).await?;
    next_of(&mut first, "pong").await?;
    site.live(tenant.id, vec![position(truck.id, 1_700_000_000)]).await?;
    next_of(&mut first, "position").await?;
    let mut second = tenant.admin.socket("&context=maps").await?;
    assert_eq!(next_of(&mut second, "position").await?["position"]["device_id"], json!(truck.id));
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn subscribers_receive_changes() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    site.drive(&truck, 1_700_000_000, -6.2).await?;
    let at = |second: i64| position(truck.id, 1_700_000_000 + second);

    let mut socket = tenant.admin.socket("").await?;
    socket.send(ids(&[truck.id])).await?;
    let first = socket.next(SOON).await?;
    assert_eq!((&first["type"], &first["payload"]["name"]), (&json!("device_update"), &json!("Truck")));
    assert_eq!(first["payload"]["latitude"], -6.2);

    site.live(tenant.id, vec![at(10)]).await?;
    next_of(&mut socket, "device_update").await?;
    site.live(tenant.id, vec![at(20)]).await?;
    let moved = socket.next(SOON).await?;
    assert_eq!(moved["type"], "device_location");
    assert_eq!(moved["payload"]["device_time"], "2023-11-14T22:13:40Z");
    site.live(tenant.id, vec![LastPosition { ignition: Some(true), ..at(30) }]).await?;
    let changed = socket.next(SOON).await?;
    assert_eq!((&changed["type"], &changed["payload"]["ignition"]), (&json!("device_update"), &json!(true)));

    // What is older than what is known is not told, nor what was unsubscribed.
    site.live(tenant.id, vec![at(25)]).await?;
    tenant
        .admin
        .api
        .put(&format!("/api/v1/devices/{}", truck.id), json!({ "name": "Lorry" }))
        .await?
        .expect(StatusCode::OK);
    let renamed = socket.next(SOON).await?;
    assert_eq!((&renamed["payload"]["name"], &renamed["payload"]["ignition"]), (&json!("Lorry"), &json!(true)));
    socket.send(json!({ "type": "unsubscribe_devices", "payload": { "device_ids": [truck.id] } })).await?;
    socket.send(json!({ "type": "ping" })).await?;
    assert_eq!(socket.next(SOON).await?["type"], "pong");
    site.live(tenant.id, vec![at(40)]).await?;
    socket.send(json!({ "type": "ping" })).await?;
    assert_eq!(socket.next(SOON).await?["type"], "pong");
    site.running.stop().await
}

/// Each subscription locks what is known of all positions and what waits for its own socket, as each position does.
#[tokio::test(flavor = "multi_thread")]
async fn sockets_that_subscribe_at_the_same_time_do_not_stop_each_other() -> anyhow::Result<()> {
    const ROUNDS: usize = 60;
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let mut trucks = Vec::new();
    for number in 0..20 {
        trucks.push(tenant.admin.device(490_154_203_237_500 + number, &format!("Truck {number}"), None).await?.id);
    }
    let busy = async || {
        let mut socket = tenant.admin.socket("").await?;
        for _ in 0..ROUNDS {
            socket.send(ids(&trucks)).await?;
        }
        socket.send(json!({ "type": "ping" })).await?;
        while socket.next(SOON).await?["type"] != "pong" {}
        anyhow::Ok(())
    };
    tokio::try_join!(busy(), busy(), busy(), busy())?;
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_user_sees_follows_what_they_are_linked_to() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let user = site.user(tenant.id, "budi", false).await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", Some(&user.id)).await?;
    let van = tenant.admin.device(351_756_051_523_999, "Van", None).await?;
    for device in [&truck, &van] {
        site.drive(device, 1_700_000_000, -6.2).await?;
    }
    // The admin through the user's eyes, and the user.
    let mut narrowed = tenant.admin.socket(&format!("&userId={}&context=maps", user.id)).await?;
    let mut own = user.socket("&context=maps").await?;
    for socket in [&mut narrowed, &mut own] {
        let first = next_of(socket, "position").await?;
        assert_eq!(first["position"]["device_id"], json!(truck.id));
    }
    let give = json!({ "user_id": user.id });
    tenant.admin.api.put(&format!("/api/v1/devices/{}", van.id), give).await?.expect(StatusCode::OK);
    for socket in [&mut narrowed, &mut own] {
        let next = next_of(socket, "position").await?;
        assert_eq!(next["position"]["device_id"], json!(van.id), "the van's last position, though it stands still");
    }
    let take = json!({ "user_id": "" });
    tenant.admin.api.put(&format!("/api/v1/devices/{}", truck.id), take).await?.expect(StatusCode::OK);
    let mut second = 1_700_000_100;
    eventually("the truck is seen no more", SOON, async || {
        second += 1;
        site.live(tenant.id, vec![position(truck.id, second), position(van.id, second)]).await?;
        let mut received = Vec::new();
        loop {
            let message = own.next(SOON).await?;
            received.push(text(&message["position"]["device_id"]));
            if message["position"]["recorded_at"] == Timestamp::from_millis(second * 1000).to_rfc3339()
                && received.last() == Some(&van.id.to_string())
            {
                break;
            }
        }
        anyhow::ensure!(!received.contains(&truck.id.to_string()), "{received:?}");
        Ok(())
    })
    .await;
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn socket_of_a_deactivated_user_is_closed() -> anyhow::Result<()> {
    let config = Config { visibility_seconds: 1, ..Config::default() };
    let site = Site::start_with(Kind::Sqlite, config).await?;
    let tenant = site.tenant("acme").await?;
    let user = site.user(tenant.id, "budi", false).await?;
    let mut socket = user.socket("&context=maps").await?;
    let ticket = user.ticket().await?;
    let bar = json!({ "is_active": false });
    tenant.admin.api.put(&format!("/api/v1/users/{}", user.id), bar).await?.expect(StatusCode::OK);
    assert_eq!(socket.closed(SOON).await?.code, 1008);
    let refused = support::upgrade(&user.api, &format!("token={ticket}"), &[]).await?;
    refused.expect(StatusCode::UNAUTHORIZED);
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn right_revoked_during_an_outage_closes_the_socket() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let id = site.account(tenant.id, "budi", false).await?;
    let role = site.allow(tenant.id, &id, &[POSITION_LIVE]).await?;
    let budi = site.sign_in("budi", &[POSITION_LIVE]).await?;
    let mut socket = budi.socket("&context=maps").await?;
    budi.api.get("/api/v1/last-positions").await?.expect(StatusCode::OK);
    site.world.nats.pause();
    let denied = json!({ "items": [{ "key": POSITION_LIVE, "effect": "deny" }] });
    tenant.admin.api.put(&format!("/api/v1/roles/{role}/permissions"), denied).await?.expect(StatusCode::OK);
    site.world.nats.kill();
    assert_eq!(socket.closed(SOON).await?.code, 1008);
    budi.api.get("/api/v1/last-positions").await?.expect(StatusCode::FORBIDDEN);
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_messages_are_answered_and_abuse_closes_the_socket() -> anyhow::Result<()> {
    use tokio_tungstenite::tungstenite::{Bytes, Message};
    let site = Site::start(Kind::Sqlite).await?;
    let mut socket = site.owner.socket("").await?;
    for (frame, code) in [
        (Message::text("{"), "invalid_message"),
        (Message::text("[]"), "invalid_message"),
        (Message::text(r#"{"type":5}"#), "invalid_message"),
        (Message::text(r#"{"type":"subscribe_devices","payload":{"device_ids":5}}"#), "invalid_message"),
        (Message::Binary(Bytes::from_static(b"\xff")), "invalid_message"),
        (Message::text(r#"{"type":"send_command","payload":{"device_id":"x","command":"stop"}}"#), "invalid_message"),
        (Message::text(r#"{"type":"locate"}"#), "unknown_type"),
    ] {
        socket.send_raw(frame.clone()).await?;
        let answer = socket.next(SOON).await?;
        assert_eq!((&answer["type"], &answer["payload"]["error"]), (&json!("error"), &json!(code)), "{frame:?}");
        assert!(!text(&answer["payload"]["message"]).is_empty());
    }
    socket.send(json!({ "type": "subscribe_devices", "payload": { "device_ids": vec!["x"; 10_000] } })).await?;
    socket.send(json!({ "type": "ping" })).await?;
    assert_eq!(socket.next(SOON).await?["type"], "pong");

    let mut large = site.owner.socket("").await?;
    large.send_raw(Message::text("x".repeat(64 * 1024 + 1))).await?;
    assert_eq!(large.closed(SOON).await?.code, 1009);
    let mut huge = site.owner.socket("").await?;
    let _ = huge.send_raw(Message::text("x".repeat(8 << 20))).await;
    assert!(matches!(huge.closed(SOON).await?.code, 1009 | 1006));
    let mut fast = site.owner.socket("").await?;
    for _ in 0..150 {
        let _ = fast.send(json!({ "type": "pong" })).await;
    }
    assert_eq!(fast.closed(SOON).await?.code, 1008);
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_socket_is_closed_and_pings_keep_it_open() -> anyhow::Result<()> {
    let config = Config { ping_seconds: 1, silence_seconds: 3, ..Config::default() };
    let site = Site::start_with(Kind::Sqlite, config).await?;
    let mut silent = site.owner.socket("").await?;
    let mut answering = site.owner.socket("").await?;
    let mut pings = 0;
    let closed = async {
        let closed = silent.closed(SOON).await;
        closed.map(|closed| closed.code)
    };
    let answers = async {
        loop {
            let message = answering.next(SOON).await?;
            anyhow::ensure!(message["type"] == "ping", "{message}");
            pings += 1;
            answering.send(json!({ "type": "pong" })).await?;
        }
        #[allow(unreachable_code)]
        anyhow::Ok(0)
    };
    let code = tokio::select! { code = closed => code?, failed = answers => failed? };
    assert_eq!(code, 1008);
    assert!(pings >= 2, "{pings}");
    answering.send(json!({ "type": "ping" })).await?;
    next_of(&mut answering, "pong").await?;
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn socket_announces_shutdown() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let mut socket = site.owner.socket("&context=maps").await?;
    socket.send(json!({ "type": "ping" })).await?;
    next_of(&mut socket, "pong").await?;
    let (stopped, closed) = tokio::join!(site.running.stop(), socket.closed(SOON));
    assert_eq!(closed?.code, 1001);
    stopped
}

/// A hundred at 5 ms each: they end over half a second, so that their clients do not come back at once.
#[tokio::test(flavor = "multi_thread")]
async fn sockets_are_closed_one_after_the_other() -> anyhow::Result<()> {
    const SOCKETS: u32 = 100;
    let limits = Limits { sockets_per_user: SOCKETS, ..Limits::default() };
    let site = Site::start_with(Kind::Sqlite, Config { limits, ..Config::default() }).await?;
    let mut sockets = Vec::new();
    for _ in 0..SOCKETS {
        let mut socket = site.owner.socket("").await?;
        socket.send(json!({ "type": "ping" })).await?;
        next_of(&mut socket, "pong").await?;
        sockets.push(socket);
    }
    let closed =
        join_all(sockets.iter_mut().map(async |socket| anyhow::Ok((socket.closed(SOON).await?.code, Instant::now()))));
    let (stopped, closed) = tokio::join!(site.running.stop(), closed);
    let closed = closed.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    assert!(closed.iter().all(|(code, _)| *code == 1001), "{closed:?}");
    let (first, last) = (closed.iter().map(|(_, at)| at).min(), closed.iter().map(|(_, at)| at).max());
    let over = first.zip(last).map(|(first, last)| *last - *first);
    assert!(over.is_some_and(|over| over > Duration::from_millis(250)), "{over:?}");
    stopped
}

/// A client that does not read gets the newest of each device afterwards, not all that it has missed.
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_client_gets_fewer_updates() -> anyhow::Result<()> {
    const DEVICES: usize = 200;
    const ROUNDS: i64 = 500;
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let devices: Vec<_> = (0..DEVICES).map(|_| DeviceId::new()).collect();
    let mut socket = tenant.admin.socket("&context=maps").await?;
    socket.send(json!({ "type": "ping" })).await?;
    next_of(&mut socket, "pong").await?;
    let padding = Some(json!({ "padding": "x".repeat(500) }).to_string());
    for round in 1..=ROUNDS {
        let of_device = |device: &DeviceId| LastPosition { attrs: padding.clone(), ..position(*device, round) };
        site.live(tenant.id, devices.iter().map(of_device).collect()).await?;
    }
    let conflated = async || {
        let conflated = site.metric("armada_live_positions_conflated_total").await?;
        anyhow::ensure!(conflated > 0.0, "nothing gave way");
        Ok(())
    };
    eventually("positions give way", SOON, conflated).await;
    let last = Timestamp::from_millis(ROUNDS * 1000).to_rfc3339();
    let (mut current, mut messages) = (std::collections::HashSet::new(), 0);
    while current.len() < DEVICES {
        let message = next_of(&mut socket, "position").await?;
        messages += 1;
        if message["position"]["recorded_at"] == last {
            current.insert(text(&message["position"]["device_id"]));
        }
    }
    assert!(messages < DEVICES * ROUNDS as usize / 2, "{messages}");
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stuck_client_is_dropped() -> anyhow::Result<()> {
    let config = Config { stuck_seconds: 1, flush_ms: 1, ..Config::default() };
    let site = Site::start_with(Kind::Sqlite, config).await?;
    let tenant = site.tenant("acme").await?;
    let devices: Vec<_> = (0..200).map(|_| DeviceId::new()).collect();
    let _socket = tenant.admin.socket("&context=maps").await?;
    eventually("the socket is open", SOON, async || {
        anyhow::ensure!(site.metric("armada_live_sockets_open").await? == 1.0);
        Ok(())
    })
    .await;
    let padding = Some(json!({ "padding": "x".repeat(1_000) }).to_string());
    let mut round = 0;
    let deadline = tokio::time::Instant::now() + Duration::from_secs(60);
    while site.metric("armada_live_sockets_open").await? > 0.0 {
        anyhow::ensure!(tokio::time::Instant::now() < deadline, "the socket stays open");
        round += 1;
        let of_device = |device: &DeviceId| LastPosition { attrs: padding.clone(), ..position(*device, round) };
        site.live(tenant.id, devices.iter().map(of_device).collect()).await?;
    }
    site.running.stop().await
}

/// Positions that were published while the connection to NATS was away are asked for afterwards.
#[tokio::test(flavor = "multi_thread")]
async fn catches_up_after_losing_nats() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    site.drive(&truck, 1_700_000_000, -6.2).await?;
    let mut socket = tenant.admin.socket("&context=maps").await?;
    next_of(&mut socket, "position").await?;
    site.world.nats.kill();
    site.drive(&truck, 1_700_000_900, -6.3).await?;
    let seen = |message: &Value| message["position"]["lat"] == -6.3;
    socket.wait_for(SOON, seen).await?;
    site.running.stop().await
}
