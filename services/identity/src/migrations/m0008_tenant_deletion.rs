//! When tenants were deleted and will be erased, what the erase ledger said last of each, and entries of the audit that may
//! be erased with them.

use armada_runtime::db::tenant_policy;
use sea_orm::{ConnectionTrait, DbBackend};
use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, boolean, string_null, uuid},
};

/// As the owner of the table, whom no right binds: services may erase what was entered of a tenant that is gone, and
/// nothing else; the chain of the platform is nobody's. The caller's transaction is in the scope of the platform, or
/// row-level security shows nothing. A temporary table of the caller's is never taken for one of these.
const ERASE: &str = "DO $make$ BEGIN EXECUTE format($with_schema$ \
    CREATE FUNCTION erase_audit(gone uuid, after_seq bigint, until_seq bigint) RETURNS bigint LANGUAGE plpgsql \
    SECURITY DEFINER SET search_path = %I, pg_temp AS $body$ \
    DECLARE count bigint; \
    BEGIN \
      IF EXISTS (SELECT FROM tenant WHERE id = gone) THEN RAISE EXCEPTION 'tenant %% is not gone', gone; END IF; \
      UPDATE audit_entry SET erased = true, actor_name = '', address = '', object_name = '', before = NULL, \
        after = NULL, search = E'\\n\\n\\n' || lower(act) \
        WHERE chain = gone AND tenant_id = gone AND seq > after_seq AND seq <= until_seq AND NOT erased; \
      GET DIAGNOSTICS count = ROW_COUNT; \
      RETURN count; \
    END $body$ $with_schema$, current_schema()); END $make$;";

/// The same for SQLite, which knows no rights: what else would change an entry is refused to everybody. One text, for one
/// connection: another one may remember the trigger that is gone.
pub(super) const ONLY_ERASED: &str = "DROP TRIGGER audit_entry_no_update; \
    CREATE TRIGGER audit_entry_no_update BEFORE UPDATE ON \"audit_entry\" \
    WHEN NOT (NEW.erased AND NOT OLD.erased \
      AND NEW.actor_name = '' AND NEW.address = '' AND NEW.object_name = '' \
      AND NEW.before IS NULL AND NEW.after IS NULL \
      AND NEW.id IS OLD.id AND NEW.chain IS OLD.chain AND NEW.seq IS OLD.seq AND NEW.at IS OLD.at \
      AND NEW.tenant_id IS OLD.tenant_id AND NEW.actor_id IS OLD.actor_id AND NEW.act IS OLD.act \
      AND NEW.object_kind IS OLD.object_kind AND NEW.object_id IS OLD.object_id \
      AND NEW.previous IS OLD.previous AND NEW.hash IS OLD.hash \
      AND OLD.tenant_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tenant WHERE id = OLD.tenant_id)) \
    BEGIN SELECT RAISE(ABORT, 'rows of audit_entry are only added'); END";

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    for column in ["deleted_at", "erase_after"] {
        let column = big_integer_null(column);
        manager.alter_table(Table::alter().table("tenant").add_column(column).to_owned()).await?;
    }
    let ledger = Table::create()
        .table("erasure")
        .col(uuid("tenant_id").primary_key())
        .col(big_integer("state"))
        .col(big_integer("deleted_at"))
        .col(big_integer("erase_after"))
        .col(string_null("actor_id"))
        .to_owned();
    manager.create_table(ledger).await?;
    let connection = manager.get_connection();
    let is_postgres = manager.get_database_backend() == DbBackend::Postgres;
    if is_postgres {
        connection.execute_unprepared(&tenant_policy("erasure")).await?;
    }
    let erased = boolean("erased").default(false).to_owned();
    manager.alter_table(Table::alter().table("audit_entry").add_column(erased).to_owned()).await?;
    let sql = if is_postgres { ERASE } else { ONLY_ERASED };
    connection.execute_unprepared(sql).await.map(drop)
}

/// Older programs leave the columns alone, and have no function to call.
pub(super) async fn down(_: &SchemaManager<'_>) -> Result<(), DbErr> {
    Ok(())
}
