//! Whoever looks through history finds what is wrong with it, and nothing when nothing is.

use armada_position_ingest::{
    Config, NAME,
    admin::verify::{Problem, Verified, VerifyUpdate, Which, verify},
};
use armada_proto::{DeviceId, TenantId};
use armada_runtime::Scope;
use armada_testkit::both_databases;
use sea_orm::{ConnectionTrait, Statement, Value};
use serde_json::json;

use crate::common::{Ingest, at, at_ms, imei};

impl Ingest {
    async fn publish(&self, seconds: std::ops::Range<i64>) {
        let gateway = self.gateway().await;
        let fix = |second| json!({"recorded_at": at(second), "lat": -6.2, "lng": 106.8, "speed": 30});
        let fixes: serde_json::Value = seconds.map(fix).collect();
        gateway.report(&imei(1).to_string(), &fixes).await.expect("acknowledged");
    }

    async fn verify(&self, which: Which) -> (Verified, Vec<Problem>) {
        let db = self.world.database(NAME).await;
        let mut problems = Vec::new();
        let report = |update| {
            if let VerifyUpdate::Problem(problem) = update {
                problems.push(problem);
            }
        };
        let verified = verify(&db, which, report).await.expect("it can be read");
        db.close().await.expect("it was open");
        assert_eq!(verified.problems(), problems.len() as u64);
        (verified, problems)
    }

    /// Damages something, and returns what is reported then.
    async fn damaged(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Vec<Problem> {
        let db = self.world.database(NAME).await;
        let tx = db.write(&Scope::Platform).await.expect("a transaction");
        let done = tx.execute_raw(Statement::from_sql_and_values(db.backend(), sql, values)).await.expect("it is done");
        assert_eq!(done.rows_affected(), 1, "{sql}");
        tx.commit().await.expect("it is stored");
        db.close().await.expect("it was open");
        self.verify(Which::default()).await.1
    }
}

both_databases! {
    starting crate::common::world;

    async fn locates_corruption(world: World) {
        // Sealed only when it is asked for.
        let mut ingest = Ingest::start_with(world, Config { seal_seconds: 3600, ..Config::default() }).await;
        let device = ingest.device(imei(1)).await;
        ingest.publish(0..20).await;
        ingest.track_of(&device.id, 20).await;
        ingest.seal().await;
        for seconds in [20..23, 23..25] {
            let count = seconds.end as usize;
            ingest.publish(seconds).await;
            ingest.track_of(&device.id, count).await;
        }
        let (verified, problems) = ingest.verify(Which::default()).await;
        assert!(problems.is_empty(), "{problems:?}");
        let (blocks, hot) = (verified.blocks(), verified.hot.unwrap());
        assert_eq!((blocks.devices, blocks.positions, hot.positions), (1, 20, 5));
        let tenant: TenantId = device.tenant_id.parse().unwrap();
        let id: DeviceId = device.id.parse().unwrap();
        assert_eq!(verified.tenants.keys().collect::<Vec<_>>(), [&tenant]);
        let strangers = Which { device: Some(DeviceId::new()), ..Which::default() };
        let (nothing, problems) = ingest.verify(strangers).await;
        assert_eq!((nothing.blocks().rows, nothing.hot, problems), (0, None, Vec::new()));

        // From here on nothing is sealed.
        ingest.kill().await;
        let of_block = |what: &str| Problem {
            table: "track_block",
            tenant: Some(tenant),
            device: Some(id),
            span: Some((at_ms(0), at_ms(19))),
            what: what.to_owned(),
        };
        let row = "the row says 21 positions, there are 20";
        let problems = ingest.damaged("UPDATE track_block SET n = n + 1", []).await;
        assert_eq!(problems, [of_block(row)]);
        let problems = ingest.damaged("UPDATE track_block SET seq = seq + 1000", []).await;
        assert_eq!(problems[0], of_block(row));
        let sealed_from = "sealed from frame 100";
        assert!(problems.len() == 2 && problems[1].what.starts_with(sealed_from), "{problems:?}");
        let problems = ingest.damaged("UPDATE track_block SET data = $1", [vec![9_u8].into()]).await;
        assert_eq!(problems[0], of_block("the bytes cannot be read: unknown codec 9"));
        let erased = "INSERT INTO erased_device (device_id, tenant_id, erased_at) VALUES ($1, $2, 0)";
        let problems = ingest.damaged(erased, [id.0.into(), tenant.0.into()]).await;
        assert!(problems.contains(&of_block("the device is erased")), "{problems:?}");
        let in_blocks = problems.len();

        let last = "(SELECT max(seq) FROM hot_frame)";
        let problems = ingest.damaged(&format!("UPDATE hot_frame SET t_max = t_max + 1 WHERE seq = {last}"), []).await;
        assert!(problems[in_blocks].what.ends_with("first or last time are others than the row says"), "{problems:?}");
        let problems = ingest.damaged(&format!("DELETE FROM hot_frame WHERE seq = {last}"), []).await;
        assert_eq!(problems.len(), in_blocks + 1);
        assert!(problems[in_blocks].what.contains(" lacks the frames "), "{problems:?}");
    }
}
