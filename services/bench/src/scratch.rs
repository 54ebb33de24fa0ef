//! A database for one measurement on the server that `DATABASE_URL` names: what is there already must neither be
//! measured nor be written to.

use anyhow::{Context as _, Result};
use armada_runtime::Secret;
use sea_orm::{ConnectOptions, ConnectionTrait, DatabaseConnection};

/// A database that was made for this, and goes when asked.
pub struct ScratchDatabase {
    server: Secret,
    name: String,
}

impl ScratchDatabase {
    /// Makes one; the login of `server`, which will own it, must be allowed to.
    pub async fn create(server: &Secret) -> Result<Self> {
        let name = format!("armada_bench_{}", uuid::Uuid::now_v7().simple());
        let new = Self { server: server.clone(), name };
        new.execute("CREATE DATABASE").await?;
        Ok(new)
    }

    /// The URL of a login to it: that to another database of the server, with another path.
    pub fn url(&self, login: &Secret) -> Result<Secret> {
        let (address, query) = match login.reveal().split_once('?') {
            Some((address, query)) => (address, format!("?{query}")),
            None => (login.reveal(), String::new()),
        };
        let (base, _) = address.rsplit_once('/').context("DATABASE_URL names no database")?;
        Ok(Secret::new(format!("{base}/{}{query}", self.name)))
    }

    /// Removes it with everything in it, when who used it has ended.
    ///
    /// Not `WITH (FORCE)`: an owner of databases may not end the connections of other roles. The plain statement waits
    /// some seconds for those that are about to close.
    pub async fn remove(self) -> Result<()> {
        self.execute("DROP DATABASE").await
    }

    async fn execute(&self, verb: &str) -> Result<()> {
        let mut options = ConnectOptions::new(self.server.reveal());
        options.max_connections(1).sqlx_logging(false);
        let connection: DatabaseConnection = sea_orm::Database::connect(options).await.context("DATABASE_URL")?;
        connection.execute_unprepared(&format!("{verb} {}", self.name)).await.context("DATABASE_URL")?;
        Ok(connection.close().await?)
    }
}
