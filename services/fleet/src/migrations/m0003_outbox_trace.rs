use armada_runtime::outbox;
use sea_orm_migration::prelude::*;

/// Marks of the outbox know when they were made and by which request.
#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        outbox::upgrade_table(manager).await
    }

    /// The columns may be empty, so older programs leave them alone.
    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Ok(())
    }
}
