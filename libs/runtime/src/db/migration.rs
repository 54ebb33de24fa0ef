//! The steps of a service's schema.

use futures::future::BoxFuture;
use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

/// What a step does to the schema.
pub type Change = for<'a> fn(&'a SchemaManager<'a>) -> BoxFuture<'a, Result<(), DbErr>>;

/// A step of a schema, made by [`migrations!`](crate::migrations). It is done in a transaction: a program that dies in it
/// begins it anew.
///
/// All steps are of this one type, so that the compiler proves once that they may go to another thread, not for each of
/// them.
pub struct Migration {
    /// What the database knows it by.
    pub name: &'static str,
    /// Makes it.
    pub up: Change,
    /// Takes it back.
    pub down: Change,
}

impl MigrationName for Migration {
    fn name(&self) -> &str {
        self.name
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        (self.up)(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        (self.down)(manager).await
    }
}

/// The [`Migration`]s of a schema, in order: the modules that have their `up` and `down`.
///
/// ```ignore
/// migrations![m0001_devices, m0002_vehicles]
/// ```
#[macro_export]
macro_rules! migrations {
    ($($module:ident),+ $(,)?) => {
        vec![$(Box::new($crate::db::Migration {
            name: stringify!($module),
            up: |manager| Box::pin($module::up(manager)),
            down: |manager| Box::pin($module::down(manager)),
        })),+]
    };
}
