//! The disk of the database, or that of the NATS server, is full for a while. Each is a small one of its own here, which is mounted;
//! where that is not permitted, the tests are skipped and say so.

use std::{
    fs,
    os::unix::fs::symlink,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use anyhow::{Context as _, ensure};
use armada_testkit::{Api, Gateway, Kind, SmallDisk, both_databases, eventually};
use serde_json::json;

use crate::support::{
    SOON, events, history,
    live::{map_socket, next_position},
    site::{Armada, Site},
    trace,
};

const TENANT: &str = "Crammed";
/// Megabytes of a disk: room for what an empty installation takes, and as much again.
const MEGABYTES: u32 = 96;
/// An IMEI that no device of the trace has.
const UNKNOWN_IMEI: &str = "356938035643809";
/// Recorded seconds per second: lasts until the disk has room again, however long it takes until that is noticed.
const SPEED: u32 = 4;

/// A disk of its own for what the database keeps.
async fn disk_of_database(site: &Site) -> anyhow::Result<Option<SmallDisk>> {
    let Some(postgres) = &site.postgres else {
        let Some(disk) = SmallDisk::mount(&site.data(), MEGABYTES) else { return Ok(None) };
        // The folder of the NATS server is elsewhere.
        let elsewhere = site.folder().join("nats");
        fs::create_dir(&elsewhere)?;
        symlink(&elsewhere, site.data().join("nats"))?;
        return Ok(Some(disk));
    };
    let folder = site.folder().join("tables");
    let Some(disk) = SmallDisk::mount(&folder, MEGABYTES) else { return Ok(None) };
    let logins = site.logins.as_ref().context("PostgreSQL has logins")?;
    let (_, database) = logins.services.rsplit_once('/').context("the name of a database")?;
    postgres.keep_in(&folder, database).await;
    Ok(Some(disk))
}

/// When the newest position was recorded that the map has shown, milliseconds since 1970, from the first one on.
async fn follow(owner: &Api) -> anyhow::Result<Arc<AtomicI64>> {
    let mut socket = map_socket(owner).await?;
    let newest = Arc::new(AtomicI64::new(next_position(&mut socket).await?));
    let shown = newest.clone();
    tokio::spawn(async move {
        while let Ok(at) = next_position(&mut socket).await {
            shown.fetch_max(at, Ordering::Relaxed);
        }
    });
    Ok(newest)
}

/// Waits until a part is missing, and fills meanwhile what others give back.
async fn wait_for_missing(site: &Site, disk: &SmallDisk, part: &str) {
    eventually(&format!("{part} is missing"), SOON, async || {
        disk.fill();
        let missing = site.missing().await?;
        ensure!(missing.contains(part), "{missing:?}");
        Ok(())
    })
    .await;
}

/// There is room again: the rest of the trace is sent, and once more what was sent already. Everything must be there once.
async fn everything_is_there_once(site: &Site, armada: &mut Armada, mut replay: Armada) -> anyhow::Result<()> {
    // It never ended, and has everything that it needs.
    armada.ready(&site.admin).await;
    replay.kill();
    let file = site.folder().join("trace.csv.gz");
    let (status, printed) = site.replay(&file, TENANT, &["--speed", "max"]).end(SOON * 2).await?;
    assert!(status.success(), "{printed}");
    let owner = site.owner().await?;
    history::equals(&owner, TENANT, &trace::expected(&file), SOON).await;
    events::equal(&owner, TENANT, &events::expected(trace::reports(&file), 0), SOON).await;
    Ok(())
}

both_databases! {
    async fn live_goes_on_without_room_for_history(kind: Kind) -> anyhow::Result<()> {
        let site = Site::new(kind).await;
        let Some(disk) = disk_of_database(&site).await? else { return Ok(()) };
        let mut armada = site.run().await;
        let owner = site.owner().await?;
        let file = site.folder().join("trace.csv.gz");
        trace::generate(&file, 41, 20, 300, 1_000, false);
        let replay = site.replay(&file, TENANT, &["--speed", &SPEED.to_string(), "--single"]);
        let newest = follow(&owner).await?;

        disk.fill();
        wait_for_missing(&site, &disk, "history").await;
        let noticed = newest.load(Ordering::Relaxed);
        eventually("the map goes on", SOON, async || {
            let passed = newest.load(Ordering::Relaxed) - noticed;
            ensure!(passed > 10_000, "{passed} ms of the trace");
            Ok(())
        })
        .await;
        wait_for_missing(&site, &disk, "history").await;

        disk.make_room();
        everything_is_there_once(&site, &mut armada, replay).await
    }
}

/// Of the NATS server the database makes no difference.
#[tokio::test(flavor = "multi_thread")]
async fn publishers_get_errors_when_streams_are_full() -> anyhow::Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let Some(disk) = SmallDisk::mount(&site.data().join("nats"), MEGABYTES) else { return Ok(()) };
    let mut armada = site.run().await;
    let owner = site.owner().await?;
    let file = site.folder().join("trace.csv.gz");
    trace::generate(&file, 43, 20, 300, 1_000, false);
    let replay = site.replay(&file, TENANT, &["--speed", &SPEED.to_string(), "--single"]);
    next_position(&mut map_socket(&owner).await?).await?;
    let gateway = Gateway::connect_to(&site.gateways_url()?, "probe").await;
    let fix = json!({ "recorded_at": "2024-05-01T00:00:00Z", "lat": -6.2, "lng": 106.8 }).to_string();

    disk.fill();
    let refused = eventually("who publishes is sent away", SOON, async || {
        disk.fill();
        let answer = gateway.try_send(UNKNOWN_IMEI, fix.clone().into_bytes()).await?;
        let said = answer["error"]["description"].as_str();
        ensure!(matches!(said, Some("storage_full" | "not_acknowledged")), "{answer}");
        Ok(answer)
    })
    .await;
    let pause = if refused["error"]["description"] == "storage_full" { 5_000 } else { 1_000 };
    assert_eq!((&refused["error"]["code"], &refused["retry_after_ms"]), (&json!(503), &json!(pause)), "{refused}");
    assert_eq!(refused["accepted"], 0, "{refused}");
    wait_for_missing(&site, &disk, "disk").await;

    disk.make_room();
    everything_is_there_once(&site, &mut armada, replay).await?;
    assert_eq!(gateway.send(UNKNOWN_IMEI, fix.into_bytes()).await["held"], 1);
    Ok(())
}
