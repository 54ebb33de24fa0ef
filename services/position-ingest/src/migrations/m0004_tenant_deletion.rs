use armada_runtime::audit;
use sea_orm_migration::prelude::*;

/// That tenants were erased, on its way to the audit.
#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        audit::create_table(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        audit::drop_table(manager).await
    }
}
