//! Row-level security reads the scope once a statement, also on tables that were made when it was read for each row.

use armada_proto::TenantId;
use armada_runtime::Scope;
use armada_testkit::both_databases;
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};

use crate::search::{Things, fill, found, owner};

/// As policies were made at first.
const FORMER: &str = "ALTER POLICY tenant_scope ON probe.thing USING (current_setting('app.platform', true) = 'on' \
     OR \"tenant_id\" = nullif(current_setting('app.tenant_id', true), '')::uuid)";

both_databases! {
    async fn old_policies_are_replaced_by_equal_ones(world: World) -> anyhow::Result<()> {
        let db = world.database("probe").await;
        db.migrate::<Things>("probe").await?;
        let (own, foreign) = (TenantId::new(), TenantId::new());
        fill(&db, own, ["Mine".to_owned()]).await?;
        fill(&db, foreign, ["Theirs".to_owned()]).await?;

        if let Some(owner) = owner(&world).await? {
            let made = condition(&owner).await?;
            owner.execute_unprepared(FORMER).await?;
            assert_ne!(condition(&owner).await?, made);
            db.migrate::<Things>("probe").await?;
            assert_eq!(condition(&owner).await?, made);
            assert_eq!(made.matches("SELECT").count(), 4, "{made}");
            owner.close().await?;
        }
        assert_eq!(found(&db, Scope::Tenant(own), "").await?, ["Mine"]);
        assert_eq!(found(&db, Scope::Tenant(TenantId::new()), "").await?, Vec::<String>::new());
        assert_eq!(found(&db, Scope::Platform, "").await?, ["Mine", "Theirs"]);
        if owner(&world).await?.is_some() {
            // The statement asks for all of them: the policy alone holds the others back.
            let tx = db.read(&Scope::Tenant(own)).await?;
            let count = Statement::from_string(db.backend(), "SELECT count(*) AS n FROM thing");
            let seen: i64 = tx.query_one_raw(count).await?.unwrap().try_get("", "n")?;
            assert_eq!(seen, 1);
        }
        Ok(())
    }
}

/// Which rows the policy lets be seen, and written.
async fn condition(owner: &DatabaseConnection) -> anyhow::Result<String> {
    let sql = "SELECT qual || ' / ' || with_check AS condition FROM pg_policies \
               WHERE schemaname = 'probe' AND policyname = 'tenant_scope'";
    let statement = Statement::from_string(owner.get_database_backend(), sql);
    Ok(owner.query_one_raw(statement).await?.unwrap().try_get("", "condition")?)
}
