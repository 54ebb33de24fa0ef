use sea_orm_migration::{prelude::*, schema::integer};

/// How fast a vehicle may go.
#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = integer("speed_limit").default(0).to_owned();
        manager.alter_table(Table::alter().table("device").add_column(column).to_owned()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("device").drop_column("speed_limit").to_owned()).await
    }
}
