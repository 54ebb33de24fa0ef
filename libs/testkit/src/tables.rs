//! The tables of services, made by their migrations once for a test process on each kind of database. A World that starts with
//! them gets a copy: to migrate takes longer than most tests.

use std::{fs, path::PathBuf, pin::Pin};

use armada_runtime::{Context, db::Location};
use tokio::sync::OnceCell;

use crate::{kind::Kind, scratch, world::World};

/// What runs migrations. What fails panics.
pub type Migrating = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The tables of some services, to be kept in a `static`.
pub struct Tables {
    services: &'static [&'static str],
    migrate: fn(Context) -> Migrating,
    sqlite: OnceCell<PathBuf>,
    postgres: OnceCell<String>,
}

impl Tables {
    /// Those that `migrate` makes in the databases of these services.
    pub const fn new(services: &'static [&'static str], migrate: fn(Context) -> Migrating) -> Self {
        Self { services, migrate, sqlite: OnceCell::const_new(), postgres: OnceCell::const_new() }
    }

    /// The folder of SQLite's files that have them.
    pub(crate) async fn folder(&self) -> &PathBuf {
        let make = async || {
            let world = self.made(Kind::Sqlite).await;
            let folder = scratch::lasting_dir("tables-");
            for service in self.services {
                let file = format!("{service}.db");
                fs::copy(world.folder().join(&file), folder.join(&file)).expect("a file of a database");
            }
            folder
        };
        self.sqlite.get_or_init(make).await
    }

    /// The name of PostgreSQL's database that has them. Nobody is connected to it.
    pub(crate) async fn database(&self) -> &str {
        let make = async || match self.made(Kind::Postgres).await.location {
            Location::Postgres(logins) => {
                logins.services.rsplit_once('/').expect("a URL ends with its database").1.to_owned()
            }
            Location::Sqlite(_) => unreachable!("it was started on PostgreSQL"),
        };
        self.postgres.get_or_init(make).await
    }

    async fn made(&self, kind: Kind) -> World {
        let world = Box::pin(World::start(kind)).await;
        let context = Box::pin(world.context(self.services)).await;
        (self.migrate)(context.clone()).await;
        for service in self.services {
            context.database(service).expect("it was opened").close().await.expect("connections close");
        }
        world
    }
}
