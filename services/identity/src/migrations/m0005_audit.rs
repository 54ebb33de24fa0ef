//! The audit, and identity's own acts on their way to it.

use armada_runtime::{
    audit,
    db::{make_append_only, tenant_policy},
};
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, binary, string, text, text_null, uuid, uuid_null},
};

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    audit::create_table(manager).await?;
    manager.create_table(entry()).await?;
    manager.create_table(head()).await?;
    let index = |name: &str| Index::create().name(name).table("audit_entry").to_owned();
    let indexes = [
        index("audit_entry_chain").col("chain").col("seq").unique().to_owned(),
        index("audit_entry_at").col("at").col("id").to_owned(),
        index("audit_entry_tenant").col("tenant_id").col("at").col("id").to_owned(),
        index("audit_entry_actor").col("actor_id").col("at").to_owned(),
        index("audit_entry_object").col("object_kind").col("object_id").col("at").to_owned(),
    ];
    for index in indexes {
        manager.create_index(index).await?;
    }
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        for table in ["audit_entry", "audit_head"] {
            manager.get_connection().execute_unprepared(&tenant_policy(table)).await?;
        }
    }
    make_append_only(manager, "audit_entry").await
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in ["audit_head", "audit_entry"] {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    audit::drop_table(manager).await
}

fn entry() -> TableCreateStatement {
    Table::create()
        .table("audit_entry")
        .col(uuid("id").primary_key())
        .col(uuid("chain"))
        .col(big_integer("seq"))
        .col(big_integer("at"))
        .col(uuid_null("tenant_id"))
        .col(uuid_null("actor_id"))
        .col(text("actor_name"))
        .col(string("address"))
        .col(string("act"))
        .col(string("object_kind"))
        .col(text("object_id"))
        .col(text("object_name"))
        .col(text_null("before"))
        .col(text_null("after"))
        .col(binary("previous"))
        .col(binary("hash"))
        .col(text("search"))
        .to_owned()
}

fn head() -> TableCreateStatement {
    Table::create()
        .table("audit_head")
        .col(uuid("chain").primary_key())
        .col(uuid_null("tenant_id"))
        .col(big_integer("seq"))
        .col(binary("hash"))
        .to_owned()
}
