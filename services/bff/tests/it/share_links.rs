//! Share links as visitors see them: people without an account, and without anything that a browser sends by itself.

use std::time::Duration;

use armada_bff::{Config, Limits, MapSourceConfig, MapsConfig};
use armada_proto::Timestamp;
use armada_runtime::Secret;
use armada_testkit::{Api, Kind, Reply, Socket, both_databases, eventually};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{self, Device, Person, SOON, Site, Tenant, text};

const SHARES: [&str; 4] = ["device:list", "position:live", "share_link:create", "share_link:update"];

fn later(seconds: u64) -> String {
    (Timestamp::now() + Duration::from_secs(seconds)).to_rfc3339()
}

/// A tenant with a truck that has driven.
async fn stage(kind: Kind) -> anyhow::Result<(Site, Tenant, Device)> {
    let site = Site::start(kind).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    site.drive(&truck, 1_700_000_000, -6.2).await?;
    Ok((site, tenant, truck))
}

async fn share(maker: &Person, more: Value) -> anyhow::Result<Value> {
    let mut body = json!({ "name": "for a customer", "expires_at": later(3600) });
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    Ok(maker.api.post("/api/v1/share-links", body).await?.expect(StatusCode::CREATED))
}

async fn view(api: &Api, body: Value) -> anyhow::Result<Reply> {
    api.post("/api/v1/shared-view", body).await
}

async fn visit(site: &Site, link: &Value) -> anyhow::Result<Socket> {
    let api = Api::new(&site.running.http);
    let opened = view(&api, json!({ "url_token": link["url_token"] })).await?.expect(StatusCode::OK);
    open(&api, &opened).await
}

async fn open(api: &Api, opened: &Value) -> anyhow::Result<Socket> {
    Socket::open(&api.url(&format!("/ws/shared?token={}", text(&opened["ticket"])))).await
}

async fn next_of(socket: &mut Socket, kind: &str) -> anyhow::Result<Value> {
    socket.wait_for(SOON, |message| message["type"] == kind).await
}

both_databases! {
    async fn a_visitor_sees_where_a_vehicle_is_and_nothing_else(kind: Kind) -> anyhow::Result<()> {
        let (site, tenant, truck) = stage(kind).await?;
        let other = tenant.admin.device(351_756_051_523_999, "Other", None).await?;
        let link = share(&tenant.admin, json!({ "device_id": truck.id })).await?;
        let mut socket = visit(&site, &link).await?;
        let is_known = |message: &Value| message["payload"]["vehicles"][0]["position"].is_object();
        let first = socket.wait_for(SOON, is_known).await?;
        let wanted = json!({ "type": "vehicles", "payload": {
            "expires_at": link["expires_at"],
            "vehicles": [{ "number": 0, "name": "Truck", "position": {
                "number": 0, "recorded_at": "2023-11-14T22:13:20Z", "lat": -6.2, "lng": 106.8, "speed": 36.0,
                "motion": first["payload"]["vehicles"][0]["position"]["motion"],
            } }],
        } });
        assert_eq!(first, wanted);

        site.live(tenant.id, vec![support::position(other.id, 1_700_000_100), support::position(truck.id, 1_700_000_100)]).await?;
        let moved = socket.wait_for(SOON, |message| message["payload"]["positions"][0]["recorded_at"] == "2023-11-14T22:15:00Z").await?;
        assert_eq!(moved["payload"]["positions"].as_array().map(Vec::len), Some(1), "{moved}");
        assert!(!moved.to_string().contains(&truck.id.to_string()), "{moved}");

        tenant.admin.api.put(&format!("/api/v1/devices/{}", truck.id), json!({ "name": "Lorry" })).await?.expect(StatusCode::OK);
        socket.wait_for(SOON, |message| message["payload"]["vehicles"][0]["name"] == "Lorry").await?;

        let path = format!("/api/v1/share-links/{}", text(&link["id"]));
        let read = tenant.admin.api.get(&path).await?.expect(StatusCode::OK);
        assert_eq!((&read["opened_count"], &read["url_token"]), (&json!(1), &Value::Null));
        tenant.admin.api.post(&format!("{path}/revoke"), json!({})).await?.expect(StatusCode::OK);
        assert_eq!(socket.closed(SOON).await?.code, 1008);
        let api = Api::new(&site.running.http);
        let over = view(&api, json!({ "url_token": link["url_token"] })).await?.expect(StatusCode::NOT_FOUND);
        assert_eq!(over["error"], "share_link_withdrawn");
        site.running.stop().await
    }

    async fn a_socket_ends_with_what_it_is_opened_for(kind: Kind) -> anyhow::Result<()> {
        let (site, tenant, truck) = stage(kind).await?;
        let budi = site.account(tenant.id, "budi", false).await?;
        site.allow(tenant.id, &budi, &SHARES).await?;
        let maker = site.sign_in("budi", &SHARES).await?;
        let path = format!("/api/v1/devices/{}", truck.id);
        let owned = async |owner: &str| anyhow::Ok(tenant.admin.api.put(&path, json!({ "user_id": owner })).await?.expect(StatusCode::OK));
        let own = json!({ "device_id": truck.id });

        owned(&budi).await?;
        let mut of_device = visit(&site, &share(&maker, own.clone()).await?).await?;
        next_of(&mut of_device, "vehicles").await?;
        owned("").await?;
        assert_eq!(of_device.closed(SOON).await?.code, 1008, "who owns it no more does not share it");

        owned(&budi).await?;
        let link = share(&maker, own.clone()).await?;
        let mut at_its_time = visit(&site, &link).await?;
        next_of(&mut at_its_time, "vehicles").await?;
        let shorter = json!({ "expires_at": later(1) });
        maker.api.put(&format!("/api/v1/share-links/{}", text(&link["id"])), shorter).await?.expect(StatusCode::OK);
        assert_eq!(at_its_time.closed(SOON).await?.code, 1008, "its time is over");
        let over = view(&site.running.api(), json!({ "url_token": link["url_token"] })).await?.expect(StatusCode::NOT_FOUND);
        assert_eq!(over["error"], "share_link_expired");

        let link = share(&maker, own.clone()).await?;
        let mut with_pin = visit(&site, &link).await?;
        next_of(&mut with_pin, "vehicles").await?;
        maker.api.put(&format!("/api/v1/share-links/{}", text(&link["id"])), json!({ "pin": "4821" })).await?.expect(StatusCode::OK);
        assert_eq!(with_pin.closed(SOON).await?.code, 1008, "a PIN is asked for now");

        let mut of_user = visit(&site, &share(&maker, own).await?).await?;
        next_of(&mut of_user, "vehicles").await?;
        tenant.admin.api.put(&format!("/api/v1/users/{budi}"), json!({ "is_active": false })).await?.expect(StatusCode::OK);
        assert_eq!(of_user.closed(SOON).await?.code, 1008, "who is barred shares nothing");
        site.running.stop().await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pin_opens_a_link_for_twelve_hours() -> anyhow::Result<()> {
    let (site, tenant, truck) = stage(Kind::Sqlite).await?;
    let link = share(&tenant.admin, json!({ "device_id": truck.id, "pin": "4821" })).await?;
    assert_eq!(link["has_pin"], true);
    let api = Api::new(&site.running.http);
    let with = |more: Value| {
        let mut body = json!({ "url_token": link["url_token"] });
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        body
    };
    let asked = view(&api, with(json!({}))).await?.expect(StatusCode::OK);
    assert_eq!(asked, json!({ "needs_pin": true, "session_token": "", "ticket": "", "map_sources": [] }));
    let wrong = view(&api, with(json!({ "pin": "0000" }))).await?.expect(StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(wrong["fields"]["pin"], "PIN ini salah.");
    let opened = view(&api, with(json!({ "pin": "4821" }))).await?.expect(StatusCode::OK);
    let session = json!({ "session_token": opened["session_token"] });
    let again = view(&api, with(session.clone())).await?.expect(StatusCode::OK);
    next_of(&mut open(&api, &again).await?, "vehicles").await?;
    let read = tenant.admin.api.get(&format!("/api/v1/share-links/{}", text(&link["id"]))).await?.json();
    assert_eq!(read["opened_count"], 1, "who comes again is not counted again");

    // It is good for this link alone, and no ticket.
    let second = share(&tenant.admin, json!({ "device_id": truck.id, "pin": "1234" })).await?;
    let mut elsewhere = with(session);
    elsewhere["url_token"] = second["url_token"].clone();
    assert_eq!(view(&api, elsewhere).await?.expect(StatusCode::OK)["needs_pin"], true);
    for token in [&opened["session_token"], &json!("x"), &json!("")] {
        let refused = support::upgrade_at(&api, "/ws/shared", &format!("token={}", text(token)), &[]).await?;
        assert_eq!(refused.expect(StatusCode::UNAUTHORIZED)["error"], "unauthenticated", "{token}");
    }
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_of_a_visitor_opens_one_socket_of_our_own_page() -> anyhow::Result<()> {
    let (site, tenant, truck) = stage(Kind::Sqlite).await?;
    let link = share(&tenant.admin, json!({ "device_id": truck.id })).await?;
    let api = Api::new(&site.running.http);
    let body = json!({ "url_token": link["url_token"] });
    let opened = view(&api, body.clone()).await?.expect(StatusCode::OK);
    let ticket = format!("token={}", text(&opened["ticket"]));
    open(&api, &opened).await?.close().await?;
    for (query, headers) in [(ticket.as_str(), vec![]), ("token=", vec![]), ("", vec![])] {
        let refused = support::upgrade_at(&api, "/ws/shared", query, &headers).await?;
        refused.expect(StatusCode::UNAUTHORIZED);
    }
    // A ticket of a user opens none of these, nor one of a visitor one of theirs.
    let of_user = format!("token={}", tenant.admin.ticket().await?);
    support::upgrade_at(&api, "/ws/shared", &of_user, &[]).await?.expect(StatusCode::UNAUTHORIZED);
    let fresh = view(&api, body.clone()).await?.expect(StatusCode::OK);
    support::upgrade_at(&api, "/ws", &format!("token={}", text(&fresh["ticket"])), &[])
        .await?
        .expect(StatusCode::UNAUTHORIZED);
    let fresh = format!("token={}", text(&view(&api, body.clone()).await?.expect(StatusCode::OK)["ticket"]));
    support::upgrade_at(&api, "/ws/shared", &fresh, &[("origin", "https://evil.example")])
        .await?
        .expect(StatusCode::UNAUTHORIZED);
    let foreign = api
        .request(http::Method::POST, "/api/v1/shared-view", &[("origin", "https://evil.example")], Some(&body))
        .await?;
    foreign.expect(StatusCode::FORBIDDEN);
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn share_page_is_useless_to_foreign_origins() -> anyhow::Result<()> {
    let site = Site::start(Kind::Sqlite).await?;
    let api = Api::new(&site.running.http);
    let page = api.request(http::Method::GET, "/share", &[("accept", "text/html")], None).await?;
    assert_eq!((page.status, page.text.contains("shared")), (StatusCode::OK, true), "{}", page.text);
    for (name, wanted) in
        [("x-robots-tag", "noindex, nofollow"), ("referrer-policy", "no-referrer"), ("cache-control", "no-cache")]
    {
        assert_eq!(page.headers[name], wanted, "{name}");
    }
    let console = api.request(http::Method::GET, "/maps", &[("accept", "text/html")], None).await?;
    assert!(!console.headers.contains_key("x-robots-tag") && !console.text.contains("shared"));
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_visitors_per_link() -> anyhow::Result<()> {
    let limits = Limits { sockets_per_link: 1, ..Limits::default() };
    let site = Site::start_with(Kind::Sqlite, Config { limits, ..Config::default() }).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    let link = share(&tenant.admin, json!({ "device_id": truck.id })).await?;
    let first = visit(&site, &link).await?;
    assert!(visit(&site, &link).await.is_err(), "there is one already");
    first.close().await?;
    eventually("there is room again", SOON, async || visit(&site, &link).await?.close().await).await;
    site.running.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn open_page_gets_new_tile_urls() -> anyhow::Result<()> {
    let streets = MapSourceConfig {
        id: "streets".to_owned(),
        name: "Streets".to_owned(),
        url: Secret::new("https://tiles.example/{z}/{x}/{y}.png".to_owned()),
        attribution: String::new(),
        max_zoom: 19,
    };
    let maps = MapsConfig { sources: vec![streets], renew_seconds: 1, ..MapsConfig::default() };
    let site = Site::start_with(Kind::Sqlite, Config { maps, ..Config::default() }).await?;
    let tenant = site.tenant("acme").await?;
    let truck = tenant.admin.device(490_154_203_237_518, "Truck", None).await?;
    // Nothing of the PIN is asked again, however long the page stays open.
    let link = share(&tenant.admin, json!({ "device_id": truck.id, "pin": "4821" })).await?;
    let api = Api::new(&site.running.http);
    let body = json!({ "url_token": link["url_token"], "pin": "4821" });
    let mut socket = open(&api, &view(&api, body).await?.expect(StatusCode::OK)).await?;
    for _ in 0..2 {
        let update = next_of(&mut socket, "map_sources").await?;
        let url = text(&update["payload"]["items"][0]["url"]);
        assert!(url.starts_with("/api/v1/map-sources/streets/{z}/{x}/{y}?until="), "{update}");
        let tile = url.replace("{z}", "0").replace("{x}", "0").replace("{y}", "9");
        api.get(&tile).await?.expect(StatusCode::NOT_FOUND);
    }
    socket.close().await?;
    site.running.stop().await
}
