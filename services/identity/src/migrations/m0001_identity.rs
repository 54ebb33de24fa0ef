//! Tenants, users, sessions, and the keys that sign tokens.

use armada_runtime::db::{tenant_policy, tenant_policy_on};
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, binary, boolean, integer, integer_uniq, string, text, uuid, uuid_null},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(tenant()).await?;
    manager.create_table(user()).await?;
    manager.create_table(session()).await?;
    manager.create_table(signing_key()).await?;
    let indexes = [
        Index::create().name("user_email").table("user").col("email").unique().to_owned(),
        Index::create().name("user_tenant").table("user").col("tenant_id").to_owned(),
        Index::create().name("session_user").table("session").col("user_id").to_owned(),
        Index::create().name("session_tenant").table("session").col("tenant_id").to_owned(),
        Index::create().name("session_expires").table("session").col("expires_at").to_owned(),
    ];
    for index in indexes {
        manager.create_index(index).await?;
    }
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        // Rows without a tenant, those of platform owners, are in the scope of the platform alone.
        for policy in [tenant_policy_on("tenant", "id"), tenant_policy("user"), tenant_policy("session")] {
            manager.get_connection().execute_unprepared(&policy).await?;
        }
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in ["signing_key", "session", "user", "tenant"] {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    Ok(())
}

fn tenant() -> TableCreateStatement {
    Table::create()
        .table("tenant")
        .col(uuid("id").primary_key())
        .col(string("name"))
        .col(text("description"))
        .col(string("time_zone"))
        .col(boolean("active"))
        .col(text("search"))
        .col(integer("row_version"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .to_owned()
}

fn user() -> TableCreateStatement {
    Table::create()
        .table("user")
        .col(uuid("id").primary_key())
        .col(uuid_null("tenant_id"))
        .col(string("name"))
        .col(string("email"))
        .col(string("phone"))
        .col(string("password_hash"))
        .col(boolean("is_platform_owner"))
        .col(boolean("is_tenant_admin"))
        .col(boolean("is_active"))
        .col(integer("policy_version"))
        .col(big_integer_null("last_login"))
        .col(text("search"))
        .col(integer("row_version"))
        .col(big_integer("created_at"))
        .col(big_integer("updated_at"))
        .foreign_key(ForeignKey::create().from("user", "tenant_id").to("tenant", "id"))
        .to_owned()
}

fn session() -> TableCreateStatement {
    Table::create()
        .table("session")
        .col(uuid("id").primary_key())
        .col(uuid("user_id"))
        .col(uuid_null("tenant_id"))
        .col(binary("current_hash"))
        .col(binary("previous_hash"))
        .col(binary("salt"))
        .col(big_integer("rotated_at"))
        .col(big_integer("created_at"))
        .col(big_integer("expires_at"))
        .foreign_key(
            ForeignKey::create().from("session", "user_id").to("user", "id").on_delete(ForeignKeyAction::Cascade),
        )
        .to_owned()
}

fn signing_key() -> TableCreateStatement {
    Table::create()
        .table("signing_key")
        .col(string("kid").primary_key())
        .col(integer_uniq("generation"))
        .col(binary("seed"))
        .col(big_integer("created_at"))
        .to_owned()
}
