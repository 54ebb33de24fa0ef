//! The tables of services, made by their migrations once for a test process on each kind of database. A World that starts with
//! them gets a copy: to migrate takes longer than most tests.

use std::{path::PathBuf, pin::Pin};

use armada_runtime::Context;
use tokio::sync::OnceCell;

/// What runs migrations. What fails panics.
pub type Migrating = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The tables of some services, to be kept in a `static`.
pub struct Tables {
    pub(crate) services: &'static [&'static str],
    pub(crate) migrate: fn(Context) -> Migrating,
    /// The folder with SQLite's files that have them.
    pub(crate) files: OnceCell<PathBuf>,
    /// The name of PostgreSQL's database that has them. Nobody is connected to it.
    pub(crate) database: OnceCell<String>,
}

impl Tables {
    /// Those that `migrate` makes in the databases of these services.
    pub const fn new(services: &'static [&'static str], migrate: fn(Context) -> Migrating) -> Self {
        Self { services, migrate, files: OnceCell::const_new(), database: OnceCell::const_new() }
    }
}
