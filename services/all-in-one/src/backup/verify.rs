//! Whether a copy is whole, as it is read from the disk again.

use std::path::Path;

use anyhow::Result;

use super::{files, manifest::Manifest};

/// Refuses a copy with a file that is not what it was.
pub(super) fn whole(manifest: &Manifest, backup: &Path) -> Result<()> {
    eprintln!("verifies the backup");
    manifest.verify(backup)?;
    if manifest.files.is_some() {
        files::verify(backup)?;
    }
    Ok(())
}
