//! The tables, for the migrations of a service.

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::{
    SchemaManager,
    prelude::{ForeignKey, ForeignKeyAction, Index, Table, TableCreateStatement},
    schema::{
        big_integer, big_integer_null, binary, binary_null, boolean, integer, integer_null, string, string_null,
        text_null, uuid, uuid_null,
    },
};

use crate::db::tenant_policy;

/// Makes the tables `job` and `job_item`, in a migration of a service.
pub async fn create_tables(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(job()).await?;
    manager.create_table(job_item()).await?;
    for sql in [
        // Two instances cannot run two jobs of one tenant, whenever they look.
        "CREATE UNIQUE INDEX job_running ON job (lane) WHERE status = 'running'",
        "CREATE INDEX job_waiting ON job (created_at) WHERE status IN ('queued', 'running')",
        "CREATE INDEX job_tenant ON job (tenant_id, created_at)",
        "CREATE INDEX job_creator ON job (created_by, created_at)",
        "CREATE INDEX job_finished ON job (finished_at) WHERE finished_at IS NOT NULL",
        "CREATE INDEX job_item_status ON job_item (job_id, status, position)",
        "CREATE INDEX job_item_tenant ON job_item (tenant_id)",
    ] {
        manager.get_connection().execute_unprepared(sql).await?;
    }
    if manager.get_database_backend() == DbBackend::Postgres {
        for table in ["job", "job_item"] {
            manager.get_connection().execute_unprepared(&tenant_policy(table)).await?;
        }
    }
    Ok(())
}

/// Adds to the table `job` whether its items are tried, and when it had its turn last, in a migration of a service.
pub async fn add_trials_and_turns(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for column in [string_null("trial"), big_integer("worked_at").default(0).to_owned()] {
        manager.alter_table(Table::alter().table("job").add_column(column).to_owned()).await?;
    }
    let index = "CREATE INDEX job_turn ON job (lane, worked_at)";
    manager.get_connection().execute_unprepared(index).await.map(drop)
}

/// Takes them away.
pub async fn remove_trials_and_turns(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.get_connection().execute_unprepared("DROP INDEX job_turn").await?;
    for column in ["trial", "worked_at"] {
        manager.alter_table(Table::alter().table("job").drop_column(column).to_owned()).await?;
    }
    Ok(())
}

/// Adds to the table `job` which one took back what another did, and whether all of its items are there, in a migration of a
/// service.
pub async fn add_undo_and_filling(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for column in [uuid_null("undo_id"), boolean("is_filled").default(true).to_owned()] {
        manager.alter_table(Table::alter().table("job").add_column(column).to_owned()).await?;
    }
    let index = "CREATE INDEX job_undone ON job (undo_id) WHERE undo_id IS NOT NULL";
    manager.get_connection().execute_unprepared(index).await.map(drop)
}

/// Takes them away.
pub async fn remove_undo_and_filling(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.get_connection().execute_unprepared("DROP INDEX job_undone").await?;
    for column in ["undo_id", "is_filled"] {
        manager.alter_table(Table::alter().table("job").drop_column(column).to_owned()).await?;
    }
    Ok(())
}

/// Removes them.
pub async fn drop_tables(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for table in ["job_item", "job"] {
        manager.drop_table(Table::drop().table(table).to_owned()).await?;
    }
    Ok(())
}

fn job() -> TableCreateStatement {
    Table::create()
        .table("job")
        .col(uuid("id").primary_key())
        .col(uuid_null("tenant_id"))
        .col(uuid("lane"))
        .col(string("kind"))
        .col(string("resource"))
        .col(string("action"))
        .col(string("method"))
        .col(binary("request"))
        .col(string("status"))
        .col(integer("total"))
        .col(integer("done"))
        .col(integer("failed"))
        .col(uuid("created_by"))
        .col(string_null("address"))
        .col(big_integer("created_at"))
        .col(big_integer_null("started_at"))
        .col(big_integer_null("finished_at"))
        .col(boolean("cancel_requested"))
        .col(binary_null("error"))
        .col(integer("epoch"))
        .col(big_integer("lease_until"))
        .to_owned()
}

fn job_item() -> TableCreateStatement {
    let mut of_job = ForeignKey::create();
    of_job.from("job_item", "job_id").to("job", "id").on_delete(ForeignKeyAction::Cascade);
    Table::create()
        .table("job_item")
        .col(uuid("job_id"))
        .col(integer("position"))
        .col(uuid_null("tenant_id"))
        .col(string("item_id"))
        .col(string("name"))
        .col(string("status"))
        .col(string_null("method"))
        .col(binary_null("request"))
        .col(integer_null("decided_in"))
        .col(text_null("before"))
        .col(binary_null("error"))
        .primary_key(Index::create().col("job_id").col("position"))
        .foreign_key(&mut of_job)
        .to_owned()
}
