use sea_orm_migration::{prelude::*, schema::boolean};

/// Whether a second person must agree before an engine is stopped.
#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = boolean("engine_stop_consent").default(false).to_owned();
        manager.alter_table(Table::alter().table("tenant").add_column(column).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("tenant").drop_column("engine_stop_consent").to_owned()).await
    }
}
