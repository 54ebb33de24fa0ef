//! Devices are sorted by texts that the program has folded, and found by an index.

use armada_runtime::{
    db::{folded, search},
    outbox,
};
use sea_orm_migration::{prelude::*, schema::string};

const FOLDED: [(&str, &str); 3] =
    [("name", "name_folded"), ("vehicle_code", "vehicle_code_folded"), ("primary_driver", "primary_driver_folded")];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // One statement a column: SQLite takes no more.
    for (_, column) in FOLDED {
        let added = Table::alter().table("device").add_column(string(column).default("")).to_owned();
        manager.alter_table(added).await?;
    }
    let columns = [&FOLDED[..], &[("search", "search")]].concat();
    folded::fill(manager, "device", &columns).await?;
    manager.drop_index(Index::drop().table("device").name("device_tenant_name").to_owned()).await?;
    let by_name = Index::create().name("device_tenant_name").table("device").to_owned();
    manager.create_index(by_name.clone().col("tenant_id").col("name_folded").col("id").to_owned()).await?;
    search::create_index(manager, "device", "tenant_id").await?;
    outbox::upgrade_table(manager).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    search::drop_index(manager, "device").await?;
    manager.drop_index(Index::drop().table("device").name("device_tenant_name").to_owned()).await?;
    let sql = "CREATE INDEX device_tenant_name ON device (tenant_id, lower(name), id)";
    manager.get_connection().execute_unprepared(sql).await?;
    for (_, column) in FOLDED {
        manager.alter_table(Table::alter().table("device").drop_column(column).to_owned()).await?;
    }
    Ok(())
}
