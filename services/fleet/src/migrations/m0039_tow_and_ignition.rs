//! How far a vehicle must be moved to be towed, by its tenant and by itself, and whether its tracker is connected to the ignition.

use sea_orm_migration::{
    prelude::*,
    schema::{integer, integer_null, string},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let columns = [
        ("thresholds", integer("tow_distance").default(150).take()),
        ("device", integer_null("tow_distance").take()),
        ("device", string("ignition_wire").default("found").take()),
    ];
    for (table, column) in columns {
        manager.alter_table(Table::alter().table(table).add_column(column).to_owned()).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for (table, name) in [("thresholds", "tow_distance"), ("device", "tow_distance"), ("device", "ignition_wire")] {
        manager.alter_table(Table::alter().table(table).drop_column(name).to_owned()).await?;
    }
    Ok(())
}
