//! PostgreSQL's own programs: where they are, and how they sign in. A password is told to none of them by an argument, which
//! whoever is on the machine could read.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail, ensure};
use tokio::process::Command;
use url::Url;

/// Where Debian has the programs of each version.
const DEBIAN: &str = "/usr/lib/postgresql";

/// The folder of PostgreSQL's programs, and how they sign in.
pub(super) struct Programs {
    folder: PathBuf,
    variables: BTreeMap<&'static str, String>,
}

impl Programs {
    /// Those of this machine that speak to a server of major version `server`, to sign in by `url`. A program that is older
    /// than the server refuses it.
    pub(super) async fn find(server: u32, url: &str) -> Result<Self> {
        let hint = format!("install PostgreSQL's client programs (Debian: postgresql-client-{server})");
        let Some(folder) = folder_of("pg_dump") else { bail!("pg_dump is not installed: {hint}") };
        for program in ["pg_restore", "psql"] {
            ensure!(folder.join(program).is_file(), "{} has pg_dump and no {program}: {hint}", folder.display());
        }
        let program = folder.join("pg_dump");
        let output = Command::new(&program).arg("--version").output().await;
        let output = output.with_context(|| program.display().to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let found = major(&text).with_context(|| format!("{} does not say its version: {text}", program.display()))?;
        ensure!(
            found >= server,
            "{} is of version {found}, older than the server's {server}: {hint}",
            program.display()
        );
        Ok(Self { folder, variables: variables(url)? })
    }

    /// A program, to be started without any variable of the caller's that would lead it elsewhere.
    pub(super) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.folder.join(program));
        for name in ["PGSERVICE", "PGHOSTADDR", "PGDATESTYLE", "PGOPTIONS", "PGCLIENTENCODING"] {
            command.env_remove(name);
        }
        command.envs(&self.variables).env("PGAPPNAME", "armada-backup").env("PGCONNECT_TIMEOUT", "10");
        command.kill_on_drop(true);
        command
    }
}

/// The newest that Debian has installed, else the first of the search path.
fn folder_of(program: &str) -> Option<PathBuf> {
    let has = |folder: &Path| folder.join(program).is_file();
    let installed = std::fs::read_dir(DEBIAN).into_iter().flatten().flatten().map(|version| version.path());
    let number = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok());
    let newest = installed.filter(|path| has(&path.join("bin"))).max_by_key(number).map(|path| path.join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    newest.or_else(|| std::env::split_paths(&path).find(|folder| has(folder)))
}

/// Of `pg_dump (PostgreSQL) 17.2 (Debian 17.2-1)` the 17.
fn major(version: &str) -> Option<u32> {
    let number = version.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The variables by which they sign in as a URL says. What it leaves out they take from such variables of the caller, as
/// this program does.
fn variables(url: &str) -> Result<BTreeMap<&'static str, String>> {
    // The URL has a password in it.
    let url = Url::parse(url).ok().context("the URL of the database's owner is none")?;
    let mut variables = BTreeMap::new();
    let mut set = |name, value: &str| {
        if !value.is_empty() {
            variables.insert(name, value.to_owned());
        }
    };
    let host = decoded(url.host_str().unwrap_or_default())?;
    set("PGHOST", host.trim_start_matches('[').trim_end_matches(']'));
    set("PGPORT", &url.port().map(|port| port.to_string()).unwrap_or_default());
    set("PGUSER", &decoded(url.username())?);
    set("PGPASSWORD", &decoded(url.password().unwrap_or_default())?);
    set("PGDATABASE", &decoded(url.path().trim_start_matches('/'))?);
    for (key, value) in url.query_pairs() {
        match &*key {
            "host" | "hostaddr" => set("PGHOST", &value),
            "port" => set("PGPORT", &value),
            "user" => set("PGUSER", &value),
            "password" => set("PGPASSWORD", &value),
            "dbname" => set("PGDATABASE", &value),
            "sslmode" | "ssl-mode" => set("PGSSLMODE", &value),
            "sslrootcert" | "ssl-root-cert" | "ssl-ca" => set("PGSSLROOTCERT", &value),
            "sslcert" | "ssl-cert" => set("PGSSLCERT", &value),
            "sslkey" | "ssl-key" => set("PGSSLKEY", &value),
            _ => {}
        }
    }
    Ok(variables)
}

/// A part of a URL as it is meant: `%40` is an @.
fn decoded(text: &str) -> Result<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let code = part.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(code.unwrap_or(b'%'));
        bytes.extend_from_slice(&part.as_bytes()[if code.is_some() { 2 } else { 0 }..]);
    }
    String::from_utf8(bytes).ok().context("the URL of the database's owner is no text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_is_passed_as_libpq_variables() {
        let of = |url: &str| {
            let variables = variables(url).expect("a URL").into_iter();
            variables.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(
            of(
                "postgres://armada_owner:p%40ss%3Aw%25rd@db.example:5433/armada?sslmode=verify-full&sslrootcert=/ca.pem"
            ),
            [
                "PGDATABASE=armada",
                "PGHOST=db.example",
                "PGPASSWORD=p@ss:w%rd",
                "PGPORT=5433",
                "PGSSLMODE=verify-full",
                "PGSSLROOTCERT=/ca.pem",
                "PGUSER=armada_owner"
            ]
        );
        assert_eq!(of("postgres://a@%2Frun%2Fpostgresql/b"), ["PGDATABASE=b", "PGHOST=/run/postgresql", "PGUSER=a"]);
        assert_eq!(of("postgres://a@[::1]/b?host=/tmp"), ["PGDATABASE=b", "PGHOST=/tmp", "PGUSER=a"]);
        let refused = variables("s3cret").expect_err("no URL").to_string();
        assert!(!refused.contains("s3cret"), "{refused}");
    }

    #[test]
    fn versions_are_read() {
        assert_eq!(major("pg_dump (PostgreSQL) 17.2 (Debian 17.2-1.pgdg120+1)"), Some(17));
        assert_eq!(major("pg_dump (PostgreSQL) 19beta1"), Some(19));
        assert_eq!(major("pg_dump"), None);
    }
}
