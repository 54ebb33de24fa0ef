//! The files of documents, where they are in a folder: objects `<tenant>/<file>`, which are made and removed and never
//! changed. Their list has the form that `sha256sum --check` reads.

use std::{
    fs,
    io::{BufRead, BufReader, ErrorKind},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use armada_proto::{FileId, TenantId};

use super::{
    digest::{self, Content},
    manifest::Files,
};
use crate::{config::Config, services};

/// The list, and the folder of what it names.
pub(super) const LIST: &str = "files.sha256";
const FOLDER: &str = "files";

/// Where they are.
pub(super) enum Place {
    /// In a folder of this machine.
    Folder(PathBuf),
    /// In a bucket of this address, which is copied by other means.
    Bucket(String),
    /// Nowhere: none are taken in.
    Nowhere,
}

impl Place {
    /// As configured.
    pub(super) fn of(config: &Config) -> Self {
        match services::files_url(config) {
            None => Self::Nowhere,
            Some(url) => match url.strip_prefix("file://") {
                Some(folder) => Self::Folder(folder.into()),
                None => Self::Bucket(url),
            },
        }
    }
}

/// Copies what is in a folder, and lists it. What is removed meanwhile is left out.
pub(super) fn copy(from: &Path, backup: &Path) -> Result<Files> {
    let (mut files, mut list) = (Files { count: 0, bytes: 0 }, String::new());
    for tenant in names::<TenantId>(from)? {
        let to = backup.join(FOLDER).join(&tenant);
        digest::folder(&to)?;
        for file in names::<FileId>(&from.join(&tenant))? {
            let content = match digest::copy(&from.join(&tenant).join(&file), &to.join(&file)) {
                Ok(content) => content,
                Err(error) if is_gone(&error) => continue,
                Err(error) => return Err(error),
            };
            list += &format!("{}  {FOLDER}/{tenant}/{file}\n", content.sha256);
            files.count += 1;
            files.bytes += content.bytes;
        }
        digest::sync_folder(&to)?;
    }
    digest::write(&backup.join(LIST), &list)?;
    Ok(files)
}

/// Refuses a copy with a file that is not what it was.
pub(super) fn verify(backup: &Path) -> Result<()> {
    for listed in list(backup)? {
        let Listed { path, sha256, .. } = listed?;
        let path = backup.join(path);
        ensure!(digest::of_file(&path)?.sha256 == sha256, "{} is damaged: it is not what was copied", path.display());
    }
    Ok(())
}

/// Puts the files of a copy into a folder that lacks them; how many it lacked. What else is there stays: what no row names
/// is in nobody's way.
pub(super) fn add(backup: &Path, to: &Path) -> Result<Files> {
    let mut added = Files { count: 0, bytes: 0 };
    for listed in list(backup)? {
        let Listed { path, tenant, file, .. } = listed?;
        let (from, folder) = (backup.join(path), to.join(tenant));
        let target = folder.join(&file);
        let bytes = fs::metadata(&from).with_context(|| from.display().to_string())?.len();
        if fs::metadata(&target).is_ok_and(|there| there.len() == bytes) {
            continue;
        }
        digest::folder(&folder)?;
        // By such a name whoever keeps files knows what was not completed.
        let part = folder.join(format!("{file}#restored"));
        let Content { bytes, .. } = digest::copy(&from, &part)?;
        fs::rename(&part, &target).with_context(|| target.display().to_string())?;
        digest::sync_folder(&folder)?;
        added.count += 1;
        added.bytes += bytes;
    }
    Ok(added)
}

/// A line of the list.
struct Listed {
    sha256: String,
    /// Below the folder of the copy.
    path: String,
    tenant: String,
    file: String,
}

fn list(backup: &Path) -> Result<impl Iterator<Item = Result<Listed>>> {
    let path = backup.join(LIST);
    let file = fs::File::open(&path).with_context(|| path.display().to_string())?;
    Ok(BufReader::new(file).lines().map(move |line| {
        let line = line?;
        listed(&line).with_context(|| format!("{}: {line}", path.display()))
    }))
}

fn listed(line: &str) -> Option<Listed> {
    let (sha256, path) = line.split_once("  ")?;
    let (tenant, file) = path.strip_prefix(FOLDER)?.strip_prefix('/')?.split_once('/')?;
    // Nothing else is the name of a folder or a file here.
    tenant.parse::<TenantId>().ok()?;
    file.parse::<FileId>().ok()?;
    let text = str::to_owned;
    Some(Listed { sha256: text(sha256), path: text(path), tenant: text(tenant), file: text(file) })
}

/// The names in a folder that are ids; none when there is no such folder.
fn names<Id: std::str::FromStr>(folder: &Path) -> Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| folder.display().to_string()),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.with_context(|| folder.display().to_string())?.file_name().into_string();
        names.extend(name.ok().filter(|name| name.parse::<Id>().is_ok()));
    }
    names.sort_unstable();
    Ok(names)
}

fn is_gone(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::NotFound)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TENANT: &str = "01900000-0000-7000-8000-000000000001";
    const SCAN: &str = "01900000-0000-7000-8000-00000000000a";
    const NEWER: &str = "01900000-0000-7000-8000-00000000000b";

    #[test]
    fn restores_files_and_keeps_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let (files, backup) = (folder.path().join("kept"), folder.path().join("backup"));
        digest::folder(&backup).expect("a folder");
        assert_eq!(copy(&files, &backup).expect("there may be none"), Files { count: 0, bytes: 0 });

        let of = |name: &str| files.join(TENANT).join(name);
        digest::folder(&files.join(TENANT)).expect("a folder");
        fs::write(of(SCAN), "a scan").expect("a file");
        fs::write(of(&format!("{NEWER}#1")), "a pa").expect("an upload that is under way");
        assert_eq!(copy(&files, &backup).expect("a copy"), Files { count: 1, bytes: 6 });
        verify(&backup).expect("it is whole");

        fs::remove_file(of(SCAN)).expect("it goes");
        fs::write(of(NEWER), "newer").expect("a file");
        assert_eq!(add(&backup, &files).expect("they come back"), Files { count: 1, bytes: 6 });
        assert_eq!(add(&backup, &files).expect("it is there"), Files { count: 0, bytes: 0 });
        assert_eq!(fs::read(of(SCAN)).expect("it is back"), b"a scan");
        assert_eq!(fs::read(of(NEWER)).expect("it stays"), b"newer");

        fs::write(backup.join(FOLDER).join(TENANT).join(SCAN), "a scar").expect("a file");
        assert!(verify(&backup).is_err(), "it is damaged");
        fs::write(backup.join(LIST), format!("00  files/{TENANT}/../../x\n")).expect("a file");
        assert!(add(&backup, &files).is_err(), "it leads elsewhere");
    }
}
