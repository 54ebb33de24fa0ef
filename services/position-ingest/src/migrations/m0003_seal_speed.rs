//! What sealing, erasing and reading look up instead of going through all history: which days got blocks, which
//! partitions may still hold something of an erased tenant, and in which partitions a device has been.

use armada_runtime::db::tenant_policy;
use sea_orm::DbBackend;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, integer, uuid},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    if manager.get_database_backend() == DbBackend::Postgres {
        // The policies bind the owner too: without a scope, what is there would not be seen.
        let platform = "SELECT set_config('app.platform', 'on', true)";
        manager.get_connection().execute_unprepared(platform).await?;
    }
    compaction(manager).await?;
    states(manager).await?;
    erasures(manager).await
}

/// The states keep their key: a device that has been in two partitions has two rows by now.
pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.get_connection().execute_unprepared("DROP INDEX device_state_tenant").await?;
    for table in ["compaction_backlog", "erasure_pending"] {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    manager.get_connection().execute_unprepared("DROP INDEX track_block_partition_day_device").await?;
    let former =
        Index::create().name("track_block_partition_day").table("track_block").col("partition").col("day").to_owned();
    manager.create_index(former).await
}

/// The blocks of one day are counted in the index alone, in its order. All days there are have to be looked at once.
async fn compaction(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.get_connection().execute_unprepared("DROP INDEX track_block_partition_day").await?;
    let by_day = Index::create()
        .name("track_block_partition_day_device")
        .table("track_block")
        .col("partition")
        .col("day")
        .col("tenant_id")
        .col("device_id")
        .to_owned();
    manager.create_index(by_day).await?;
    let backlog = Table::create()
        .table("compaction_backlog")
        .col(integer("partition"))
        .col(integer("day"))
        .primary_key(Index::create().col("partition").col("day"))
        .to_owned();
    manager.create_table(backlog).await?;
    let fill = "INSERT INTO compaction_backlog (partition, day) SELECT DISTINCT partition, day FROM track_block";
    manager.get_connection().execute_unprepared(fill).await?;
    Ok(())
}

const NEW_KEY_ON_SQLITE: &str = r#"
CREATE TABLE device_state_by_partition (
  "device_id" uuid_text NOT NULL, "tenant_id" uuid_text NOT NULL, "partition" integer NOT NULL,
  "state" blob NOT NULL, "newest" blob NOT NULL, PRIMARY KEY ("device_id", "partition")
);
INSERT INTO device_state_by_partition ("device_id", "tenant_id", "partition", "state", "newest")
  SELECT "device_id", "tenant_id", "partition", "state", "newest" FROM device_state;
DROP TABLE device_state;
ALTER TABLE device_state_by_partition RENAME TO device_state;
CREATE INDEX device_state_partition ON device_state ("partition");
"#;

/// One row for each partition that a device has been in, and an index for what removes a tenant.
async fn states(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    if manager.get_database_backend() == DbBackend::Postgres {
        let sql = "ALTER TABLE device_state DROP CONSTRAINT device_state_pkey, ADD PRIMARY KEY (device_id, partition)";
        connection.execute_unprepared(sql).await?;
    } else {
        // SQLite cannot change a key. All at once and on one connection: others may not know yet what is gone.
        connection.execute_unprepared(NEW_KEY_ON_SQLITE).await?;
    }
    let by_tenant = Index::create().name("device_state_tenant").table("device_state").col("tenant_id").to_owned();
    manager.create_index(by_tenant).await
}

async fn erasures(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let pending = Table::create()
        .table("erasure_pending")
        .col(integer("partition"))
        .col(uuid("tenant_id"))
        .col(big_integer("erased_at"))
        .primary_key(Index::create().col("partition").col("tenant_id"))
        .to_owned();
    manager.create_table(pending).await?;
    let connection = manager.get_connection();
    let fill = "INSERT INTO erasure_pending (partition, tenant_id, erased_at) \
                SELECT partition, tenant_id, erased_at FROM partition CROSS JOIN erased_tenant";
    connection.execute_unprepared(fill).await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        connection.execute_unprepared(&tenant_policy("erasure_pending")).await?;
    }
    Ok(())
}
