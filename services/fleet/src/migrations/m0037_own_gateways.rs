//! Whose identifier can be guessed has it for the gateways of its tenant alone, until a platform owner says otherwise.

use sea_orm_migration::{prelude::*, schema::boolean};

const TABLES: [&str; 2] = ["device", "imei_binding"];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in TABLES {
        let column = boolean("own_gateways").default(false).to_owned();
        manager.alter_table(Table::alter().table(table).add_column(column).to_owned()).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in TABLES {
        manager.alter_table(Table::alter().table(table).drop_column("own_gateways").to_owned()).await?;
    }
    Ok(())
}
