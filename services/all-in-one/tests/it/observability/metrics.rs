//! The table of metrics in docs/OPERATIONS.md and what the program exports are the same.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context as _, Result};
use armada_proto::Timestamp;
use armada_testkit::{Api, Gateway, Kind, Socket, eventually};
use http::StatusCode;
use serde_json::json;

use super::{
    Device, IMEI, fix, just_now, quiet,
    support::{SOON, site::Site},
};

/// Name → type, as the table says.
fn documented() -> BTreeMap<String, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/OPERATIONS.md");
    let text = fs::read_to_string(&file).expect("docs/OPERATIONS.md");
    let (_, section) = text.split_once("\n## Metrics\n").expect("a section Metrics");
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let mut cells = row.split('|').map(|cell| cell.trim().trim_matches('`').to_owned());
        (cells.next().expect("a name"), cells.next().expect("a type"))
    })
    .collect()
}

/// The same as a scrape says.
fn exported(text: &str) -> BTreeMap<String, String> {
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    types
        .filter_map(|line| line.split_once(' '))
        .map(|(name, kind)| {
            let suffix = match kind {
                "counter" => "_total",
                "info" => "_info",
                _ => "",
            };
            (format!("{name}{suffix}"), kind.to_owned())
        })
        .collect()
}

async fn scrape(site: &Site) -> Result<String> {
    Ok(Api::new(&format!("http://{}", site.admin)).get("/metrics").await?.text)
}

#[tokio::test(flavor = "multi_thread")]
async fn are_those_of_the_documentation() -> Result<()> {
    let site = quiet(Site::new(Kind::Sqlite).await);
    let _armada = site.run().await;
    let owner = site.owner().await?;
    let device = Device::create(&owner, &[]).await?;
    let gateway = Gateway::connect_to(&format!("nats://127.0.0.1:{}", site.nats_port), "local").await;
    let recorded_at = just_now();
    gateway.send(IMEI, fix(&recorded_at, 91.0, 0.0).to_string().into()).await;
    let mut odd = fix(&recorded_at, -6.2, 106.8);
    odd["batt_percent"] = json!(101);
    gateway.report(IMEI, &odd).await?;
    let weeks_ago = Timestamp::parse_rfc3339(&recorded_at).context("a time")?.millis() - 7_168 * 86_400_000;
    gateway.report(IMEI, &fix(&Timestamp::from_millis(weeks_ago).to_rfc3339(), -6.2, 106.8)).await?;
    device.is_at(&owner, &recorded_at).await;
    let ticket = owner.post("/api/v1/ws-ticket", json!({})).await?.expect(StatusCode::OK);
    let ticket = ticket["ticket"].as_str().context("a ticket")?.to_owned();
    Socket::open(&owner.url(&format!("/ws?token={ticket}&userId=&context=maps"))).await?.close().await?;

    let documented = documented();
    eventually("table and scrape are the same", SOON, async || {
        let exported = exported(&scrape(&site).await?);
        let undocumented: Vec<_> = exported.iter().filter(|(name, _)| !documented.contains_key(*name)).collect();
        let absent: Vec<_> = documented.iter().filter(|(name, _)| !exported.contains_key(*name)).collect();
        anyhow::ensure!(undocumented.is_empty(), "not in docs/OPERATIONS.md: {undocumented:?}");
        anyhow::ensure!(absent.is_empty(), "only in docs/OPERATIONS.md: {absent:?}");
        anyhow::ensure!(exported == documented, "types differ");
        Ok(())
    })
    .await;

    let text = scrape(&site).await?;
    for name in [&device.id, &device.tenant, &IMEI.to_owned(), &"owner@example.com".to_owned()] {
        assert!(!text.contains(name.as_str()), "{name} is a label or a value");
    }
    assert!(text.contains(r#"rpc_method="armada.v1.Devices/Create",rpc_response_status_code="OK""#), "{text}");
    assert!(text.contains(r#"http_route="/api/v1/devices""#), "{text}");
    Ok(())
}
