use sea_orm_migration::{prelude::*, schema::boolean};

/// Which tenant is the demonstration's.
#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let added = Table::alter().table("tenant").add_column(boolean("is_demo").default(false)).to_owned();
        manager.alter_table(added).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("tenant").drop_column("is_demo").to_owned()).await
    }
}
