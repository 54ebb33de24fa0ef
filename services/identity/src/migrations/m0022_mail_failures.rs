//! Why an email could not be sent when that was tried last: the code of the mail server, or of the error; empty until then.

use sea_orm_migration::{prelude::*, schema::string};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let column = string("failure").default("").to_owned();
    manager.alter_table(Table::alter().table("mail").add_column(column).to_owned()).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.alter_table(Table::alter().table("mail").drop_column("failure").to_owned()).await
}
