//! Which backups stay in their folder. They are known by their names; what has another one is not touched.

use std::{
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use armada_proto::Timestamp;

use super::{digest, manifest::Manifest};

/// What the name of a backup begins with.
const PREFIX: &str = "armada-";
/// The ending of one that is being removed: what is left of it when that is interrupted is not taken for a backup.
const REMOVED: &str = "removed";

/// The name of a backup that was begun then, at a whole second.
pub(super) fn name(made_at: Timestamp) -> String {
    format!("{PREFIX}{}", made_at.to_rfc3339().replace(':', "-"))
}

/// When the backup of this name was begun; none when something else has it.
fn made_at(text: &str) -> Option<Timestamp> {
    let (day, time) = text.strip_prefix(PREFIX)?.split_once('T')?;
    let made_at = Timestamp::parse_rfc3339(&format!("{day}T{}", time.replace('-', ":")))?;
    (name(made_at) == text).then_some(made_at)
}

/// Removes all backups in a folder that are older than the one of `newest`, but for as many that, with it, `keep` are left; the
/// removed ones, newest first. Those that claim to be newer, since a clock was wrong, and what was not completed are neither
/// counted nor removed.
pub(super) fn prune(folder: &Path, newest: Timestamp, keep: NonZeroUsize) -> Result<Vec<PathBuf>> {
    let mut older = Vec::new();
    for name in folders(folder)? {
        let path = folder.join(&name);
        match made_at(&name) {
            Some(made_at) if made_at < newest && Manifest::is_in(&path) => older.push((made_at, path)),
            Some(_) => {}
            None => finish_removal(&path)?,
        }
    }
    older.sort_unstable();
    let removed: Vec<_> = older.into_iter().rev().skip(keep.get() - 1).map(|(_, path)| path).collect();
    for path in &removed {
        let going = path.with_extension(REMOVED);
        fs::rename(path, &going).with_context(|| path.display().to_string())?;
        digest::sync_folder(folder)?;
        finish_removal(&going)?;
    }
    Ok(removed)
}

/// Removes what is left of a backup whose removal has begun; nothing else.
fn finish_removal(path: &Path) -> Result<()> {
    let is_backup = path.file_stem().and_then(|name| name.to_str()).and_then(made_at).is_some();
    if is_backup && path.extension().is_some_and(|ending| ending == REMOVED) {
        fs::remove_dir_all(path).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// The names of the folders in a folder; links to other places are none.
fn folders(folder: &Path) -> Result<Vec<String>> {
    let listed = || {
        let mut names = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                names.extend(entry.file_name().into_string());
            }
        }
        std::io::Result::Ok(names)
    };
    listed().with_context(|| folder.display().to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::backup::manifest::Kind;

    fn day(day: u8) -> Timestamp {
        Timestamp::parse_rfc3339(&format!("2026-11-{day:02}T02:15:00Z")).expect("an instant")
    }

    /// Makes a backup of a day, under a name.
    fn make(folder: &Path, day_of_month: u8, name: &str) {
        digest::folder(&folder.join(name)).expect("a folder");
        Manifest::new(day(day_of_month), Kind::Sqlite).write(&folder.join(name)).expect("a manifest");
    }

    fn names(folder: &Path) -> BTreeSet<String> {
        folders(folder).expect("it is there").into_iter().collect()
    }

    #[test]
    fn keeps_the_newest_backups() {
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = temporary.path();
        for of in [3, 9, 10, 11, 12] {
            make(folder, of, &name(day(of)));
        }
        let keep = |count| {
            let removed = prune(folder, day(12), NonZeroUsize::new(count).expect("one or more"));
            removed.expect("they go")
        };
        assert!(keep(5).is_empty());
        assert_eq!(keep(3), [folder.join(name(day(9))), folder.join(name(day(3)))]);
        assert_eq!(names(folder), BTreeSet::from([10, 11, 12].map(|of| name(day(of)))));
        keep(1);
        assert_eq!(names(folder), BTreeSet::from([name(day(12))]));
    }

    #[test]
    fn leaves_other_files_alone() {
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = temporary.path();
        make(folder, 12, &name(day(12)));
        make(folder, 30, &name(day(30)));
        make(folder, 1, "before-upgrade");
        make(folder, 1, "armada-2026-11-01");
        make(folder, 1, "other.removed");
        make(folder, 2, &format!("{}.incomplete", name(day(2))));
        digest::folder(&folder.join(name(day(3)))).expect("what was copied without its manifest");
        std::os::unix::fs::symlink(folder.join("before-upgrade"), folder.join(name(day(4)))).expect("a link");
        let before = names(folder);

        // Of one whose removal was interrupted the rest goes.
        make(folder, 5, &format!("{}.removed", name(day(5))));
        let removed = prune(folder, day(12), NonZeroUsize::MIN).expect("nothing is in the way");
        assert!(removed.is_empty(), "{removed:?}");
        assert_eq!(names(folder), before);
        assert!(folder.join(name(day(4))).is_symlink() && Manifest::is_in(&folder.join("before-upgrade")));
    }
}
