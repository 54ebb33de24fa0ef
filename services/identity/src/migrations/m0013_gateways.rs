//! Gateways: what publishes positions.

use armada_runtime::db::{search, tenant_policy};
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, boolean, integer, string, text, uuid, uuid_null},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(gateway()).await?;
    let by_tenant = Index::create().name("gateway_tenant").table("gateway").col("tenant_id").to_owned();
    manager.create_index(by_tenant).await?;
    search::create_index(manager, "gateway", "tenant_id").await?;
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        manager.get_connection().execute_unprepared(&tenant_policy("gateway")).await?;
    }
    manager.create_table(rejection()).await?;
    let removed = Table::create()
        .table("removed_gateway")
        .col(string("name_folded").primary_key())
        .col(string("name"))
        .col(uuid_null("former_tenant_id"))
        .to_owned();
    manager.create_table(removed).await?;
    let mut cut = Table::create();
    cut.table("gateway_cut").col(string("name").primary_key()).col(big_integer("since"));
    manager.create_table(cut).await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    search::drop_index(manager, "gateway").await?;
    for table in ["gateway_cut", "removed_gateway", "gateway_rejection", "gateway"] {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    Ok(())
}

fn gateway() -> TableCreateStatement {
    let to_tenant = ForeignKey::create()
        .from("gateway", "tenant_id")
        .to("tenant", "id")
        .on_delete(ForeignKeyAction::Cascade)
        .to_owned();
    Table::create()
        .table("gateway")
        .col(uuid("id").primary_key())
        .col(uuid_null("tenant_id"))
        .col(string("name"))
        .col(string("name_folded").unique_key())
        .col(boolean("enabled"))
        .col(text("allowed_addresses"))
        .col(text("notes"))
        .col(boolean("is_anonymous"))
        .col(string("secret_hash"))
        .col(big_integer_null("secret_created_at"))
        .col(big_integer_null("secret_used_at"))
        .col(string("previous_secret_hash"))
        .col(big_integer_null("previous_secret_used_at"))
        .col(big_integer_null("last_heard_at"))
        .col(big_integer("minute"))
        .col(big_integer("minute_fixes"))
        .col(big_integer("last_minute_fixes"))
        .col(text("search"))
        .col(integer("row_version"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .foreign_key(&mut to_tenant.clone())
        .to_owned()
}

fn rejection() -> TableCreateStatement {
    let to_gateway = ForeignKey::create()
        .from("gateway_rejection", "gateway_id")
        .to("gateway", "id")
        .on_delete(ForeignKeyAction::Cascade)
        .to_owned();
    Table::create()
        .table("gateway_rejection")
        .col(uuid("gateway_id"))
        .col(integer("day"))
        .col(string("reason"))
        .col(big_integer("count"))
        .primary_key(Index::create().col("gateway_id").col("day").col("reason"))
        .foreign_key(&mut to_gateway.clone())
        .to_owned()
}
