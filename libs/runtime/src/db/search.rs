//! An index of every three characters in a row of the column `search`, so that a search does not read every row.
//!
//! SQLite has it in a virtual table of FTS5 with the tokenizer `trigram`. PostgreSQL has it in an index of `pg_trgm`,
//! but a condition that row-level security does not know to be harmless is only looked at after the policy, and then no
//! index serves it. So a function of the tables' owner, who sees all rows of such a table, asks the index; it answers
//! with ids of the caller's scope alone, which the query then looks up under the policy as ever.

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::SchemaManager;

/// Shorter terms are in no such index: they are compared with each row of the scope.
pub(crate) const INDEXED_CHARS: usize = 3;

/// For PostgreSQL: has the extension made that the indexes need, where it is installed and the login may; part of a block.
pub const MAKE_EXTENSION: &str = "BEGIN CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public; \
    EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR invalid_schema_name \
      OR unique_violation OR duplicate_object THEN NULL; END;";

/// Indexes the column `search` of a table, which also has a column `id`; the tenant of a row stands in `tenant`.
pub async fn create_index(manager: &SchemaManager<'_>, table: &str, tenant: &str) -> Result<(), DbErr> {
    let sql = match manager.get_database_backend() {
        DbBackend::Postgres => function(table, tenant),
        _ => virtual_table(table),
    };
    manager.get_connection().execute_unprepared(&sql).await.map(drop)
}

/// Removes what [`create_index`] made.
pub async fn drop_index(manager: &SchemaManager<'_>, table: &str) -> Result<(), DbErr> {
    let sql = match manager.get_database_backend() {
        DbBackend::Postgres => format!(
            "DROP INDEX IF EXISTS \"{table}_search\"; DROP FUNCTION \"{table}_matching\"(text); \
             DROP POLICY search_index ON \"{table}\""
        ),
        _ => format!(
            "DROP TRIGGER \"{table}_search_insert\"; DROP TRIGGER \"{table}_search_update\"; \
             DROP TRIGGER \"{table}_search_delete\"; DROP TABLE \"{table}_search\""
        ),
    };
    manager.get_connection().execute_unprepared(&sql).await.map(drop)
}

/// The condition on `table` that its rows match, with one value: for PostgreSQL a pattern of `LIKE`, for SQLite a query
/// of FTS5.
pub(crate) fn condition(backend: DbBackend, table: &str) -> String {
    match backend {
        DbBackend::Postgres => format!("\"{table}\".\"id\" IN (SELECT \"{table}_matching\"($1))"),
        _ => {
            format!("\"{table}\".\"rowid\" IN (SELECT rowid FROM \"{table}_search\" WHERE \"{table}_search\" MATCH ?)")
        }
    }
}

/// A query of FTS5 for a text that has exactly this somewhere in it.
pub(crate) fn phrase(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// The virtual table holds the index alone and reads the texts from the table, by row ids. Those stay when the file is
/// vacuumed, since the table has an index of its own.
fn virtual_table(table: &str) -> String {
    let search = format!("{table}_search");
    let forget =
        format!("INSERT INTO \"{search}\" (\"{search}\", rowid, search) VALUES ('delete', old.rowid, old.search);");
    let learn = format!("INSERT INTO \"{search}\" (rowid, search) VALUES (new.rowid, new.search);");
    format!(
        "CREATE VIRTUAL TABLE \"{search}\" USING fts5 \
           (search, content = \"{table}\", tokenize = 'trigram case_sensitive 1', columnsize = 0); \
         INSERT INTO \"{search}\" (\"{search}\") VALUES ('rebuild'); \
         CREATE TRIGGER \"{search}_insert\" AFTER INSERT ON \"{table}\" BEGIN {learn} END; \
         CREATE TRIGGER \"{search}_delete\" AFTER DELETE ON \"{table}\" BEGIN {forget} END; \
         CREATE TRIGGER \"{search}_update\" AFTER UPDATE OF search ON \"{table}\" \
           WHEN old.search <> new.search BEGIN {forget} {learn} END;"
    )
}

/// The policy is for the owner alone: whom the function works as. What a service may see, it says itself, as
/// [`super::tenant_policy_on`] does.
fn function(table: &str, tenant: &str) -> String {
    format!(
        "CREATE POLICY search_index ON \"{table}\" FOR SELECT TO CURRENT_USER USING (true); \
         DO $make$ BEGIN EXECUTE format($with_schema$ \
           CREATE FUNCTION \"{table}_matching\"(pattern text) RETURNS SETOF uuid \
           LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = %I, pg_temp AS $body$ BEGIN \
             IF current_setting('app.platform', true) = 'on' THEN \
               RETURN QUERY SELECT t.id FROM \"{table}\" t WHERE t.search LIKE pattern; \
             ELSE \
               RETURN QUERY SELECT t.id FROM \"{table}\" t WHERE t.search LIKE pattern \
                 AND t.\"{tenant}\" = nullif(current_setting('app.tenant_id', true), '')::uuid; \
             END IF; \
           END $body$ $with_schema$, current_schema()); END $make$;"
    )
}

/// On PostgreSQL, makes the indexes of all tables with a column `search` that lack theirs. They need the extension
/// `pg_trgm`, which the database's owner may make where it is installed. Without it a search reads every row; when it
/// has come, the next migration makes them. Rows enter them at once: after many were added, a list of those that wait
/// would make a search as slow as reading every row. Nothing is asked of a table that has its index: that waits for whoever
/// writes, also where there is nothing to make.
pub(super) fn make_missing_indexes(schema: &str) -> String {
    format!(
        "DO $$ DECLARE extension_schema text; name text; BEGIN \
           {MAKE_EXTENSION} \
           SELECT nspname INTO extension_schema FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace \
             WHERE extname = 'pg_trgm'; \
           IF extension_schema IS NULL THEN RETURN; END IF; \
           FOR name IN SELECT relname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid \
             WHERE relnamespace = to_regnamespace('\"{schema}\"') AND relkind = 'r' AND attname = 'search' \
             AND to_regclass(format('%I.%I', '{schema}', relname || '_search')) IS NULL \
           LOOP EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON %I.%I USING gin (search %I.gin_trgm_ops) \
             WITH (fastupdate = off)', name || '_search', '{schema}', name, extension_schema); END LOOP; \
         END $$"
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn quotes_are_part_of_a_phrase() {
        assert_eq!(super::phrase(r#"a "b" OR c*"#), r#""a ""b"" OR c*""#);
    }
}
