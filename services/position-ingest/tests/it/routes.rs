//! Through which gateway each tracker is heard: the one of its newest fix, written when it is another one and not before.

use armada_proto::{coded, route, v1::ImeiRoute};
use armada_testkit::{Gateway, both_databases, eventually};
use armada_track::Imei;
use serde_json::{Value, json};

use crate::common::{Ingest, SOON, at, imei, imei_in};

impl Ingest {
    /// What is noted of an IMEI, and its revision.
    async fn route(&self, imei: Imei) -> anyhow::Result<Option<(ImeiRoute, u64)>> {
        let entry = self.world.bus.bucket(route::BUCKET).await?.entry(imei.to_string()).await?;
        Ok(entry.map(|entry| (coded::decode(&entry.value).expect("a record"), entry.revision)))
    }

    /// Waits until an IMEI is heard through a gateway; returns the revision.
    async fn is_routed(&self, imei: Imei, gateway: &str) -> u64 {
        eventually(&format!("it is heard through {gateway}"), SOON, async || {
            let (route, revision) = self.route(imei).await?.ok_or_else(|| anyhow::anyhow!("no route"))?;
            anyhow::ensure!(route.gateway == gateway && route.since > 0, "{route:?}");
            Ok(revision)
        })
        .await
    }
}

fn fix(second: i64) -> Value {
    json!({ "recorded_at": at(second), "lat": -6.2, "lng": 106.8 })
}

both_databases! {
    starting crate::common::world;

    async fn route_follows_the_newest_fix(world: World) {
        let ingest = Ingest::start(world).await;
        let (tracker, unknown) = (imei(1), imei(2));
        let device = ingest.device(tracker).await;
        let (one, two) = (ingest.gateway().await, Gateway::connect_trusted(&ingest.world.nats, "other").await);
        one.report(&unknown.to_string(), &fix(0)).await.expect("held");
        one.report(&tracker.to_string(), &fix(10)).await.expect("acknowledged");
        let first = ingest.is_routed(tracker, "test").await;

        one.report(&tracker.to_string(), &fix(20)).await.expect("acknowledged");
        // Late, and once more what is known: neither says where the tracker is now.
        two.report(&tracker.to_string(), &fix(5)).await.expect("acknowledged");
        two.report(&tracker.to_string(), &fix(20)).await.expect("acknowledged");
        two.report(&tracker.to_string(), &fix(30)).await.expect("acknowledged");
        let second = ingest.is_routed(tracker, "other").await;
        ingest.track_of(&device.id, 4).await;
        assert_eq!(second, first + 1, "nothing was written in between");
        assert!(ingest.route(unknown).await.unwrap().is_none(), "nobody has it, nobody sends it commands");

        // A new IMEI has a route of its own.
        let changed = imei(3);
        ingest.change_imei(&device.id, changed).await;
        two.report(&changed.to_string(), &fix(40)).await.expect("acknowledged");
        assert_eq!(ingest.is_routed(changed, "other").await, second + 1);
    }

    async fn restart_does_not_rewrite_routes(world: World) {
        let mut ingest = Ingest::start(world).await;
        let tracker = imei(1);
        // Its routes are written by the same owner.
        let other = imei_in(2, |partition| partition == tracker.partition(8));
        let devices = [ingest.device(tracker).await, ingest.device(other).await];
        let gateway = ingest.gateway().await;
        gateway.report(&tracker.to_string(), &fix(0)).await.expect("acknowledged");
        let before = ingest.is_routed(tracker, "test").await;
        for clean in [true, false] {
            if clean {
                ingest.process.take().unwrap().stop().await.expect("drains");
            } else {
                ingest.kill().await;
            }
            ingest.run().await;
            let second = if clean { 10 } else { 20 };
            eventually("it is taken in", SOON, async || {
                gateway.report(&tracker.to_string(), &fix(second)).await?;
                Ok(())
            })
            .await;
        }
        ingest.track_of(&devices[0].id, 3).await;
        // What was heard after it is written after it.
        gateway.report(&other.to_string(), &fix(0)).await.expect("acknowledged");
        assert_eq!(ingest.is_routed(other, "test").await, before + 1);
        assert_eq!(ingest.is_routed(tracker, "test").await, before);
        let moved = Gateway::connect_trusted(&ingest.world.nats, "other").await;
        moved.report(&tracker.to_string(), &fix(30)).await.expect("acknowledged");
        ingest.is_routed(tracker, "other").await;
    }
}
