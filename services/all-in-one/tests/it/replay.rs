//! Recorded traces through the whole program, undisturbed.

use armada_runtime::{Database, Scope, db::Location};
use armada_testkit::{Api, Gateway, Kind, both_databases};
use armada_track::imei_of_name;
use nix::sys::signal::Signal;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::support::{self, SOON, events, history, site::Site, trace};

const TENANT: &str = "Buses";

/// What `replay` printed about `label`.
fn printed_number(printed: &str, label: &str) -> Option<u64> {
    let line = printed.lines().find(|line| line.starts_with(label))?;
    line.split_whitespace().next_back()?.parse().ok()
}

both_databases! {
    async fn replay_stores_each_fix_once(kind: Kind) -> anyhow::Result<()> {
        let site = Site::new(kind).await;
        let armada = site.run().await;
        let owner = site.owner().await?;
        let file = site.folder().join("trace.csv.gz");
        trace::generate(&file, 1, 40, 100, 10_000, true);
        let expected = trace::expected(&file);

        let replay = site.replay(&file, TENANT, &["--speed", "max", "--shuffle", "7"]);
        let (status, printed) = replay.end(SOON).await?;
        assert!(status.success());
        assert_eq!(printed_number(&printed, "published"), printed_number(&printed, "acknowledged"));
        assert!(printed_number(&printed, "refused here: malformed").is_some_and(|rows| rows > 0), "{printed}");
        assert!(printed_number(&printed, "refused by ingest: null_island").is_some_and(|rows| rows > 0), "{printed}");
        assert!(printed_number(&printed, "refused by ingest: future_fix").is_some_and(|rows| rows > 0), "{printed}");
        history::equals(&owner, TENANT, &expected, SOON).await;

        // Once more, in another order: repeats change nothing.
        let again = site.replay(&file, TENANT, &["--speed", "max"]);
        assert!(again.end(SOON).await?.0.success());
        history::equals(&owner, TENANT, &expected, SOON).await;

        sealed_history_is_the_same(&site, &owner, &expected).await;
        armada.stop(Signal::SIGTERM).await?;
        let _armada = site.run().await;
        history::equals(&site.owner().await?, TENANT, &expected, SOON).await;
        damage_is_found(&site).await
    }

    /// Twice, out of order, a day late and poisoned, and then all of it once more: what is there, and what has happened, is what
    /// the good of it says.
    async fn mixed_replay_stores_each_fix_once(kind: Kind) -> anyhow::Result<()> {
        let site = Site::new(kind).await;
        let _armada = site.run().await;
        let owner = site.owner().await?;
        let file = site.folder().join("trace.csv.gz");
        trace::generate(&file, 17, 20, 150, 1_000, true);
        events::limit_speed(&site, &owner, &file, TENANT).await?;
        let replay = site.replay(&file, TENANT, &["--speed", "max", "--single"]);
        let gateway = Gateway::connect_to(&site.gateways_url()?, "poison").await;
        for _ in 0..10 {
            publish_invalid(&gateway).await;
        }
        assert!(replay.end(SOON).await?.0.success());
        assert!(site.replay(&file, TENANT, &["--speed", "max"]).end(SOON).await?.0.success());
        history::equals(&owner, TENANT, &trace::expected(&file), SOON).await;
        // Of what comes again only alarms are told, which makes a difference where others came in between.
        let fixes = [trace::reports(&file), trace::reports(&file)].concat();
        events::equal(&owner, TENANT, &events::expected(fixes, events::SPEED_LIMIT), SOON).await;
        Ok(())
    }
}

/// What no gateway should send, of a device of the trace and of others: nothing of it is taken in.
async fn publish_invalid(gateway: &Gateway) {
    let own = imei_of_name("bus-0").to_string();
    let fix = |lat: f64| json!({ "recorded_at": "2024-05-01T00:00:30Z", "lat": lat, "lng": 106.8 }).to_string();
    for (device, body) in [
        (own.as_str(), fix(91.0).into_bytes()),
        (own.as_str(), fix(-6.2).replace("2024", "2064").into_bytes()),
        (own.as_str(), b"\xff\xfe{".to_vec()),
        (own.as_str(), vec![b' '; 2 << 20]),
        ("356938035643809", fix(-6.2).into_bytes()),
        ("nobody", fix(-6.2).into_bytes()),
        ("frame", vec![0xff; 100]),
    ] {
        let answer = gateway.send(device, body).await;
        assert_eq!(answer["accepted"], 0, "{device}: {answer}");
    }
}

async fn sealed_history_is_the_same(site: &Site, owner: &Api, expected: &trace::Expected) {
    let sealed = site.output(&["history", "seal"]);
    assert!(sealed.status.success(), "{}", String::from_utf8_lossy(&sealed.stderr));
    history::equals(owner, TENANT, expected, SOON).await;
}

/// `armada history verify` beside the program: all is well, until something is not.
async fn damage_is_found(site: &Site) -> anyhow::Result<()> {
    let verify = |json: bool| site.output(if json { &["history", "verify", "--json"] } else { &["history", "verify"] });
    let found: Value = serde_json::from_slice(&verify(true).stdout)?;
    assert_eq!(found["problem_count"], 0, "{found}");
    assert_eq!(found["blocks"]["devices"], 40, "{found}");
    let clean = verify(false);
    assert!(clean.status.success(), "{}", String::from_utf8_lossy(&clean.stderr));

    let location = match &site.logins {
        Some(logins) => Location::Postgres(logins.clone()),
        None => Location::Sqlite(site.data()),
    };
    let db = Database::open(&location, "position-ingest").await?;
    let tx = db.write(&Scope::Platform).await?;
    tx.execute_unprepared("UPDATE track_block SET t_end = t_end + 1 WHERE seq = (SELECT min(seq) FROM track_block)")
        .await?;
    tx.commit().await?;
    db.close().await?;
    let damaged = verify(false);
    assert_eq!(damaged.status.code(), Some(1));
    let (stdout_text, errors) = (String::from_utf8(damaged.stdout)?, String::from_utf8(damaged.stderr)?);
    let line = stdout_text.lines().next().unwrap_or_default();
    assert!(line.starts_with("track_block  tenant ") && line.contains("  device "), "{line}");
    assert!(line.ends_with("  first or last time are others than the row says"), "{line}");
    assert!(errors.contains(" found in history"), "{errors}");
    let found: Value = serde_json::from_slice(&verify(true).stdout)?;
    assert!(found["problems"][0]["device_id"].is_string() && found["problem_count"] != 0, "{found}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn register_only_prints_the_devices_and_changes_nothing_twice() -> anyhow::Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let _armada = site.run().await;
    let file = site.folder().join("three.csv.gz");
    trace::generate(&file, 2, 3, 2, 1_000, false);
    let path = file.to_str().expect("text");
    let run = || {
        let output = site.output(&["replay", path, "--register-only"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let printed = run();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines[0], "name,imei,device_id");
    assert_eq!(lines.len(), 4);
    assert!(lines[1].starts_with(&format!("bus-0,{},", imei_of_name("bus-0"))), "{}", lines[1]);
    assert_eq!(run(), printed, "the second time finds them");

    let owner = site.owner().await?;
    let fleet = history::Fleet::of(&owner, "three").await?;
    assert_eq!(fleet.devices.len(), 3);
    let positions = owner.get(&format!("/api/v1/last-positions?tenant_id={}", fleet.tenant)).await?.json();
    assert_eq!(positions["total"].as_u64().unwrap_or_default(), 0);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn fixes_of_unknown_imeis_are_held_and_ingested_later() -> anyhow::Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let _armada = site.run().await;
    let file = site.folder().join("late.csv.gz");
    trace::generate(&file, 3, 2, 3, 1_000, false);
    let path = file.to_str().expect("text");
    assert!(site.output(&["replay", path, "--speed", "max"]).status.success());
    let list = || {
        let listed = site.output(&["dlq", "list", "--reason", "unknown_device"]);
        String::from_utf8(listed.stdout).expect("text")
    };
    armada_testkit::eventually("they are held", SOON, async || {
        anyhow::ensure!(list().contains("unknown_device"), "{}", list());
        Ok(())
    })
    .await;
    assert!(!String::from_utf8(site.output(&["dlq", "list", "--reason", "null_island"]).stdout)?.contains("unknown"));

    assert!(site.output(&["replay", path, "--register-only", "--tenant", TENANT]).status.success());
    history::equals(&site.owner().await?, TENANT, &trace::expected(&file), SOON).await;
    armada_testkit::eventually("nothing is held any more", SOON, async || {
        anyhow::ensure!(list().is_empty(), "{}", list());
        Ok(())
    })
    .await;
    Ok(())
}

/// Kills the program's nats-server again and again while a replay connects, makes its devices and opens the stream.
#[tokio::test(flavor = "multi_thread")]
async fn replay_starts_while_nats_restarts() -> anyhow::Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let armada = site.run().await;
    let file = site.folder().join("trace.csv.gz");
    trace::generate(&file, 13, 40, 50, 1_000, false);
    let mut numbers = trace::Numbers(5);
    kill_program(&armada);
    let replay = site.replay(&file, TENANT, &["--speed", "max"]);
    for _ in 0..6 {
        // Not a wait for anything: the moment of death is to be any.
        tokio::time::sleep(std::time::Duration::from_millis(50 + numbers.below(500))).await;
        kill_program(&armada);
    }
    let (status, printed) = replay.end(SOON * 2).await?;
    assert!(status.success(), "{printed}");
    history::equals(&site.owner().await?, TENANT, &trace::expected(&file), SOON).await;
    Ok(())
}

/// Kills the nats-server, if it lives at the moment.
fn kill_program(armada: &support::site::Armada) {
    if let Some(pid) = armada.nats_pid() {
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), Signal::SIGKILL);
    }
}
