//! Row-level security on PostgreSQL: which rows a transaction may see and write, by the scope that it carries.

/// A policy of this name has its condition from [`tenant_policy_on`], and of no other place.
const NAME: &str = "tenant_scope";

/// SQL that lets the rows of `table` be seen and written only in the scope of their tenant, even by the table's owner.
/// For PostgreSQL; SQLite has no such rules and relies on the scope in every query.
pub fn tenant_policy(table: &str) -> String {
    tenant_policy_on(table, "tenant_id")
}

/// The same for a table whose tenant stands in `column`.
pub fn tenant_policy_on(table: &str, column: &str) -> String {
    let of_scope = of_scope(&format!("\"{column}\""));
    format!(
        "ALTER TABLE \"{table}\" ENABLE ROW LEVEL SECURITY; ALTER TABLE \"{table}\" FORCE ROW LEVEL SECURITY; \
         CREATE POLICY {NAME} ON \"{table}\" USING ({of_scope}) WITH CHECK ({of_scope});"
    )
}

/// Each setting stands in a query of its own, which PostgreSQL asks once a statement. Called by themselves they are read and
/// converted for each row: counting 100,000 devices took 130 ms for it.
///
/// Without nullif a connection that once had a tenant would fail on '' instead of returning nothing.
fn of_scope(column: &str) -> String {
    format!(
        "(SELECT current_setting('app.platform', true) = 'on') \
         OR {column} = (SELECT nullif(current_setting('app.tenant_id', true), '')::uuid)"
    )
}

/// Gives policies that read the settings for each row, as they were made before, the condition that policies get now: one
/// after the other, since whoever serves meanwhile holds several tables in an order of their own.
pub(super) fn read_settings_once(schema: &str) -> String {
    let of_scope = of_scope("%3$s").replace('\'', "''");
    format!(
        "DO $$ DECLARE old record; BEGIN \
           FOR old IN SELECT tablename, substring(qual FROM '\\((\\w+) = \\(NULLIF') AS tenant FROM pg_policies \
             WHERE schemaname = '{schema}' AND policyname = '{NAME}' AND qual NOT LIKE '%SELECT%' \
           LOOP EXECUTE format('ALTER POLICY {NAME} ON %1$I.%2$I USING ({of_scope}) WITH CHECK ({of_scope})', \
             '{schema}', old.tablename, old.tenant); COMMIT; END LOOP; \
         END $$"
    )
}
