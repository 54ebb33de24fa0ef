//! The files of a deployment that are made of the declarations, and the tables of documents. Most of a file is written by
//! hand; what is made stands between two lines of it, `made of the declarations: <what>` and `end`. A whole file that is made
//! says so in its first line.

mod chart;
mod compose;
mod env_example;
pub mod nats_conf;
mod parts;
mod tables;
mod text;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::Declaration;

/// A file, and what shall stand in it.
#[derive(Debug)]
pub struct Made {
    /// Where it is, below the folder of the repository.
    pub path: PathBuf,
    /// All of it.
    pub text: String,
    /// Whether it says that already.
    pub is_fresh: bool,
}

/// What the files of the repository in a folder shall say for these services. Fails when one cannot be read, or has lost the
/// lines between which something is made.
pub fn made(repository: &Path, services: &[&Declaration]) -> io::Result<Vec<Made>> {
    let in_parts = [
        ("deploy/nats.conf", nats_conf::parts(services)),
        ("docker-compose.yml", compose::parts(services)),
        ("deploy/compose.backup.yaml", compose::backup_parts(services)),
        (".env.example", env_example::parts(services)),
        ("deploy/postgres/roles.sh", vec![("services", tables::roles_in_shell(services))]),
        ("deploy/prometheus/prometheus.yml", vec![("services", tables::scrape_targets(services))]),
        ("docs/SECURITY.md", tables::security(services)),
        ("docs/OPERATIONS.md", tables::operations(services)),
    ];
    let whole = [
        ("helm/armada/files/services.yaml", chart::services(services)),
        ("helm/armada/files/nats-accounts.conf", nats_conf::accounts_of_chart(services)),
    ];
    let mut made = Vec::new();
    for (path, parts) in in_parts {
        let before = read(&repository.join(path))?;
        let text = parts::put_in(&before, &parts).map_err(|part| lacks(path, &part))?;
        made.push(Made { path: path.into(), is_fresh: text == before, text });
    }
    let path = "helm/armada/values.schema.json";
    let before = read(&repository.join(path))?;
    let text = chart::schema(&before, services).ok_or_else(|| lacks(path, "settings"))?;
    made.push(Made { path: path.into(), is_fresh: text == before, text });
    for (path, text) in whole {
        let before = fs::read_to_string(repository.join(path)).unwrap_or_default();
        made.push(Made { path: path.into(), is_fresh: text == before, text });
    }
    Ok(made)
}

fn read(path: &Path) -> io::Result<String> {
    fs::read_to_string(path).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

fn lacks(path: &str, part: &str) -> io::Error {
    io::Error::other(format!("{path} has no lines `made of the declarations: {part}` and `end`"))
}
