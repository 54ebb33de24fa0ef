//! What is stored by an older program stays.

use armada_position_ingest::{Migrator, NAME};
use armada_runtime::Scope;
use armada_testkit::both_databases;
use sea_orm::{ConnectionTrait, Statement, Value};
use sea_orm_migration::{MigrationTrait, MigratorTrait};
use uuid::Uuid;

/// The schema before what is to be sealed was noted.
struct Former;

impl MigratorTrait for Former {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        Migrator::migrations().into_iter().take(2).collect()
    }
}

both_databases! {
    async fn migration_keeps_stored_history(world: World) {
        let db = world.database(NAME).await;
        db.migrate::<Former>(NAME).await.expect("the former schema");
        let (tenant, device) = (Uuid::now_v7(), Uuid::now_v7());
        let tx = db.write(&Scope::Platform).await.expect("a transaction");
        let blob = |byte: u8| Value::from(vec![byte]);
        let statements: [(&str, Vec<Value>); 4] = [
            ("INSERT INTO partition VALUES (3, '', 0, 0, 0, 1, 0, 0, 0)", vec![]),
            ("INSERT INTO erased_tenant VALUES ($1, 7)", vec![tenant.into()]),
            ("INSERT INTO device_state VALUES ($1, $2, 3, $3, $4)", vec![device.into(), tenant.into(), blob(1), blob(2)]),
            ("INSERT INTO track_block VALUES ($1, $2, 20000, 3, 1, 0, 1, 1, $3, $4)",
                vec![tenant.into(), device.into(), blob(1), blob(2)]),
        ];
        for (sql, values) in statements {
            tx.execute_raw(Statement::from_sql_and_values(db.backend(), sql, values)).await.expect(sql);
        }
        tx.commit().await.expect("it is stored");

        db.migrate::<Migrator>(NAME).await.expect("the present schema");
        let tx = db.read(&Scope::Platform).await.expect("a transaction");
        let counted = async |sql: &str| {
            let row = tx.query_one_raw(Statement::from_string(db.backend(), sql)).await.expect("counts");
            row.expect("a row").try_get_by_index::<i64>(0).expect("a number")
        };
        assert_eq!(counted("SELECT count(*) FROM device_state WHERE partition = 3").await, 1);
        assert_eq!(counted("SELECT count(*) FROM compaction_backlog WHERE partition = 3 AND day = 20000").await, 1);
        assert_eq!(counted("SELECT count(*) FROM erasure_pending WHERE partition = 3 AND erased_at = 7").await, 1);
    }
}
