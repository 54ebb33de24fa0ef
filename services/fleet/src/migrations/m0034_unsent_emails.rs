//! Which emails about maintenance did not go out.

use sea_orm_migration::{prelude::*, schema::big_integer_null};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let refused = big_integer_null("refused_at");
    manager.alter_table(Table::alter().table("maintenance_mail").add_column(refused).to_owned()).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let dropped = Table::alter().table("maintenance_mail").drop_column("refused_at").to_owned();
    manager.alter_table(dropped).await
}
