//! What must not be in a log: passwords, tokens, tickets, cookies, addresses of people, and where vehicles are. The
//! program is driven through all of it, well and badly, and its whole standard error is searched.

use anyhow::{Context as _, Result};
use armada_testkit::{Api, Gateway, Kind, Socket, eventually};
use axum::{Json, Router};
use http::{Method, StatusCode, Uri};
use nix::sys::signal::Signal;
use serde_json::{Value, json};

use super::{
    Device, IMEI, fix, just_now, quiet,
    support::{SOON, site::Site},
    whole_log,
};

const EMAIL: &str = "owner@example.com";
const PASSWORD: &str = "correct horse battery";
const WRONG_EMAIL: &str = "canary-nobody@example.org";
const WRONG_PASSWORD: &str = "canary-wrong-password-7731";
const NEW_PASSWORD: &str = "canary-new-password-2290";
const FORGED: &str = "canaryHeader.canaryPayload.canarySignature";
const LAT: f64 = -6.123_456_7;
const LNG: f64 = 106.765_432_1;
const IMPOSSIBLE_LAT: f64 = 96.123_456_7;

/// Coordinates as degrees with any number of digits from three on, and as the integers that are stored.
const PLACES: [&str; 6] = ["6.123", "106.765", "96.123", "61234567", "1067654321", "961234567"];

/// Drives the program; returns what must not be found.
async fn drive(site: &Site) -> Result<Vec<String>> {
    let mut secrets: Vec<String> = PLACES.iter().map(|&place| place.to_owned()).collect();
    secrets.extend([EMAIL, PASSWORD, WRONG_EMAIL, WRONG_PASSWORD, NEW_PASSWORD, FORGED, "canary"].map(str::to_owned));
    let anonymous = Api::new(&format!("http://{}", site.http));
    secrets.extend(sign_in(&anonymous).await?);
    let owner = site.owner().await?;
    secrets.extend(ticket_and_socket(&owner).await?);
    let device = Device::create(&owner, &[]).await?;
    people(&owner, &device.tenant).await?;
    bad_requests(&anonymous, &owner).await?;
    positions(site, &owner, &device).await?;
    addresses(&owner).await?;
    owner.delete(&format!("/api/v1/devices/{}", device.id)).await?;
    Ok(secrets)
}

/// Rightly and wrongly; the token and the cookie that came of it.
async fn sign_in(api: &Api) -> Result<Vec<String>> {
    for (email, password) in [(EMAIL, WRONG_PASSWORD), (WRONG_EMAIL, PASSWORD), ("", ""), ("canary\r\nforged", "x")] {
        let reply = api.post("/auth/login", json!({ "email": email, "password": password })).await?;
        assert!(reply.status.is_client_error(), "{} {}", reply.status, reply.text);
    }
    let reply = api.post("/auth/login", json!({ "email": EMAIL, "password": PASSWORD })).await?;
    let token = reply.expect(StatusCode::OK)["token"].as_str().context("a token")?.to_owned();
    let cookie = reply.headers.get("set-cookie").context("a cookie")?.to_str()?.to_owned();
    let cookie = cookie.split(['=', ';']).nth(1).context("its value")?.to_owned();
    let renewed = api.request(Method::POST, "/auth/refresh", &[("origin", &api.url(""))], Some(&json!({}))).await?;
    let renewed = renewed.json()["token"].as_str().unwrap_or(FORGED).to_owned();
    Ok(vec![token, cookie, renewed])
}

async fn ticket_and_socket(owner: &Api) -> Result<Vec<String>> {
    let ticket = owner.post("/api/v1/ws-ticket", json!({})).await?.expect(StatusCode::OK);
    let ticket = ticket["ticket"].as_str().context("a ticket")?.to_owned();
    let url = owner.url(&format!("/ws?token={ticket}&userId=&context=maps"));
    let mut socket = Socket::open(&url).await?;
    for message in [json!({ "type": "canary" }), json!(["canary"]), json!({ "type": "subscribe", "imei": "canary" })] {
        socket.send(message).await?;
    }
    socket.close().await?;
    assert!(Socket::open(&url).await.is_err(), "a ticket opens one socket");
    assert!(Socket::open(&owner.url(&format!("/ws?token={FORGED}"))).await.is_err(), "a forged one opens none");
    Ok(vec![ticket])
}

async fn people(owner: &Api, tenant: &str) -> Result<()> {
    let user =
        |email: &str| json!({ "tenant_id": tenant, "name": "canary name", "email": email, "password": NEW_PASSWORD });
    owner.post("/api/v1/users", user("canary-user@example.org")).await?.expect(StatusCode::CREATED);
    for wrong in [user("canary-user@example.org"), user("canary no address"), json!({ "password": NEW_PASSWORD })] {
        let reply = owner.post("/api/v1/users", wrong).await?;
        assert!(reply.status.is_client_error(), "{} {}", reply.status, reply.text);
    }
    Ok(())
}

async fn bad_requests(anonymous: &Api, owner: &Api) -> Result<()> {
    let forged = anonymous.with_token(FORGED);
    let evil = [("x-request-id", "canary request id"), ("traceparent", "00-canary-canary-01"), ("cookie", "canary=1")];
    let paths = ["/api/v1/devices?q=canary&token=canary", "/api/v1/devices/canary", "/canary/%0d%0acanary", "/canary"];
    for api in [anonymous, &forged, owner] {
        for path in paths {
            let reply = api.request(Method::GET, path, &evil, None).await?;
            assert!(!reply.status.is_server_error(), "{path}: {} {}", reply.status, reply.text);
        }
        for body in [json!("canary"), json!({ "canary": "canary" }), json!({ "imei": { "canary": LAT } })] {
            let reply = api.post("/api/v1/devices", body).await?;
            assert!(reply.status.is_client_error(), "{} {}", reply.status, reply.text);
        }
    }
    Ok(())
}

/// Good ones, and bad ones of every kind.
async fn positions(site: &Site, owner: &Api, device: &Device) -> Result<()> {
    let gateway = Gateway::connect_to(&format!("nats://127.0.0.1:{}", site.nats_port), "local").await;
    let recorded_at = just_now();
    gateway.send("canary", fix(&recorded_at, LAT, LNG).to_string().into()).await;
    gateway.report("356938035643000", &fix(&recorded_at, LAT, LNG)).await?;
    gateway.send(IMEI, fix(&recorded_at, IMPOSSIBLE_LAT, LNG).to_string().into()).await;
    gateway.send(IMEI, fix("2090-01-01T00:00:00Z", LAT, LNG).to_string().into()).await;
    gateway.send(IMEI, json!([{ "canary": LAT }, fix("canary", LAT, LNG)]).to_string().into()).await;
    gateway.send(IMEI, format!("{{canary {LAT} \u{1b}[31m\r\n").into_bytes()).await;
    gateway.send(IMEI, vec![0xff, 0, 0xfe]).await;
    gateway.report(IMEI, &fix(&recorded_at, LAT, LNG)).await?;
    device.is_at(owner, &recorded_at).await;
    eventually("the track has it", SOON, async || {
        let path = format!("/api/v1/devices/{}/track?from=2020-01-01T00:00:00Z&to=2089-01-01T00:00:00Z", device.id);
        let track = owner.get(&path).await?.json();
        anyhow::ensure!(track["items"].as_array().is_some_and(|items| !items.is_empty()), "{track}");
        Ok(())
    })
    .await;
    Ok(())
}

/// Of a place that the geocoder knows, and of one at which it fails.
async fn addresses(owner: &Api) -> Result<()> {
    let points = json!([{ "lat": LAT, "lng": LNG }, { "lat": -LAT, "lng": LNG }]);
    let found = owner.post("/api/v1/addresses", json!({ "points": points, "language": "id" })).await?;
    let found = found.expect(StatusCode::OK);
    assert_eq!(found["items"][0]["address"], "canary street", "{found}");
    assert_eq!(found["items"][1]["pending"], true, "{found}");
    Ok(())
}

async fn geocode(uri: Uri) -> Result<Json<Value>, StatusCode> {
    let label = json!({ "features": [{ "properties": { "label": "canary street" } }] });
    let is_known = uri.query().is_some_and(|query| query.contains("lat=-6."));
    if is_known { Ok(Json(label)) } else { Err(StatusCode::INTERNAL_SERVER_ERROR) }
}

/// Where a geocoder is that speaks as Pelias does.
async fn geocoder() -> Result<String> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(geocode)).await });
    Ok(url)
}

/// The lines that say `WARN` or `ERROR`.
fn log_problems(log: &str, format: &str) -> Vec<String> {
    let level = |line: &str| match format {
        "json" => serde_json::from_str::<Value>(line).expect("JSON")["level"].as_str().unwrap_or_default().to_owned(),
        _ => line.split_whitespace().nth(1).unwrap_or_default().to_owned(),
    };
    log.lines().filter(|line| matches!(level(line).as_str(), "WARN" | "ERROR")).map(str::to_owned).collect()
}

async fn logs_say_nothing_private(format: &str) -> Result<()> {
    let mut site = quiet(Site::new(Kind::Sqlite).await);
    site.set("ARMADA_LOG_FORMAT", format);
    site.set("ARMADA_POSITION_INGEST__GEOCODER__KIND", "pelias");
    site.set("ARMADA_POSITION_INGEST__GEOCODER__URL", geocoder().await?);
    site.set("ARMADA_POSITION_INGEST__GEOCODER__KEY", "canary-geocoder-key");
    let armada = site.run().await;
    let secrets = drive(&site).await?;
    let (status, printed) = armada.stop(Signal::SIGTERM).await?;
    assert!(status.success(), "{printed}");
    let log = whole_log(&site, super::LOG);
    assert!(log.contains("owns"), "something was logged: {log}");
    for secret in secrets {
        assert!(!secret.is_empty() && !log.contains(&secret), "{secret:?} is in the log: {log}");
    }
    let complaints = log_problems(&log, format);
    assert!(complaints.is_empty(), "what clients do wrong is not the operator's business: {complaints:#?}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn json_says_nothing_private() -> Result<()> {
    logs_say_nothing_private("json").await
}

#[tokio::test(flavor = "multi_thread")]
async fn text_says_nothing_private() -> Result<()> {
    logs_say_nothing_private("text").await
}
