use sea_orm_migration::{prelude::*, schema::integer};

/// For how many days the positions of a tenant are kept; 0 for ever.
#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = integer("history_days").default(0).to_owned();
        manager.alter_table(Table::alter().table("tenant").add_column(column).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("tenant").drop_column("history_days").to_owned()).await
    }
}
