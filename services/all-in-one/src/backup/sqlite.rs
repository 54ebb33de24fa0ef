//! Files of SQLite: a copy of each while services write it, and copies in the place of those that are there.

use std::{fs, path::Path};

use anyhow::{Context as _, Result, ensure};
use armada_position_ingest as ingest;
use armada_proto::Timestamp;
use armada_runtime::db::copies;

use super::{
    contents::{self, stored},
    digest,
    manifest::{Kind, Manifest},
};

/// The folder of the files in a copy.
const FOLDER: &str = "databases";
/// What belongs to a file of SQLite: the file itself, and what was written and is not in it yet.
const PARTS: [&str; 3] = [".db", ".db-wal", ".db-shm"];

/// Fails where there is nothing to copy.
pub(super) fn must_be_there(data: &Path) -> Result<()> {
    for service in stored() {
        let file = data.join(format!("{service}.db"));
        ensure!(file.is_file(), "there is no {}: has Armada run on this data folder?", file.display());
    }
    Ok(())
}

/// Copies the files one after the other; each is whole, as of one moment.
pub(super) async fn copy(data: &Path, backup: &Path, made_at: Timestamp) -> Result<Manifest> {
    let mut manifest = Manifest::new(made_at, Kind::Sqlite);
    digest::folder(&backup.join(FOLDER))?;
    for service in stored() {
        eprintln!("copies the database of {service}");
        let name = format!("{FOLDER}/{service}.db");
        let file = backup.join(&name);
        copies::copy_file(data, service, &file).await?;
        digest::keep(&file)?;
        let copy = copies::open_copy(&file).await?;
        manifest.services.push(contents::of(&copy, service).await?);
        if service == ingest::NAME {
            manifest.partitions = contents::progress(&copy).await?;
        }
        copy.close().await?;
        manifest.add(backup, name)?;
    }
    digest::sync_folder(&backup.join(FOLDER))?;
    Ok(manifest)
}

/// Whether there are databases in a data folder.
pub(super) fn is_there(data: &Path) -> bool {
    stored().any(|service| data.join(format!("{service}.db")).exists())
}

/// Puts the files of a copy into a data folder. Those that are there go into the folder `aside`. It can be done again when
/// it was interrupted.
pub(super) fn restore(manifest: &Manifest, backup: &Path, data: &Path, aside: &Path) -> Result<()> {
    let mut names = Vec::new();
    for contents in &manifest.services {
        let service = &contents.service;
        eprintln!("restores the database of {service}");
        let (from, new) = (backup.join(format!("{FOLDER}/{service}.db")), data.join(format!("{service}.db.restored")));
        digest::copy(&from, &new)?;
        names.push((new, data.join(format!("{service}.db"))));
    }
    for service in stored() {
        for part in PARTS {
            move_aside(&data.join(format!("{service}{part}")), aside)?;
        }
    }
    for (new, name) in names {
        fs::rename(&new, &name).with_context(|| name.display().to_string())?;
    }
    digest::sync_folder(data)
}

/// Moves a file into the folder `aside`, if there is such a file.
fn move_aside(file: &Path, aside: &Path) -> Result<()> {
    let Some(name) = file.file_name().filter(|_| file.exists()) else { return Ok(()) };
    digest::folder(aside)?;
    fs::rename(file, aside.join(name)).with_context(|| file.display().to_string())
}
