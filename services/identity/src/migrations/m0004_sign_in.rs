//! What stands between an address with a password and a session: failed attempts, second factors, links by mail; and
//! from where sessions are used.

use armada_runtime::db::tenant_policy;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_pk_auto, binary, binary_null, binary_uniq, boolean, integer, string, uuid, uuid_null},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // One statement a column: SQLite takes no more.
    for (table, column) in columns() {
        manager.alter_table(Table::alter().table(table).add_column(column).to_owned()).await?;
    }
    for table in [attempt(), second_factor(), recovery_code(), link(), mail()] {
        manager.create_table(table).await?;
    }
    let indexes = [
        Index::create().name("attempt_last").table("attempt").col("last_at").to_owned(),
        Index::create().name("recovery_code_user").table("recovery_code").col("user_id").to_owned(),
        Index::create().name("link_user").table("link").col("user_id").to_owned(),
        Index::create().name("mail_next").table("mail").col("next_at").to_owned(),
    ];
    for index in indexes {
        manager.create_index(index).await?;
    }
    let connection = manager.get_connection();
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        for table in ["second_factor", "recovery_code", "link"] {
            connection.execute_unprepared(&tenant_policy(table)).await?;
        }
        // Row-level security binds the owner of the tables too.
        connection.execute_unprepared("SELECT set_config('app.platform', 'on', false)").await?;
    }
    connection.execute_unprepared("UPDATE session SET last_used_at = rotated_at").await?;
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in ["mail", "link", "recovery_code", "second_factor", "attempt"] {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    for (table, column) in columns() {
        let name = column.get_column_name();
        manager.alter_table(Table::alter().table(table).drop_column(name).to_owned()).await?;
    }
    Ok(())
}

fn columns() -> [(&'static str, ColumnDef); 5] {
    [
        ("session", string("user_agent").default("").to_owned()),
        ("session", string("address").default("").to_owned()),
        ("session", big_integer("last_used_at").default(0).to_owned()),
        ("user", boolean("has_totp").default(false).to_owned()),
        ("tenant", string("tax_number").default("").to_owned()),
    ]
}

fn attempt() -> TableCreateStatement {
    Table::create()
        .table("attempt")
        .col(binary("key").primary_key())
        .col(integer("failures"))
        .col(big_integer("last_at"))
        .to_owned()
}

fn second_factor() -> TableCreateStatement {
    Table::create()
        .table("second_factor")
        .col(uuid("user_id").primary_key())
        .col(uuid_null("tenant_id"))
        .col(binary_null("secret"))
        .col(binary_null("pending"))
        .col(big_integer("last_step"))
        .foreign_key(&mut with_user("second_factor"))
        .to_owned()
}

fn recovery_code() -> TableCreateStatement {
    Table::create()
        .table("recovery_code")
        .col(uuid("id").primary_key())
        .col(uuid("user_id"))
        .col(uuid_null("tenant_id"))
        .col(binary("hash"))
        .foreign_key(&mut with_user("recovery_code"))
        .to_owned()
}

fn link() -> TableCreateStatement {
    Table::create()
        .table("link")
        .col(uuid("id").primary_key())
        .col(uuid("user_id"))
        .col(uuid_null("tenant_id"))
        .col(string("purpose"))
        .col(binary_uniq("hash"))
        .col(big_integer("created_at"))
        .col(big_integer("expires_at"))
        .foreign_key(&mut with_user("link"))
        .to_owned()
}

fn mail() -> TableCreateStatement {
    Table::create()
        .table("mail")
        .col(big_pk_auto("id"))
        .col(binary("letter"))
        .col(integer("attempts"))
        .col(big_integer("created_at"))
        .col(big_integer("next_at"))
        .to_owned()
}

/// What belongs to a user goes with them.
fn with_user(table: &'static str) -> ForeignKeyCreateStatement {
    ForeignKey::create().from(table, "user_id").to("user", "id").on_delete(ForeignKeyAction::Cascade).to_owned()
}
