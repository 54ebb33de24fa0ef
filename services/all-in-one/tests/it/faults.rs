//! What the system stands on is taken away in the middle of a replay. Every acknowledged position must be in history
//! once, whatever died.

use std::{path::Path, time::Duration};

use armada_testkit::{Kind, both_databases, eventually};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::support::{
    SOON, events, history,
    site::{Armada, Site},
    trace,
};

const TENANT: &str = "Struck";
/// Recorded seconds per second: 400 seconds of 25 vehicles take about ten.
const SPEED: &str = "40";
const ROUNDS: u64 = 5;

/// Kills the program and its nats-server in turn, at moments that a seed decides, and starts the program again.
async fn kill_and_restart(site: &Site, mut armada: Armada, seed: u64) -> Armada {
    let mut numbers = trace::Numbers(seed);
    for round in 0..ROUNDS {
        // Not a wait for anything: the moment of death is to be any.
        tokio::time::sleep(Duration::from_millis(400 + numbers.below(1_200))).await;
        match (round % 2, armada.nats_pid()) {
            (1, Some(nats)) => kill(Pid::from_raw(nats), Signal::SIGKILL).expect("nats-server runs"),
            _ => {
                armada.kill();
                armada = site.start(&[]);
            }
        }
    }
    armada.ready(&site.admin).await;
    armada
}

/// Waits until positions of the replay arrive.
async fn wait_for_first(site: &Site) -> anyhow::Result<()> {
    let owner = site.owner().await?;
    eventually("the first positions arrive", SOON, async || {
        let positions = owner.get("/api/v1/last-positions").await?.json();
        anyhow::ensure!(positions["total"].as_u64() > Some(0), "{positions}");
        Ok(())
    })
    .await;
    Ok(())
}

/// Replays while everything is struck; returns the running program.
async fn replay_and_kill(
    site: &Site,
    armada: Armada,
    file: &Path,
    arguments: &[&str],
    seed: u64,
) -> anyhow::Result<Armada> {
    let replay = site.replay(file, TENANT, arguments);
    wait_for_first(site).await?;
    let armada = kill_and_restart(site, armada, seed).await;
    let (status, printed) = replay.end(SOON * 3).await?;
    assert!(status.success(), "{printed}");
    Ok(armada)
}

both_databases! {
    async fn killed_in_the_middle(kind: Kind) -> anyhow::Result<()> {
        let mut site = Site::new(kind).await;
        // So that death also comes while hot frames are being sealed.
        site.set("ARMADA_POSITION_INGEST__SEAL_SECONDS", "1");
        let file = site.folder().join("trace.csv.gz");
        trace::generate(&file, 11, 25, 400, 1_000, true);
        let armada = site.run().await;
        events::limit_speed(&site, &site.owner().await?, &file, TENANT).await?;
        let _armada = replay_and_kill(&site, armada, &file, &["--speed", SPEED, "--single"], 17).await?;
        let owner = site.owner().await?;
        history::equals(&owner, TENANT, &trace::expected(&file), SOON).await;
        // One fix of a device at a time is under way: they come in their order, whatever is sent again.
        events::equal(&owner, TENANT, &events::expected(trace::reports(&file), events::SPEED_LIMIT), SOON).await;
        Ok(())
    }

    async fn killed_in_the_middle_of_recorded_buses(kind: Kind) -> anyhow::Result<()> {
        let Some(file) = trace::recorded_buses() else { return Ok(()) };
        let site = Site::new(kind).await;
        let armada = site.run().await;
        let _armada = replay_and_kill(&site, armada, &file, &["--speed", "max", "--shuffle", "7"], 23).await?;
        history::equals(&site.owner().await?, TENANT, &trace::expected(&file), SOON * 3).await;
        Ok(())
    }

    /// An ingest that commits its progress before the frames it stands for must be found out.
    async fn negative_control(kind: Kind) -> anyhow::Result<()> {
        detects_defect(kind, "ARMADA_TEST_ADVANCE_BEFORE_COMMIT").await
    }
}

/// So must a receiver that answers before it has written. What it stores in is not touched by that.
#[tokio::test(flavor = "multi_thread")]
async fn negative_control_of_the_receiver() -> anyhow::Result<()> {
    detects_defect(Kind::Sqlite, "ARMADA_TEST_ANSWER_BEFORE_WRITE").await
}

/// The checks must see what a program with this defect loses.
async fn detects_defect(kind: Kind, defect: &str) -> anyhow::Result<()> {
    let mut site = Site::new(kind).await;
    site.set(defect, "1");
    let file = site.folder().join("trace.csv.gz");
    trace::generate(&file, 11, 25, 400, 1_000, true);
    let armada = site.run().await;
    let _armada = replay_and_kill(&site, armada, &file, &["--speed", SPEED, "--single"], 17).await?;
    let found = history::differences(&site.owner().await?, TENANT, &trace::expected(&file)).await;
    let found = format!("{:#}", found.expect_err("the checks must see the loss"));
    assert!(found.contains("missing") || found.contains("last position"), "{found}");
    Ok(())
}

/// What is taken away, for how long, and when decides a seed, which is shown: twenty times, with a sender that goes on all
/// the while.
async fn dies_twenty_times(kind: Kind) -> anyhow::Result<()> {
    let site = Site::new(kind).await;
    let file = site.folder().join("trace.csv.gz");
    trace::generate(&file, 31, 100, 400, 1_000, true);
    let mut armada = site.run().await;
    events::limit_speed(&site, &site.owner().await?, &file, TENANT).await?;
    let replay = site.replay(&file, TENANT, &["--speed", "3", "--single"]);
    wait_for_first(&site).await?;
    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_millis() as u64;
    eprintln!("seed {seed}");
    let mut numbers = trace::Numbers(seed);
    for _ in 0..20 {
        // Not waits for anything: the moment of death is to be any, and so is that of the return.
        let mut pause = async |least: u64, most: u64| {
            tokio::time::sleep(Duration::from_millis(least + numbers.below(most - least))).await;
            numbers.below(5)
        };
        let what = pause(200, 3_000).await;
        let nats = armada.nats_pid().map(Pid::from_raw);
        match (what, nats, &site.postgres) {
            (0, Some(nats), _) => kill(nats, Signal::SIGKILL)?,
            (1, Some(nats), _) => {
                kill(nats, Signal::SIGSTOP)?;
                pause(200, 4_000).await;
                // It may have been given up meanwhile.
                let _ = kill(nats, Signal::SIGCONT);
            }
            (2, ..) => {
                armada.signal(Signal::SIGSTOP);
                pause(200, 8_000).await;
                armada.signal(Signal::SIGCONT);
            }
            (3, _, Some(postgres)) => {
                postgres.stop();
                pause(200, 4_000).await;
                postgres.start_again();
            }
            _ => {
                armada.kill();
                armada = site.start(&[]);
            }
        }
    }
    armada.ready(&site.admin).await;
    let (status, printed) = replay.end(SOON * 12).await?;
    assert!(status.success(), "{printed}");
    let owner = site.owner().await?;
    history::equals(&owner, TENANT, &trace::expected(&file), SOON * 3).await;
    events::equal(&owner, TENANT, &events::expected(trace::reports(&file), events::SPEED_LIMIT), SOON).await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes three minutes; see docs/TESTING.md"]
async fn dies_twenty_times_on_sqlite() -> anyhow::Result<()> {
    dies_twenty_times(Kind::Sqlite).await
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes three minutes; see docs/TESTING.md"]
async fn dies_twenty_times_on_postgres() -> anyhow::Result<()> {
    dies_twenty_times(Kind::Postgres).await
}

/// Whatever the former nats-server is still at: it holds its port, and writes, for as long as the machine lets it.
#[tokio::test(flavor = "multi_thread")]
async fn starts_at_once_after_every_kill() -> anyhow::Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let file = site.folder().join("trace.csv.gz");
    trace::generate(&file, 5, 25, 400, 1_000, true);
    let mut armada = site.run().await;
    let _load = site.replay(&file, TENANT, &["--speed", "20"]);
    wait_for_first(&site).await?;
    for _ in 0..10 {
        armada.kill();
        armada = site.run().await;
    }
    Ok(())
}

/// A port that somebody holds for a while is waited for. Longer than what was waited before, and no wait for anything.
#[tokio::test(flavor = "multi_thread")]
async fn waits_for_the_port_of_nats() -> anyhow::Result<()> {
    let site = Site::new(Kind::Sqlite).await;
    let holder = std::net::TcpListener::bind(("127.0.0.1", site.nats_port))?;
    let mut armada = site.start(&[]);
    tokio::time::sleep(Duration::from_secs(4)).await;
    drop(holder);
    armada.ready(&site.admin).await;
    Ok(())
}
