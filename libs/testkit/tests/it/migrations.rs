//! A migration is done as a whole, or not at all.

use armada_runtime::migrations;
use armada_testkit::both_databases;
use sea_orm_migration::{MigrationTrait, MigratorTrait};

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
