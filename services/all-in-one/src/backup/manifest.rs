//! `manifest.json`: what a copy is and what is in it. It is written when everything else is there.

use std::{
    fs,
    path::{Component, Path},
};

use anyhow::{Context as _, Result, bail, ensure};
use armada_proto::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    contents::{Contents, Progress},
    digest::{self, Content},
};
use crate::services::Role;

/// Its name in the folder of a copy.
const FILE: &str = "manifest.json";
/// What this program writes, and the newest that it reads.
const FORMAT: u32 = 1;

/// A copy.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// The form of this file and of what it names.
    pub(super) format: u32,
    /// The version of the program that made it.
    pub(super) armada: String,
    /// When it was begun.
    pub(super) made_at: Timestamp,
    /// The form of the databases.
    pub(super) database: Kind,
    /// What each service stores.
    pub(super) services: Vec<Contents>,
    /// How far position-ingest was.
    pub(super) partitions: Vec<Progress>,
    /// The files of documents; none when they are kept elsewhere.
    pub(super) files: Option<Files>,
    /// By what the secret key is known again; none in copies that were made before they had it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) key_mark: Option<String>,
    /// The files of the copy, but for those of documents, which have a list of their own.
    pub(super) parts: Vec<Part>,
}

/// The form of databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// A file of SQLite for each service.
    Sqlite,
    /// One file of `pg_dump`, from a server of this major version.
    Postgres(u32),
}

/// The files of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Files {
    /// How many.
    pub(super) count: u64,
    /// Their bytes together.
    pub(super) bytes: u64,
}

/// A file of the copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Part {
    /// Its path below the folder.
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) content: Content,
}

impl Manifest {
    /// Of a copy that this program makes and that has nothing yet.
    pub(super) fn new(made_at: Timestamp, database: Kind) -> Self {
        Self {
            format: FORMAT,
            armada: env!("CARGO_PKG_VERSION").to_owned(),
            made_at,
            database,
            services: Vec::new(),
            partitions: Vec::new(),
            files: None,
            key_mark: None,
            parts: Vec::new(),
        }
    }

    /// Enters a file that is in the folder.
    pub(super) fn add(&mut self, folder: &Path, name: impl Into<String>) -> Result<()> {
        let name = name.into();
        let content = digest::of_file(&folder.join(&name))?;
        self.parts.push(Part { name, content });
        Ok(())
    }

    /// Rows of a table of a service.
    pub(super) fn rows(&self, service: &str, table: &str) -> i64 {
        let contents = self.services.iter().find(|contents| contents.service == service);
        contents.and_then(|contents| contents.tables.get(table).copied()).unwrap_or_default()
    }

    /// Whether the copy has a part.
    pub(super) fn has(&self, name: &str) -> bool {
        self.parts.iter().any(|part| part.name == name)
    }

    /// Completes a copy.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        digest::write(&folder.join(FILE), &(serde_json::to_string_pretty(self)? + "\n"))?;
        digest::sync_folder(folder)
    }

    /// Whether a folder has one: then it is a copy that was completed.
    pub(super) fn is_in(folder: &Path) -> bool {
        folder.join(FILE).is_file()
    }

    /// Reads that of a copy. Refuses one that is not complete, or that this version does not know.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        ensure!(
            Self::is_in(folder),
            "{} is no backup, or one that was not completed: it has no {FILE}",
            folder.display()
        );
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let value: Value = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        let format = value["format"].as_u64().unwrap_or_default();
        ensure!(
            format == u64::from(FORMAT),
            "{}: this version of Armada does not know format {format}",
            path.display()
        );
        let manifest: Self = serde_json::from_value(value).with_context(|| path.display().to_string())?;
        for part in &manifest.parts {
            let below = Path::new(&part.name).components().all(|step| matches!(step, Component::Normal(_)));
            ensure!(below, "{}: {} is not in the folder", path.display(), part.name);
        }
        Ok(manifest)
    }

    /// Refuses databases that a newer version has migrated: this one knows no way back.
    pub(super) fn fits_this_version(&self) -> Result<()> {
        for Contents { service, migrations, .. } in &self.services {
            let role = service.parse::<Role>()?;
            ensure!(role.stores(), "{service} stores nothing");
            let known = role.migrations();
            if let Some(newer) = migrations.iter().find(|migration| !known.contains(migration)) {
                bail!(
                    "the backup is from a newer version of Armada, {}: {service} was migrated by {newer}, which {} does \
                     not know",
                    self.armada,
                    env!("CARGO_PKG_VERSION")
                );
            }
        }
        Ok(())
    }

    /// Refuses a copy whose files are not what they were.
    pub(super) fn verify(&self, folder: &Path) -> Result<()> {
        for part in &self.parts {
            let path = folder.join(&part.name);
            ensure!(
                digest::of_file(&path)? == part.content,
                "{} is damaged: it is not what was copied",
                path.display()
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_incomplete_backups() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let refused = || Manifest::read(folder).expect_err("it is refused").to_string();
        assert!(refused().contains("not completed"), "{}", refused());

        fs::write(folder.join("erasures"), "one").expect("a file");
        let mut manifest = Manifest::new(Timestamp::from_millis(0), Kind::Postgres(17));
        manifest.add(folder, "erasures").expect("it is there");
        manifest.write(folder).expect("it is written");
        let manifest = Manifest::read(folder).expect("it is whole");
        assert_eq!(manifest.database, Kind::Postgres(17));
        manifest.verify(folder).expect("it is whole");
        fs::write(folder.join("erasures"), "two").expect("a file");
        assert!(manifest.verify(folder).expect_err("it is damaged").to_string().contains("damaged"));

        let text = fs::read_to_string(folder.join(FILE)).expect("it is there");
        fs::write(folder.join(FILE), text.replace("\"erasures\"", "\"../erasures\"")).expect("a file");
        assert!(refused().contains("not in the folder"), "{}", refused());
        fs::write(folder.join(FILE), text.replace("\"format\": 1", "\"format\": 2")).expect("a file");
        assert!(refused().contains("format 2"), "{}", refused());
    }

    #[test]
    fn databases_of_a_newer_version_are_refused() {
        let mut manifest = Manifest::new(Timestamp::from_millis(0), Kind::Sqlite);
        let mut migrations = Role::Notification.migrations();
        let mut notification = |migrations: &[String]| {
            let service = armada_notification::NAME.to_owned();
            manifest.services = vec![Contents { service, migrations: migrations.to_vec(), tables: Default::default() }];
            manifest.fits_this_version().map_err(|error| error.to_string())
        };
        assert_eq!(notification(&migrations), Ok(()));
        assert_eq!(notification(&migrations[..1]), Ok(()), "an older one is migrated");
        migrations.push("m9999_later".to_owned());
        let refused = notification(&migrations).expect_err("a newer one");
        assert!(refused.contains("newer version") && refused.contains("m9999_later"), "{refused}");
    }
}
