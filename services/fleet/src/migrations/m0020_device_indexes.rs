//! The lists of a large tenant are counted and sorted from indexes of the devices that are there, neither deleted nor of a
//! deleted tenant: counting the rows themselves takes five times as long.

use sea_orm_migration::prelude::*;

const IS_THERE: &str = "hidden_at IS NULL AND deleted_at IS NULL";
/// What lists are narrowed by, and most devices name one of.
const FILTERED: [&str; 6] =
    ["gps_brand_id", "gps_model_id", "vehicle_brand_id", "vehicle_model_id", "vehicle_status_id", "warehouse_id"];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut indexes = vec![
        format!("CREATE INDEX device_there ON device (tenant_id) WHERE {IS_THERE}"),
        format!("CREATE INDEX device_there_updated_at ON device (tenant_id, updated_at, id) WHERE {IS_THERE}"),
    ];
    indexes.extend(FILTERED.map(|column| {
        format!(
            "CREATE INDEX device_there_{column} ON device (tenant_id, {column}, name_folded, id) \
             WHERE {IS_THERE} AND {column} IS NOT NULL"
        )
    }));
    for sql in indexes {
        manager.get_connection().execute_unprepared(&sql).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let names = ["updated_at"].into_iter().chain(FILTERED).map(|column| format!("device_there_{column}"));
    for name in names.chain(["device_there".to_owned()]) {
        manager.drop_index(Index::drop().table("device").name(name).to_owned()).await?;
    }
    Ok(())
}
