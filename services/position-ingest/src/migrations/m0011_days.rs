use sea_orm::DbBackend;
use sea_orm_migration::prelude::*;

/// What the counters of a device were when the day of its newest fix began is saved with its state.
#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let (bytes, none) = match manager.get_database_backend() {
            DbBackend::Postgres => ("bytea", "''::bytea"),
            _ => ("blob", "x''"),
        };
        let sql = format!("ALTER TABLE device_state ADD COLUMN today {bytes} NOT NULL DEFAULT {none}");
        manager.get_connection().execute_unprepared(&sql).await.map(drop)
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("device_state").drop_column("today").to_owned()).await
    }
}
