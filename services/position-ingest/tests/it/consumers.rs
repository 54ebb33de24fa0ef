//! What a registered consumer has not read is not purged.

use crate::common::{Ingest, SOON, at, get, imei};
use armada_position_ingest::{Config, admin::Consumers, streams::POSITIONS};
use armada_testkit::{Gateway, both_databases, eventually};
use serde_json::{Value, json};

const CONSUMER: &str = "geofences";

/// First sequence and bytes of POSITIONS.
async fn positions(ingest: &Ingest) -> anyhow::Result<(u64, u64)> {
    let stream = ingest.context.bus.jetstream.get_stream(POSITIONS).await?;
    let state = &stream.cached_info().state;
    Ok((state.first_sequence, state.bytes))
}

async fn purged_to(ingest: &Ingest, wanted: u64) {
    eventually(&format!("POSITIONS is purged to {wanted}"), SOON, async || {
        let (first, _) = positions(ingest).await?;
        anyhow::ensure!(first == wanted, "it begins at {first}");
        Ok(())
    })
    .await;
}

/// Publishes a fix, and waits until it is stored, so that each is a message of POSITIONS. Its text does not get small by
/// compression.
async fn publish(ingest: &Ingest, gateway: &Gateway, device: &str, number: i64) {
    let noise: String = (0..40).map(|n| format!("{:x}", bits(number * 40 + n))).collect();
    let fix = json!({"recorded_at": at(number), "lat": -6.2, "lng": 106.8, "attrs": {"noise": noise}});
    gateway.report(&imei(1).to_string(), &fix).await.expect("acknowledged");
    ingest.track_of(device, number as usize + 1).await;
}

/// Bits without a pattern (SplitMix64), as wide as text gets.
fn bits(number: i64) -> u128 {
    let mix = |mut mixed: u64| {
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let seed = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    u128::from(mix(seed)) << 64 | u128::from(mix(seed ^ 0x5555_5555))
}

both_databases! {
    starting crate::common::world;

    async fn lagging_consumer_blocks_the_purge(world: World) {
        let config = Config { positions_max_bytes: 32 << 10, ..Config::default() };
        let ingest = Ingest::start_with(world, config).await;
        let device = ingest.device(imei(1)).await.id;
        let gateway = ingest.gateway().await;
        let consumers = Consumers::open(&ingest.context.bus).await.unwrap();
        let partition = imei(1).partition(8);
        consumers.register(POSITIONS, CONSUMER, 8, 1).await.unwrap();
        consumers.advance(POSITIONS, CONSUMER, partition, 4).await.unwrap();
        consumers.register(POSITIONS, CONSUMER, 8, 1).await.unwrap();
        let mark = consumers.list().await.unwrap().into_iter().find(|mark| mark.partition == partition);
        assert_eq!(mark.expect("it is registered").next, 4, "registering again moves nothing back");

        // Far beyond 60 %, where everything that was read goes, and before 90 %, where all else may.
        let mut published = 0;
        while positions(&ingest).await.unwrap().1 < 25 << 10 {
            publish(&ingest, &gateway, &device, published).await;
            published += 1;
        }
        purged_to(&ingest, 4).await;
        assert!(published > 12, "it was not because there is nothing else");
        let admin = ingest.context.health.router();
        eventually("/readyz tells", SOON, async || {
            let readiness: Value = serde_json::from_str(&get(admin.clone(), "/readyz").await)?;
            let checks = readiness["checks"].as_array().expect("a list");
            let check = checks.iter().find(|check| check["name"] == "consumers");
            let check = check.ok_or_else(|| anyhow::anyhow!("{readiness}"))?;
            assert_eq!(check["ok"], true, "positions are taken in all the same");
            let message = check["message"].as_str().expect("a sentence");
            anyhow::ensure!(message.starts_with("geofences of POSITIONS: "), "{message}");
            Ok(())
        })
        .await;
        let metrics = get(admin, "/metrics").await;
        assert!(metrics.contains(r#"armada_ingest_consumer_lag_messages{stream="POSITIONS",consumer="geofences"}"#));

        consumers.advance(POSITIONS, CONSUMER, partition, 9).await.unwrap();
        purged_to(&ingest, 9).await;
        assert_eq!(consumers.remove(POSITIONS, CONSUMER).await.unwrap(), 8);
        assert_eq!(consumers.list().await.unwrap(), []);
        while positions(&ingest).await.unwrap().0 == 9 {
            publish(&ingest, &gateway, &device, published).await;
            published += 1;
            assert!(published < 100, "nobody holds it up any more");
        }
        assert!(consumers.advance("OTHER", CONSUMER, 0, 1).await.is_err());
        assert!(consumers.advance(POSITIONS, "a.b", 0, 1).await.is_err());
    }

    /// A stream that is nearly full would stop ingest: the oldest messages go without the consumer.
    async fn deleted_consumer_does_not_stop_ingest(world: World) {
        let config = Config { positions_max_bytes: 28 << 10, ..Config::default() };
        let ingest = Ingest::start_with(world, config).await;
        let device = ingest.device(imei(1)).await.id;
        let gateway = ingest.gateway().await;
        let consumers = Consumers::open(&ingest.context.bus).await.unwrap();
        consumers.register(POSITIONS, CONSUMER, 8, 1).await.unwrap();
        for number in 0..40 {
            publish(&ingest, &gateway, &device, number).await;
        }
        eventually("everything is published", SOON, async || {
            let behind = ingest.number("SELECT CAST(sum(frame_seq - published_seq) AS bigint) FROM partition").await?;
            anyhow::ensure!(behind == 0, "{behind} frames wait");
            Ok(())
        })
        .await;
        assert!(positions(&ingest).await.unwrap().0 > 1);
    }
}
