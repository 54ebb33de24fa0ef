//! Whose tracker it is: an IMEI may be named by devices of several tenants, and is bound to one of them at most.

use armada_runtime::db::{search, tenant_policy};
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, integer, string, text, uuid, uuid_null},
};

/// Both databases know an index over a part of a table. Who has an IMEI is one; within a tenant each is named once.
const INDEXES: [&str; 6] = [
    "CREATE UNIQUE INDEX device_imei_bound ON device (imei) WHERE imei_status = 'bound'",
    "CREATE UNIQUE INDEX device_tenant_imei ON device (tenant_id, imei)",
    "CREATE INDEX imei_claim_imei ON imei_claim (imei)",
    "CREATE INDEX imei_claim_device ON imei_claim (device_id)",
    "CREATE INDEX imei_claim_status ON imei_claim (status, claimed_at, id)",
    "CREATE INDEX imei_assignment_tenant ON imei_assignment (tenant_id)",
];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let status = string("imei_status").default("bound").to_owned();
    for column in [status, text("imei_reason").default("").to_owned()] {
        manager.alter_table(Table::alter().table("device").add_column(column).to_owned()).await?;
    }
    manager.drop_index(Index::drop().table("device").name("device_imei").to_owned()).await?;
    for table in [claim(), assignment()] {
        manager.create_table(table).await?;
    }
    let connection = manager.get_connection();
    for index in INDEXES {
        connection.execute_unprepared(index).await?;
    }
    search::create_index(manager, "imei_claim", "tenant_id").await?;
    if manager.get_database_backend() == sea_orm::DbBackend::Postgres {
        for table in ["imei_claim", "imei_assignment"] {
            connection.execute_unprepared(&tenant_policy(table)).await?;
        }
    }
    Ok(())
}

/// Fails where two devices name one IMEI: which of them would be kept is for people to say.
pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for index in ["device_imei_bound", "device_tenant_imei"] {
        manager.drop_index(Index::drop().table("device").name(index).to_owned()).await?;
    }
    let unique = Index::create().name("device_imei").table("device").col("imei").unique().to_owned();
    manager.create_index(unique).await?;
    for column in ["imei_status", "imei_reason"] {
        manager.alter_table(Table::alter().table("device").drop_column(column).to_owned()).await?;
    }
    search::drop_index(manager, "imei_claim").await?;
    for table in ["imei_assignment", "imei_claim"] {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    Ok(())
}

fn claim() -> TableCreateStatement {
    Table::create()
        .table("imei_claim")
        .col(uuid("id").primary_key())
        .col(uuid("tenant_id"))
        .col(uuid("device_id"))
        .col(string("device_name"))
        .col(string("device_name_folded"))
        .col(string("imei"))
        .col(string("status"))
        .col(text("reason"))
        .col(uuid_null("claimed_by"))
        .col(big_integer("claimed_at"))
        .col(uuid_null("decided_by"))
        .col(big_integer_null("decided_at"))
        .col(text("search"))
        .col(integer("row_version"))
        .to_owned()
}

fn assignment() -> TableCreateStatement {
    Table::create()
        .table("imei_assignment")
        .col(string("imei").primary_key())
        .col(uuid("tenant_id"))
        .col(big_integer("created_at"))
        .to_owned()
}
