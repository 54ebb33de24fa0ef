//! The steps of a service's schema.

use futures::future::BoxFuture;
use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager};

/// What a step does to the schema.
pub type Change = for<'a> fn(&'a SchemaManager<'a>) -> BoxFuture<'a, Result<(), DbErr>>;

/// A step of a schema, made by [`migrations!`](crate::migrations).
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
    /// Whether all of it is done or nothing, when the program dies in it. PostgreSQL does so in any case.
    pub is_atomic: bool,
}

impl MigrationName for Migration {
    fn name(&self) -> &str {
        self.name
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        self.is_atomic.then_some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        (self.up)(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        (self.down)(manager).await
    }
}

/// The [`Migration`]s of a schema, in order: the modules that have their `up` and `down`. What SQLite refuses to do in a
/// transaction is done without, and must not mind to be begun anew.
///
/// ```ignore
/// migrations![m0001_devices, m0002_room without transaction]
/// ```
#[macro_export]
macro_rules! migrations {
    ($($module:ident $($without:ident transaction)?),+ $(,)?) => {
        vec![$(Box::new($crate::db::Migration {
            name: stringify!($module),
            up: |manager| Box::pin($module::up(manager)),
            down: |manager| Box::pin($module::down(manager)),
            is_atomic: <[&str]>::is_empty(&[$(stringify!($without))?]),
        })),+]
    };
}
