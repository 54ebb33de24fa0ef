//! The database goes away for a while. SQLite cannot: it is a file in the same process.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use armada_testkit::{Kind, eventually};

use crate::support::{
    SOON, events, history,
    live::{map_socket, next_position},
    site::Site,
    trace,
};

const TENANT: &str = "Unstored";

/// At twice the recorded speed, so that twice as many seconds pass on the map.
async fn live_goes_on_without_postgres(seconds: u64) -> anyhow::Result<()> {
    let away = Duration::from_secs(seconds);
    let site = Site::new(Kind::Postgres).await;
    let postgres = site.postgres.as_ref().context("the kind says so")?;
    let mut armada = site.run().await;
    let owner = site.owner().await?;
    let file = site.folder().join("trace.csv.gz");
    trace::generate(&file, 5, 20, seconds * 3, 1_000, false);
    let replay = site.replay(&file, TENANT, &["--speed", "2"]);
    let mut socket = map_socket(&owner).await?;
    let mut seen = next_position(&mut socket).await?;

    postgres.stop();
    let gone = Instant::now();
    let mut seconds_seen = 0;
    while gone.elapsed() < away {
        let at = next_position(&mut socket).await?;
        if at >= seen + 1_000 {
            (seen, seconds_seen) = (at, seconds_seen + 1);
        }
    }
    // Half of them is plenty on a busy machine.
    assert!(seconds_seen >= seconds, "only {seconds_seen} seconds went by on the map");

    postgres.start_again();
    let (status, printed) = replay.end(SOON * 2).await?;
    assert!(status.success(), "{printed}");
    history::equals(&owner, TENANT, &trace::expected(&file), SOON).await;
    events::equal(&owner, TENANT, &events::expected(trace::reports(&file), 0), SOON).await;
    eventually("it is ready again", SOON, async || {
        let missing = site.missing().await?;
        anyhow::ensure!(missing.is_empty(), "{missing:?}");
        Ok(())
    })
    .await;
    // It never ended.
    armada.ready(&site.admin).await;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn live_goes_on_without_postgres_and_history_catches_up() -> anyhow::Result<()> {
    live_goes_on_without_postgres(30).await
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes two minutes; see docs/TESTING.md"]
async fn live_goes_on_for_a_minute_without_postgres() -> anyhow::Result<()> {
    live_goes_on_without_postgres(60).await
}
