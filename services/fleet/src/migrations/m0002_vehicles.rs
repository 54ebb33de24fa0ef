//! What vehicle a device is in, and who usually drives it.

use sea_orm_migration::{prelude::*, schema::string};

const COLUMNS: [(&str, &str); 4] =
    [("icon_type", "car"), ("vehicle_code", ""), ("vehicle_type", ""), ("primary_driver", "")];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // One statement a column: SQLite takes no more.
    for (column, default) in COLUMNS {
        let added = Table::alter().table("device").add_column(string(column).default(default)).to_owned();
        manager.alter_table(added).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for (column, _) in COLUMNS {
        manager.alter_table(Table::alter().table("device").drop_column(column).to_owned()).await?;
    }
    Ok(())
}
