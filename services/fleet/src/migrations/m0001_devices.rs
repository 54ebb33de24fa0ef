//! Devices, their members, what became of IMEIs, and the marks of what others cache.

use armada_runtime::{db::tenant_policy, outbox};
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, integer, string, text, uuid, uuid_null},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(device()).await?;
    manager.create_table(device_member()).await?;
    manager.create_table(imei_binding()).await?;
    outbox::create_table(manager).await?;
    let indexes = [
        Index::create().name("device_imei").table("device").col("imei").unique().to_owned(),
        Index::create().name("device_tenant").table("device").col("tenant_id").to_owned(),
        Index::create().name("device_member_user").table("device_member").col("user_id").to_owned(),
    ];
    for index in indexes {
        manager.create_index(index).await?;
    }
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        // `imei_binding` has no policy: a tenant's new binding begins where the last one ended, whosever that was.
        // Of another tenant's row only that instant is ever read.
        for table in ["device", "device_member"] {
            manager.get_connection().execute_unprepared(&tenant_policy(table)).await?;
        }
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    outbox::drop_table(manager).await?;
    for table in ["imei_binding", "device_member", "device"] {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    Ok(())
}

fn device() -> TableCreateStatement {
    Table::create()
        .table("device")
        .col(uuid("id").primary_key())
        .col(uuid("tenant_id"))
        .col(uuid_null("user_id"))
        .col(string("imei"))
        .col(string("name"))
        .col(string("sim_number"))
        .col(big_integer("max_parking_time"))
        .col(string("status"))
        .col(big_integer("bound_from"))
        .col(text("search"))
        .col(integer("row_version"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned()
}

fn device_member() -> TableCreateStatement {
    Table::create()
        .table("device_member")
        .col(uuid("device_id"))
        .col(uuid("user_id"))
        .col(uuid("tenant_id"))
        .col(string("role"))
        .col(big_integer("created_at"))
        .primary_key(Index::create().col("device_id").col("user_id"))
        .foreign_key(ForeignKey::create().from("device_member", "device_id").to("device", "id"))
        .to_owned()
}

fn imei_binding() -> TableCreateStatement {
    Table::create()
        .table("imei_binding")
        .col(string("imei"))
        .col(big_integer("bound_until"))
        .col(big_integer("bound_from"))
        .col(uuid("device_id"))
        .col(uuid("tenant_id"))
        .primary_key(Index::create().col("imei").col("bound_until"))
        .to_owned()
}
