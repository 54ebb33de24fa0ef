//! The mark of a restore that has begun and has not ended. Databases of which some are restored and others are not must not
//! be served.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};

use super::digest;

const FILE: &str = "restore.unfinished";

/// Fails when a restore into this folder has not ended.
pub(crate) fn refuse(folder: &Path) -> Result<()> {
    let path = folder.join(FILE);
    let backup = fs::read_to_string(&path).unwrap_or_default();
    ensure!(
        !path.exists(),
        "a restore of {} was not finished: run `armada restore --replace` again ({})",
        backup.trim(),
        path.display()
    );
    Ok(())
}

/// A mark that was set.
pub(super) struct Mark(PathBuf);

impl Mark {
    /// Marks that a backup is being restored into a folder.
    pub(super) fn set(folder: &Path, backup: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        digest::write(&path, &format!("{}\n", backup.display()))?;
        digest::sync_folder(folder)?;
        Ok(Self(path))
    }

    /// Everything is restored.
    pub(super) fn remove(self) -> Result<()> {
        fs::remove_file(&self.0).with_context(|| self.0.display().to_string())
    }
}
