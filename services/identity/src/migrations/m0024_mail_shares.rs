//! Whose share of the mail an email takes, and which goes out first; of what services asked for, what went to addresses of
//! nobody's account.

use sea_orm_migration::{
    prelude::*,
    schema::{boolean, uuid_null},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for (table, flag) in TABLES {
        for column in [uuid_null("share_of"), boolean(flag).default(false).to_owned()] {
            manager.alter_table(Table::alter().table(table).add_column(column).to_owned()).await?;
        }
    }
    let index = "CREATE INDEX mail_request_share ON mail_request (share_of, created_at)";
    manager.get_connection().execute_unprepared(index).await.map(drop)
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.get_connection().execute_unprepared("DROP INDEX mail_request_share").await?;
    for (table, flag) in TABLES {
        for column in ["share_of", flag] {
            manager.alter_table(Table::alter().table(table).drop_column(column).to_owned()).await?;
        }
    }
    Ok(())
}

const TABLES: [(&str, &str); 2] = [("mail", "is_urgent"), ("mail_request", "is_to_stranger")];
