use sea_orm::DbBackend;
use sea_orm_migration::prelude::*;

/// With the state of a device is saved what its counters were when the day of its newest fix began, and its trips.
#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: [&str; 2] = ["today", "trips"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let (bytes, none) = match manager.get_database_backend() {
            DbBackend::Postgres => ("bytea", "''::bytea"),
            _ => ("blob", "x''"),
        };
        for name in COLUMNS {
            let sql = format!("ALTER TABLE device_state ADD COLUMN {name} {bytes} NOT NULL DEFAULT {none}");
            manager.get_connection().execute_unprepared(&sql).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for name in COLUMNS {
            manager.alter_table(Table::alter().table("device_state").drop_column(name).to_owned()).await?;
        }
        Ok(())
    }
}
