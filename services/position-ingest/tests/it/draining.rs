//! Letting go while something is away: it ends in time, and somebody else goes on.

use crate::common::{Ingest, SOON, at, imei};
use armada_testkit::{Durability, Kind, World, both_databases, eventually};
use serde_json::json;

async fn publish(ingest: &Ingest, from: i64, count: i64) {
    let gateway = ingest.gateway().await;
    for second in from..from + count {
        let fix = json!({"recorded_at": at(second), "lat": -6.2, "lng": 106.8, "speed": 30});
        gateway.report(&imei(1).to_string(), &fix).await.expect("acknowledged");
    }
}

both_databases! {
    starting crate::common::world;

    /// Dead letters cannot be stored, so the commit batch that has one is never closed. A second instance gets its share
    /// all the same.
    async fn stuck_partition_is_handed_over(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        publish(&ingest, 0, 3).await;
        ingest.track_of(&device.id, 3).await;
        ingest.context.bus.jetstream.delete_stream("DLQ").await.unwrap();
        let gateway = ingest.gateway().await;
        for number in 0..64 {
            let answer = gateway.send(&imei(number).to_string(), b"nonsense".to_vec()).await;
            assert_eq!(answer["error"]["description"], "malformed");
        }
        publish(&ingest, 3, 3).await;
        let second = ingest.run_second().await;

        let db = ingest.world.database(armada_position_ingest::NAME).await;
        armada_position_ingest::migrate(&ingest.context.bus, &db, &ingest.config).await.unwrap();
        db.close().await.unwrap();
        ingest.track_of(&device.id, 6).await;
        ingest.refused_for("malformed", 64).await;
        second.stop().await.expect("drains");
    }

    async fn drains_while_nats_is_away(world: World) {
        let mut ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        publish(&ingest, 0, 20).await;
        ingest.world.nats.stop();
        // Ends as asked: nothing is dropped at the deadline of the process, so the partitions are free.
        ingest.process.take().unwrap().stop().await.expect("drains");
        assert_eq!(ingest.owners().await.unwrap(), vec![String::new(); 8]);

        ingest.world.nats.start_again();
        ingest.run().await;
        publish(&ingest, 20, 20).await;
        ingest.track_of(&device.id, 40).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn drains_while_the_database_is_away() {
    let world = World::start_with_own_postgres(Kind::Postgres, Durability::Fsync).await;
    let mut ingest = Ingest::start(world).await;
    let device = ingest.device(imei(1)).await;
    publish(&ingest, 0, 20).await;
    ingest.track_of(&device.id, 20).await;
    ingest.world.postgres().stop();
    publish(&ingest, 20, 20).await;
    ingest.process.take().unwrap().stop().await.expect("drains");

    ingest.world.postgres().start_again();
    eventually("PostgreSQL answers", SOON, async || ingest.number("SELECT count(*) FROM partition").await).await;
    ingest.run().await;
    publish(&ingest, 40, 20).await;
    ingest.track_of(&device.id, 60).await;
}
