use sea_orm_migration::{prelude::*, schema::integer};

/// How much room the files of a tenant may take. Those that are there already get what new ones do.
#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = integer("storage_limit_mb").default(10_240).to_owned();
        manager.alter_table(Table::alter().table("tenant").add_column(column).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("tenant").drop_column("storage_limit_mb").to_owned()).await
    }
}
