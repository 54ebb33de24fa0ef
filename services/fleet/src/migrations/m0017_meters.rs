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
        let table = Table::create()
            .table("device_meter_day")
            .col(uuid("tenant_id"))
            .col(uuid("device_id"))
            .col(string("day"))
            .col(big_integer_null("odometer_m"))
            .col(big_integer_null("engine_s"))
            .col(big_integer("recorded_at"))
            .col(big_integer("updated_at"))
            .primary_key(Index::create().col("device_id").col("day"))
            .to_owned();
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
