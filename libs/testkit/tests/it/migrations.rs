//! A migration is done as a whole, or not at all.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use armada_runtime::{db::Location, migrations};
use armada_testkit::{Durability, Postgres, both_databases, eventually};
use sea_orm_migration::{
    MigrationTrait, MigratorTrait,
    sea_orm::{ConnectionTrait, Database, Statement},
};

mod breaks_off {
    use sea_orm_migration::prelude::*;

    pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        super::whole::up(manager).await?;
        Err(DbErr::Migration("it breaks off".to_owned()))
    }

    pub(super) use super::whole::down;
}

mod whole {
    use sea_orm_migration::{prelude::*, schema::integer};

    pub(super) async fn up(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        manager.create_table(Table::create().table("thing").col(integer("id").primary_key()).to_owned()).await
    }

    pub(super) async fn down(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("thing").to_owned()).await
    }
}

struct BreaksOff;

impl MigratorTrait for BreaksOff {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        migrations![breaks_off]
    }
}

struct Whole;

impl MigratorTrait for Whole {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        migrations![whole]
    }
}

both_databases! {
    async fn migration_that_breaks_off_leaves_nothing(world: World) {
        let db = world.database("probe").await;
        let broken = db.migrate::<BreaksOff>("probe").await.unwrap_err();
        assert!(broken.to_string().contains("it breaks off"), "{broken}");
        // The table of before would be in its way.
        db.migrate::<Whole>("probe").await.expect("nothing is left of it");
    }
}

/// Two who make one stream at a time on a cluster might both wait in vain.
#[tokio::test]
async fn streams_are_migrated_by_one_after_the_other() -> anyhow::Result<()> {
    let postgres = tokio::task::spawn_blocking(|| Postgres::start(Durability::Fast)).await?;
    let logins = postgres.create_database().await;
    let asking = Database::connect(logins.owner_url()).await?;
    let location = Location::Postgres(logins);
    let first = location.lock_streams().await?.context("PostgreSQL has locks")?;
    let second = tokio::spawn(async move { location.lock_streams().await });
    eventually("the second one waits", Duration::from_secs(20), async || {
        let waits = "SELECT 1 AS one FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
        let statement = Statement::from_string(asking.get_database_backend(), waits);
        ensure!(asking.query_one_raw(statement).await?.is_some(), "nobody waits");
        Ok(())
    })
    .await;
    assert!(!second.is_finished());
    first.release().await?;
    second.await??.context("PostgreSQL has locks")?.release().await?;
    Ok(())
}
