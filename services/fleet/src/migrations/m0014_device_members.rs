//! Links of users to devices get ids and versions of their own, and may end.

use armada_runtime::db::{search, tenant_policy};
use sea_orm::DbBackend;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, integer, string, text, uuid},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    if manager.get_database_backend() == DbBackend::Postgres {
        // Row-level security binds the owner of the tables too.
        connection.execute_unprepared("SELECT set_config('app.platform', 'on', false)").await?;
    }
    let rename = Table::rename().table("device_member", "former_device_member").to_owned();
    manager.rename_table(rename).await?;
    manager.drop_index(Index::drop().table("former_device_member").name("device_member_user").to_owned()).await?;
    manager.create_table(device_member()).await?;
    connection.execute_unprepared(&take_over(manager.get_database_backend())).await?;
    manager.drop_table(Table::drop().table("former_device_member").to_owned()).await?;
    for (name, columns) in [
        ("device_member_device_user", ["device_id", "user_id"].as_slice()),
        ("device_member_user", &["user_id", "device_id"]),
        ("device_member_name", &["tenant_id", "device_name_folded", "id"]),
        ("device_member_created", &["tenant_id", "created_at", "id"]),
    ] {
        let mut index = Index::create();
        index.name(name).table("device_member");
        columns.iter().for_each(|column| _ = index.col(*column));
        if name == "device_member_device_user" {
            index.unique();
        }
        manager.create_index(index.to_owned()).await?;
    }
    search::create_index(manager, "device_member", "tenant_id").await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        connection.execute_unprepared(&tenant_policy("device_member")).await?;
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    search::drop_index(manager, "device_member").await?;
    let connection = manager.get_connection();
    connection.execute_unprepared("DELETE FROM device_member WHERE ends_at IS NOT NULL").await?;
    for index in ["device_member_device_user", "device_member_name", "device_member_created"] {
        manager.drop_index(Index::drop().table("device_member").name(index).to_owned()).await?;
    }
    for column in ["ends_on", "ends_at", "device_name_folded", "search", "row_version", "updated_at"] {
        manager.alter_table(Table::alter().table("device_member").drop_column(column).to_owned()).await?;
    }
    Ok(())
}

fn device_member() -> TableCreateStatement {
    Table::create()
        .table("device_member")
        .col(uuid("id").primary_key())
        .col(uuid("tenant_id"))
        .col(uuid("device_id"))
        .col(uuid("user_id"))
        .col(string("role"))
        .col(string("ends_on"))
        .col(big_integer_null("ends_at"))
        .col(string("device_name_folded"))
        .col(text("search"))
        .col(integer("row_version"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .foreign_key(ForeignKey::create().from("device_member", "device_id").to("device", "id"))
        .to_owned()
}

/// The links that there are. A random id is one of version 4 in all but the bits that say so.
fn take_over(backend: DbBackend) -> String {
    let random_id = if backend == DbBackend::Postgres { "gen_random_uuid()" } else { "randomblob(16)" };
    format!(
        "INSERT INTO device_member (id, tenant_id, device_id, user_id, role, ends_on, ends_at, device_name_folded, \
             search, row_version, created_at, updated_at) \
         SELECT {random_id}, m.tenant_id, m.device_id, m.user_id, m.role, '', NULL, d.name_folded, \
             d.name_folded || '\n' || d.vehicle_code_folded || '\n' || d.imei, 1, m.created_at, m.created_at \
         FROM former_device_member m JOIN device d ON d.id = m.device_id"
    )
}
