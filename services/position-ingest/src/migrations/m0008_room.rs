//! Room that is not needed any more can be given back: on SQLite free pages, on PostgreSQL the slots that hot frames are in.

use sea_orm::DbBackend;
use sea_orm_migration::prelude::*;

/// Into how many tables PostgreSQL puts hot frames, by when they came, one after the other.
pub const HOT_SLOTS: i32 = 4;
/// For how long they go into one of them, milliseconds.
const SLOT_MS: i64 = 120_000;

pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    if manager.get_database_backend() == DbBackend::Postgres {
        connection.execute_unprepared(&slots()).await?;
        connection.execute_unprepared(GIVE_BACK).await?;
        connection.execute_unprepared(VACUUM_SOON).await?;
    } else {
        // The mode of a file with tables is only changed by writing it anew; this once there is little in it.
        connection.execute_unprepared("PRAGMA auto_vacuum = INCREMENTAL; VACUUM").await?;
    }
    Ok(())
}

/// Pages of SQLite can go on to be given back.
pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    if manager.get_database_backend() == DbBackend::Postgres {
        manager.get_connection().execute_unprepared(FORMER).await?;
    }
    Ok(())
}

/// What was deleted is free only once PostgreSQL has vacuumed, and the file stays as long as it was. A slot that is sealed
/// as a whole is emptied at once. The key of a slot is all there is: a frame is stored once, by whoever owns its partition.
fn slots() -> String {
    let mut sql = format!(
        "ALTER TABLE hot_frame RENAME TO hot_frame_former; \
         CREATE TABLE hot_frame (LIKE hot_frame_former) PARTITION BY LIST ((stream_ts / {SLOT_MS} % {HOT_SLOTS})); "
    );
    for slot in 0..HOT_SLOTS {
        // Blobs are compressed already.
        sql.push_str(&format!(
            "CREATE TABLE hot_frame_{slot} PARTITION OF hot_frame FOR VALUES IN ({slot}); \
             ALTER TABLE hot_frame_{slot} ALTER COLUMN data SET STORAGE EXTERNAL; \
             CREATE UNIQUE INDEX hot_frame_{slot}_key ON hot_frame_{slot} (\"partition\", seq); "
        ));
    }
    sql.push_str("INSERT INTO hot_frame SELECT * FROM hot_frame_former; DROP TABLE hot_frame_former;");
    sql
}

/// Empties a slot that nothing is in and that takes more than 128 kB. Services may not truncate tables: this is the
/// owner's, and truncates nothing but what is empty, as it sees once nobody else can write. It waits for nobody, since
/// everybody else would wait behind it.
const GIVE_BACK: &str = "DO $make$ BEGIN EXECUTE format($with_schema$ \
    CREATE FUNCTION hot_frame_give_back(slot integer) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER \
    SET search_path = %I, pg_temp AS $body$ \
    DECLARE name text := 'hot_frame_' || slot; used boolean; \
    BEGIN \
      IF pg_total_relation_size(name::regclass) < 131072 THEN RETURN false; END IF; \
      EXECUTE format('SELECT EXISTS (SELECT FROM %%I)', name) INTO used; \
      IF used THEN RETURN false; END IF; \
      EXECUTE format('LOCK TABLE %%I IN ACCESS EXCLUSIVE MODE NOWAIT', name); \
      EXECUTE format('SELECT EXISTS (SELECT FROM %%I)', name) INTO used; \
      IF used THEN RETURN false; END IF; \
      EXECUTE format('TRUNCATE %%I', name); \
      RETURN true; \
    EXCEPTION WHEN lock_not_available THEN RETURN false; \
    END $body$ $with_schema$, current_schema()); END $make$";

/// Blocks are merged all day long, and what they were merged from is to be used again soon.
const VACUUM_SOON: &str = "ALTER TABLE track_block SET \
    (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05)";

const FORMER: &str = "DROP FUNCTION hot_frame_give_back(integer); \
    ALTER TABLE track_block RESET (autovacuum_vacuum_scale_factor, toast.autovacuum_vacuum_scale_factor); \
    ALTER TABLE hot_frame RENAME TO hot_frame_in_slots; \
    CREATE TABLE hot_frame (LIKE hot_frame_in_slots, PRIMARY KEY (\"partition\", seq)); \
    ALTER TABLE hot_frame ALTER COLUMN data SET STORAGE EXTERNAL; \
    INSERT INTO hot_frame SELECT * FROM hot_frame_in_slots; \
    DROP TABLE hot_frame_in_slots";
