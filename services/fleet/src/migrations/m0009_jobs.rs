use armada_runtime::jobs;
use sea_orm_migration::prelude::*;

/// Long acts on many things.
#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        jobs::create_tables(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        jobs::drop_tables(manager).await
    }
}
