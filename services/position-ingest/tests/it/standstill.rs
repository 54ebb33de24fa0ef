//! What stands still is seen, and goes on.

use std::time::Duration;

use armada_position_ingest::{
    self as ingest, Config,
    metrics::standstill::{HeldSteps, Step},
};
use armada_proto::Timestamp;
use armada_runtime::Scope;
use armada_testkit::{both_databases, eventually};
use armada_track::{HotBuilder, Position, Report};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, at, at_ms, get, imei, imei_in};

/// A step stands still after half a minute, and its partition is taken anew some seconds later.
const NOTICED: Duration = Duration::from_secs(45);

fn fix(second: i64) -> Value {
    json!({ "recorded_at": at(second), "lat": -6.2, "lng": 106.8 })
}

/// What a check of `/readyz` says; none when all is well.
async fn complaint(ingest: &Ingest, name: &str) -> anyhow::Result<Option<String>> {
    let readiness: Value = serde_json::from_str(&get(ingest.context.health.router(), "/readyz").await)?;
    let checks = readiness["checks"].as_array().expect("a list");
    let check = checks.iter().find(|check| check["name"] == name).ok_or_else(|| anyhow::anyhow!("{readiness}"))?;
    Ok((check["ok"] == false).then(|| check["message"].to_string()))
}

/// Text that no compression makes much smaller.
fn noise(state: &mut u64) -> String {
    // xorshift64 (Marsaglia, 2003).
    let mut next = || {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        format!("{state:016x}")
    };
    (0..900).map(|_| next()).collect()
}

both_databases! {
    starting crate::common::world;

    /// Each step of another partition: `/readyz` names it, its partition is taken anew, and nothing is lost.
    async fn standing_steps_are_named_and_given_up(world: World) {
        let held_steps = HeldSteps::default();
        let config = Config { seal_seconds: 1, held_steps: held_steps.clone(), ..Config::default() };
        let ingest = Ingest::start_with(world, config).await;
        let gateway = ingest.gateway().await;
        let mut devices = Vec::new();
        for (partition, step) in (0..).zip(Step::ALL) {
            let imei = imei_in(1, |found| found == partition);
            let device = ingest.device(imei).await.id;
            gateway.report(&imei.to_string(), &fix(0)).await.expect("acknowledged");
            ingest.track_of(&device, 1).await;
            held_steps.hold(partition, step);
            devices.push((imei.to_string(), device));
        }
        // Whoever is not answered sends it again.
        let mut last = Vec::new();
        for (imei, _) in &devices {
            let sending = async { gateway.try_send(imei, fix(1).to_string().into()).await };
            last.push(sending.await.map_err(|error| error.to_string()));
        }
        let mut named = std::collections::BTreeSet::new();
        eventually("each is named", NOTICED, async || {
            let complaint = complaint(&ingest, "standstill").await?.unwrap_or_default();
            named.extend(Step::ALL.into_iter().filter(|step| complaint.contains(step.as_str())).map(Step::as_str));
            anyhow::ensure!(named.len() == Step::ALL.len(), "{named:?}, now {complaint}; answers {last:?}");
            Ok(())
        })
        .await;
        for (imei, device) in &devices {
            gateway.send(imei, fix(1).to_string().into()).await;
            ingest.track_of(device, 2).await;
        }
        eventually("all is well again", SOON, async || {
            anyhow::ensure!(complaint(&ingest, "standstill").await?.is_none() && ingest.context.health.is_ready());
            Ok(())
        })
        .await;
        let metrics = get(ingest.context.health.router(), "/metrics").await;
        for step in Step::ALL {
            let line = format!("armada_ingest_standstills_total{{step=\"{}\"}} 1", step.as_str());
            assert!(metrics.contains(&line), "{line}: {}", metrics.lines().filter(|line| line.contains("standstill")).collect::<String>());
        }
    }

    /// A frame that was stored before commit batches were bounded, and everything behind it.
    async fn stored_frame_that_is_too_large_is_split(world: World) {
        let mut ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        gateway.report(&imei(1).to_string(), &fix(0)).await.expect("acknowledged");
        ingest.track_of(&device.id, 1).await;
        ingest.seal().await;
        ingest.kill().await;

        let (mut large, mut state) = (HotBuilder::default(), 0x9e37_79b9_7f4a_7c15);
        for second in 1..=800 {
            let report = Report::new(at_ms(second), -62_000_000, 1_068_000_000);
            let report = Report { attrs: Some(format!("{{\"x\":\"{}\"}}", noise(&mut state)).into()), ..report };
            large.push(ingest.tenant, device.id.parse().expect("an id"), &Position::late(report));
        }
        let (n, data) = (large.len() as i32, large.finish());
        assert!(data.len() > 5 << 20, "{}", data.len());
        let partition = imei(1).partition(8) as i32;
        let db = ingest.world.database(ingest::NAME).await;
        let tx = db.write(&Scope::Platform).await.expect("the database is there");
        let insert = "INSERT INTO hot_frame (partition, seq, stream_seq, stream_ts, n, t_min, t_max, data) \
                      SELECT partition, frame_seq + 1, next_seq - 1, $2, $3, $4, $5, $6 FROM partition WHERE partition = $1";
        let now = Timestamp::now().millis();
        let values = [partition.into(), now.into(), n.into(), at_ms(1).into(), at_ms(800).into(), data.into()];
        tx.execute_raw(Statement::from_sql_and_values(db.backend(), insert, values)).await.expect("it is stored");
        let advance = "UPDATE partition SET frame_seq = frame_seq + 1, checkpoint_seq = frame_seq + 1 WHERE partition = $1";
        tx.execute_raw(Statement::from_sql_and_values(db.backend(), advance, [partition.into()])).await.expect("it is counted");
        tx.commit().await.expect("it is on disk");
        db.close().await.expect("it is closed");

        ingest.run().await;
        ingest.track_of(&device.id, 801).await;
        gateway.send(&imei(1).to_string(), fix(801).to_string().into()).await;
        ingest.track_of(&device.id, 802).await;
        eventually("everything is published and sealed", SOON, async || {
            ingest.seal().await;
            let behind = ingest.number("SELECT CAST(sum(frame_seq - published_seq) AS bigint) FROM partition").await?;
            let hot = ingest.number("SELECT count(*) FROM hot_frame").await?;
            anyhow::ensure!(behind == 0 && hot == 0, "{behind} frames wait, {hot} are hot");
            Ok(())
        })
        .await;
        assert_eq!(ingest.track_of(&device.id, 802).await.len(), 802);
    }

    /// Streams that somebody has removed stop nobody's positions; what belongs there gets there once they are back.
    async fn what_no_stream_takes_is_set_aside(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        for stream in ["DLQ", "HELD", "REFUSED"] {
            ingest.world.bus.jetstream.delete_stream(stream).await.expect("it is deleted");
        }
        let stranger = imei_in(100, |partition| partition == imei(1).partition(8));
        assert_eq!(gateway.send(&stranger.to_string(), fix(0).to_string().into()).await["held"], 1);
        let wrong = json!({ "recorded_at": at(0), "lat": 91, "lng": 106.8 });
        gateway.send(&imei(1).to_string(), wrong.to_string().into()).await;
        gateway.send(&imei(1).to_string(), fix(1).to_string().into()).await;
        ingest.track_of(&device.id, 1).await;
        assert!(ingest.number("SELECT count(*) FROM set_aside").await.expect("a number") >= 1);

        ingest::migrate(&ingest.world.bus, &ingest.context.database(ingest::NAME).expect("a database"), &ingest.config)
            .await
            .expect("the streams are made");
        eventually("it is where it belongs", SOON, async || {
            anyhow::ensure!(ingest.number("SELECT count(*) FROM set_aside").await? == 0);
            Ok(())
        })
        .await;
        let theirs = ingest.device(stranger).await;
        ingest.track_of(&theirs.id, 1).await;
    }

    /// A missing RAW is no full disk.
    async fn missing_raw_is_called_what_it_is(world: World) {
        let ingest = Ingest::start(world).await;
        ingest.device(imei(1)).await;
        let gateway = ingest.gateway().await;
        gateway.report(&imei(1).to_string(), &fix(0)).await.expect("acknowledged");
        ingest.world.bus.jetstream.delete_stream("RAW").await.expect("it is deleted");
        eventually("the gateway is told", SOON, async || {
            let answer = gateway.try_send(&imei(1).to_string(), fix(1).to_string().into()).await?;
            anyhow::ensure!(answer["error"]["description"] == "not_writable" && answer["retry_after_ms"] == 5_000, "{answer}");
            Ok(())
        })
        .await;
    }
}
