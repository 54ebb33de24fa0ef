//! Ownership and progress, hot frames, sealed blocks, states of devices, counts of what was refused.

use armada_runtime::db::tenant_policy;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, binary, integer, string, uuid},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(partition()).await?;
    manager.create_table(instance()).await?;
    manager.create_table(hot_frame()).await?;
    manager.create_table(track_block()).await?;
    manager.create_table(device_state()).await?;
    manager.create_table(rejection()).await?;
    // Sealing and compaction work on the blocks of one partition.
    let by_partition =
        Index::create().name("track_block_partition_day").table("track_block").col("partition").col("day").to_owned();
    manager.create_index(by_partition).await?;
    let states = Index::create().name("device_state_partition").table("device_state").col("partition").to_owned();
    manager.create_index(states).await?;
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        for table in ["track_block", "device_state"] {
            manager.get_connection().execute_unprepared(&tenant_policy(table)).await?;
        }
        // Blobs are compressed already.
        for (table, column) in [("hot_frame", "data"), ("track_block", "data")] {
            let sql = format!("ALTER TABLE {table} ALTER COLUMN {column} SET STORAGE EXTERNAL");
            manager.get_connection().execute_unprepared(&sql).await?;
        }
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in ["rejection", "device_state", "track_block", "hot_frame", "instance", "partition"] {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    Ok(())
}

fn partition() -> TableCreateStatement {
    Table::create()
        .table("partition")
        .col(integer("partition").primary_key())
        .col(string("owner"))
        .col(big_integer("lease_until"))
        .col(big_integer("epoch"))
        .col(big_integer("stream_created"))
        .col(big_integer("next_seq"))
        .col(big_integer("frame_seq"))
        .col(big_integer("published_seq"))
        .col(big_integer("checkpoint_seq"))
        .to_owned()
}

fn instance() -> TableCreateStatement {
    Table::create().table("instance").col(string("id").primary_key()).col(big_integer("alive_until")).to_owned()
}

fn hot_frame() -> TableCreateStatement {
    Table::create()
        .table("hot_frame")
        .col(integer("partition"))
        .col(big_integer("seq"))
        .col(big_integer("stream_seq"))
        .col(big_integer("stream_ts"))
        .col(integer("n"))
        .col(big_integer("t_min"))
        .col(big_integer("t_max"))
        .col(binary("data"))
        .primary_key(Index::create().col("partition").col("seq"))
        .to_owned()
}

fn track_block() -> TableCreateStatement {
    Table::create()
        .table("track_block")
        .col(uuid("tenant_id"))
        .col(uuid("device_id"))
        .col(integer("day"))
        .col(integer("partition"))
        .col(big_integer("seq"))
        .col(big_integer("t_start"))
        .col(big_integer("t_end"))
        .col(integer("n"))
        .col(binary("summary"))
        .col(binary("data"))
        .primary_key(Index::create().col("tenant_id").col("device_id").col("day").col("partition").col("seq"))
        .to_owned()
}

fn device_state() -> TableCreateStatement {
    Table::create()
        .table("device_state")
        .col(uuid("device_id").primary_key())
        .col(uuid("tenant_id"))
        .col(integer("partition"))
        .col(binary("state"))
        .col(binary("newest"))
        .to_owned()
}

fn rejection() -> TableCreateStatement {
    Table::create()
        .table("rejection")
        .col(integer("day"))
        .col(integer("partition"))
        .col(string("reason"))
        .col(big_integer("n"))
        .primary_key(Index::create().col("day").col("partition").col("reason"))
        .to_owned()
}
