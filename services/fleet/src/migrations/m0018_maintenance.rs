//! Maintenance of vehicles, what was completed of it, and emails about it on their way.

use armada_runtime::db::{search, tenant_policy};
use sea_orm::DbBackend;
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, binary, boolean, integer, string, text, uuid, uuid_null},
};

const TABLES: [&str; 3] = ["maintenance", "maintenance_log", "maintenance_mail"];
const TEXTS: &str = "device_name device_name_folded vehicle_code name name_folded status status_folded priority \
                     priority_folded trigger_mode due_date notification_emails detail last_done_on soon_on due_on \
                     overdue_on metered_on expected_on next_look_on";
const NUMBERS: &str = "due_odometer due_engine_hours lead_days lead_odometer lead_engine_hours interval_days \
                       interval_odometer interval_engine_hours occurrence announced row_version";
const LARGE_NUMBERS: &str =
    "soon_m due_m overdue_m soon_s due_s overdue_s odometer_m engine_s metered_at look_after created_at updated_at";
const LOG_TEXTS: &str = "device_name device_name_folded vehicle_code name name_folded done_on currency vendor vendor_folded parts notes due_date";
const LOG_NUMBERS: &str = "odometer engine_hours due_odometer due_engine_hours row_version";
const INDEXES: [&str; 10] = [
    "CREATE INDEX maintenance_expected ON maintenance (tenant_id, expected_on)",
    "CREATE INDEX maintenance_device ON maintenance (device_id)",
    "CREATE INDEX maintenance_next_look ON maintenance (next_look_on) WHERE next_look_on <> ''",
    "CREATE INDEX maintenance_created ON maintenance (tenant_id, created_at)",
    "CREATE INDEX maintenance_log_done ON maintenance_log (tenant_id, done_on)",
    "CREATE INDEX maintenance_log_device ON maintenance_log (device_id, done_on)",
    "CREATE INDEX maintenance_log_maintenance ON maintenance_log (maintenance_id) WHERE maintenance_id IS NOT NULL",
    "CREATE INDEX maintenance_log_report ON maintenance_log (report_at) WHERE report_at IS NOT NULL",
    "CREATE INDEX maintenance_mail_created ON maintenance_mail (created_at)",
    "CREATE INDEX file_maintenance_log ON file (maintenance_log_id) WHERE maintenance_log_id IS NOT NULL",
];

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in [maintenance(), log(), mail()] {
        manager.create_table(table).await?;
    }
    let naming = Table::alter().table("file").add_column(uuid_null("maintenance_log_id")).to_owned();
    manager.alter_table(naming).await?;
    let connection = manager.get_connection();
    for index in INDEXES {
        connection.execute_unprepared(index).await?;
    }
    for table in ["maintenance", "maintenance_log"] {
        search::create_index(manager, table, "tenant_id").await?;
    }
    if manager.get_database_backend() == DbBackend::Postgres {
        for table in TABLES {
            connection.execute_unprepared(&tenant_policy(table)).await?;
        }
    }
    Ok(())
}

pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in ["maintenance", "maintenance_log"] {
        search::drop_index(manager, table).await?;
    }
    for table in TABLES {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    manager.drop_index(Index::drop().table("file").name("file_maintenance_log").to_owned()).await?;
    manager.alter_table(Table::alter().table("file").drop_column("maintenance_log_id").to_owned()).await
}

fn maintenance() -> TableCreateStatement {
    let mut table = Table::create();
    table.table("maintenance").col(uuid("id").primary_key()).col(uuid("tenant_id")).col(uuid("device_id"));
    TEXTS.split(' ').for_each(|name| _ = table.col(string(name)));
    NUMBERS.split(' ').for_each(|name| _ = table.col(integer(name)));
    LARGE_NUMBERS.split(' ').for_each(|name| _ = table.col(big_integer(name)));
    let flags = ["auto_generate_report", "paused", "is_done", "is_forecast"];
    flags.into_iter().for_each(|name| _ = table.col(boolean(name)));
    table.col(text("search")).col(big_integer_null("hidden_at")).to_owned()
}

fn log() -> TableCreateStatement {
    let mut table = Table::create();
    table.table("maintenance_log").col(uuid("id").primary_key()).col(uuid("tenant_id")).col(uuid("device_id"));
    LOG_TEXTS.split(' ').for_each(|name| _ = table.col(string(name)));
    LOG_NUMBERS.split(' ').for_each(|name| _ = table.col(integer(name)));
    ["cost", "created_at", "updated_at"].into_iter().for_each(|name| _ = table.col(big_integer(name)));
    table.col(uuid_null("maintenance_id")).col(boolean("is_late")).col(big_integer_null("report_at"));
    table.col(text("search")).col(big_integer_null("hidden_at")).to_owned()
}

fn mail() -> TableCreateStatement {
    Table::create()
        .table("maintenance_mail")
        .col(string("id").primary_key())
        .col(uuid("tenant_id"))
        .col(binary("mail"))
        .col(big_integer("created_at"))
        .to_owned()
}
