use sea_orm_migration::{
    prelude::*,
    schema::{string, text},
};

/// How the fuel of a device is read.
#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let columns = [
            string("fuel_source").default("liter").take(),
            string("fuel_attribute").default("").take(),
            text("fuel_table").default("").take(),
        ];
        for column in columns {
            manager.alter_table(Table::alter().table("device").add_column(column).to_owned()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for name in ["fuel_source", "fuel_attribute", "fuel_table"] {
            manager.alter_table(Table::alter().table("device").drop_column(name).to_owned()).await?;
        }
        Ok(())
    }
}
