use armada_runtime::db::tenant_policy;
use sea_orm::DbBackend;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, string, uuid},
};

/// What the meters of vehicles showed, day by day.
#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut table = Table::create();
        table.table("device_meter_day").col(uuid("device_id")).col(string("day")).col(uuid("tenant_id"));
        for name in ["odometer_m", "distance_m", "engine_s", "device_engine_s", "first_distance_m", "first_engine_s"] {
            table.col(big_integer_null(name));
        }
        table.col(big_integer("recorded_at")).col(big_integer("first_recorded_at").default(0));
        table.col(big_integer("updated_at")).primary_key(Index::create().col("device_id").col("day"));
        manager.create_table(table).await?;
        if manager.get_database_backend() == DbBackend::Postgres {
            manager.get_connection().execute_unprepared(&tenant_policy("device_meter_day")).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("device_meter_day").to_owned()).await
    }
}
