//! The database goes away for a while. SQLite cannot: it is a file in the same process.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use armada_proto::Timestamp;
use armada_testkit::{Api, Kind, Socket, eventually};
use serde_json::json;

use crate::support::{SOON, history, site::Site, trace};

const TENANT: &str = "Unstored";
const AWAY: Duration = Duration::from_secs(30);

/// The map's socket of the platform owner.
async fn map_socket(owner: &Api) -> anyhow::Result<Socket> {
    let ticket = owner.post("/api/v1/ws-ticket", json!({})).await?.json();
    let ticket = ticket["ticket"].as_str().context("a ticket")?;
    Socket::open(&owner.url(&format!("/ws?token={ticket}&userId=&context=maps"))).await
}

#[tokio::test(flavor = "multi_thread")]
async fn live_goes_on_without_postgres_and_history_catches_up() -> anyhow::Result<()> {
    let site = Site::new(Kind::Postgres).await;
    let postgres = site.postgres.as_ref().context("the kind says so")?;
    let _armada = site.run().await;
    let owner = site.owner().await?;
    let file = site.folder().join("trace.csv.gz");
    trace::generate(&file, 5, 20, 90, 1_000, false);
    let replay = site.replay(&file, TENANT, &["--speed", "2"]);
    let mut socket = map_socket(&owner).await?;
    let newest = async |socket: &mut Socket| {
        let message = socket.wait_for(SOON, |message| message["type"] == "position").await?;
        let at = message["position"]["recorded_at"].as_str().and_then(Timestamp::parse_rfc3339);
        anyhow::Ok(at.context("recorded_at")?.millis())
    };
    let mut seen = newest(&mut socket).await?;

    postgres.stop();
    let gone = Instant::now();
    let mut seconds_seen = 0;
    while gone.elapsed() < AWAY {
        let at = newest(&mut socket).await?;
        if at >= seen + 1_000 {
            (seen, seconds_seen) = (at, seconds_seen + 1);
        }
    }
    // At twice the recorded speed sixty seconds pass; half of them is plenty on a busy machine.
    assert!(seconds_seen >= 30, "only {seconds_seen} seconds went by on the map");

    postgres.start_again();
    let (status, printed) = replay.end(SOON * 2).await?;
    assert!(status.success(), "{printed}");
    history::equals(&owner, TENANT, &trace::expected(&file), SOON).await;
    eventually("it is ready again", SOON, async || {
        let reply = Api::new(&format!("http://{}", site.admin)).get("/readyz").await?;
        anyhow::ensure!(reply.status.is_success(), "{}", reply.text);
        Ok(())
    })
    .await;
    Ok(())
}
