//! Erasing a tenant or a device, and merging blocks: each looks only at what is new.

use crate::common::{Ingest, SOON, at, imei};
use armada_position_ingest::{NAME, admin::erase_tenant};
use armada_proto::{
    device_erasure,
    v1::{DeleteRequest, EraseDeviceInput, GetRequest},
};
use armada_runtime::Scope;
use armada_testkit::{both_databases, eventually, eventually_equal};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::json;

async fn publish(ingest: &Ingest, from: i64, count: i64) {
    let gateway = ingest.gateway().await;
    for second in from..from + count {
        let fix = json!({"recorded_at": at(second), "lat": -6.2, "lng": 106.8, "speed": 30});
        gateway.report(&imei(1).to_string(), &fix).await.expect("acknowledged");
    }
}

async fn execute(ingest: &Ingest, sql: &str) {
    let db = ingest.world.database(NAME).await;
    let tx = db.write(&Scope::Platform).await.unwrap();
    tx.execute_raw(Statement::from_string(db.backend(), sql)).await.unwrap();
    tx.commit().await.unwrap();
    db.close().await.unwrap();
}

both_databases! {
    starting crate::common::world;

    async fn sealing_removes_hot_frames(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        publish(&ingest, 0, 10).await;
        ingest.track_of(&device.id, 10).await;
        ingest.seal().await;
        publish(&ingest, 10, 10).await;
        ingest.track_of(&device.id, 20).await;
        let delete = DeleteRequest { id: device.id.clone(), row_version: None };
        ingest.devices().delete(ingest.admin.sign(delete)).await.unwrap();

        let db = ingest.world.database(NAME).await;
        for _ in 0..2 {
            erase_tenant(&db, ingest.tenant).await.unwrap();
            let left = "SELECT (SELECT count(*) FROM track_block) + (SELECT count(*) FROM device_state)";
            assert_eq!(ingest.number(left).await.unwrap(), 0);
        }
        assert_eq!(ingest.number("SELECT count(*) FROM erasure_pending").await.unwrap(), 8);
        assert_eq!(ingest.seal().await, 10, "what was hot");
        assert_eq!(ingest.number("SELECT count(*) FROM track_block").await.unwrap(), 0);
        assert_eq!(ingest.number("SELECT count(*) FROM device_state").await.unwrap(), 0);

        // Some hours later everything that was on its way has come, and no sealing looks for it again.
        execute(&ingest, "UPDATE erasure_pending SET erased_at = erased_at - 7200000").await;
        ingest.seal().await;
        assert_eq!(ingest.number("SELECT count(*) FROM erasure_pending").await.unwrap(), 0);
        assert_eq!(ingest.number("SELECT count(*) FROM erased_tenant").await.unwrap(), 1);
        erase_tenant(&db, ingest.tenant).await.unwrap();
        assert_eq!(ingest.number("SELECT count(*) FROM erasure_pending").await.unwrap(), 0, "it is known");
    }

    /// While it is deleted its history stays; then it goes, whatever dies in between, and nobody else's does.
    async fn history_of_an_erased_device_goes(world: World) {
        let mut ingest = Ingest::start(world).await;
        let [gone, kept] = [ingest.device(imei(1)).await, ingest.device(imei(2)).await];
        publish(&ingest, 0, 10).await;
        let gateway = ingest.gateway().await;
        let fix = json!({"recorded_at": at(1), "lat": -6.2, "lng": 106.8, "speed": 30});
        gateway.report(&imei(2).to_string(), &fix).await.expect("acknowledged");
        ingest.track_of(&gone.id, 10).await;
        ingest.track_of(&kept.id, 1).await;
        ingest.seal().await;
        publish(&ingest, 10, 10).await;
        ingest.track_of(&gone.id, 20).await;
        let delete = DeleteRequest { id: gone.id.clone(), row_version: None };
        ingest.devices().delete(ingest.admin.sign(delete)).await.unwrap();
        let blocks = || ingest.number("SELECT count(*) FROM track_block");
        assert_eq!(blocks().await.unwrap(), 2, "it may come back");
        let restore = GetRequest { id: gone.id.clone() };
        ingest.devices().restore(ingest.admin.sign(restore)).await.unwrap();
        ingest.track_of(&gone.id, 20).await;
        let delete = DeleteRequest { id: gone.id.clone(), row_version: None };
        ingest.devices().delete(ingest.admin.sign(delete)).await.unwrap();

        // Ingest is not there to hear of it.
        ingest.kill().await;
        ingest.run_without_ingest().await;
        let erase = EraseDeviceInput { id: gone.id.clone(), name: gone.name.clone(), row_version: None };
        ingest.devices().erase(ingest.admin.sign(erase)).await.unwrap();
        let bucket = ingest.context.bus.bucket(device_erasure::BUCKET).await.unwrap();
        eventually("it is told", SOON, async || Ok(bucket.get(&gone.id).await?.ok_or_else(|| anyhow::anyhow!("not yet"))?)).await;
        ingest.kill().await;
        ingest.run().await;
        eventually_equal("what is sealed goes", SOON, 1, async || ingest.number("SELECT count(*) FROM track_block").await).await;
        ingest.seal().await;
        assert_eq!(ingest.number("SELECT count(*) FROM track_block").await.unwrap(), 1, "what was hot goes with its sealing");
        assert_eq!(ingest.number("SELECT count(*) FROM device_state").await.unwrap(), 1);
        ingest.track_of(&kept.id, 1).await;

        // Some hours later everything that was on its way has come, and no sealing looks for it again.
        execute(&ingest, "UPDATE device_erasure_pending SET erased_at = erased_at - 7200000").await;
        ingest.seal().await;
        assert_eq!(ingest.number("SELECT count(*) FROM device_erasure_pending").await.unwrap(), 0);
        assert_eq!(ingest.number("SELECT count(*) FROM erased_device").await.unwrap(), 1);
    }

    async fn small_blocks_of_a_day_become_one(world: World) {
        let ingest = Ingest::start(world).await;
        let device = ingest.device(imei(1)).await;
        let mut most = 0;
        for round in 0..20_i64 {
            publish(&ingest, round * 5, 5).await;
            ingest.track_of(&device.id, (round as usize + 1) * 5).await;
            ingest.seal().await;
            most = most.max(ingest.number("SELECT count(*) FROM track_block").await.unwrap());
        }
        // One that the clock asks for may come between: then the ninth block is merged at once.
        assert!((8..=17).contains(&most), "merged every eighth time, from the ninth block on: {most}");
        ingest.track_of(&device.id, 100).await;
        // A day without many blocks is not looked at again until it gets more.
        for _ in 0..8 {
            ingest.seal().await;
        }
        assert_eq!(ingest.number("SELECT count(*) FROM compaction_backlog").await.unwrap(), 0);
        assert!(ingest.number("SELECT count(*) FROM track_block").await.unwrap() <= 8);
        ingest.track_of(&device.id, 100).await;
    }
}
