//! Files as they are copied: for their owner alone, on the disk before they count, and with the SHA-256 of what is in them.

use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::Path,
};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Bytes that are read at a time.
const PIECE: usize = 1 << 20;

/// What is in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Content {
    /// How many bytes.
    pub(super) bytes: u64,
    /// Their SHA-256, in hexadecimal.
    pub(super) sha256: String,
}

/// Of a file.
pub(super) fn of_file(path: &Path) -> Result<Content> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    pass(file, &mut io::sink()).with_context(|| path.display().to_string())
}

/// Copies a file over another one, or to where there is none.
pub(super) fn copy(from: &Path, to: &Path) -> Result<Content> {
    let source = File::open(from).with_context(|| from.display().to_string())?;
    let copied = || {
        let mut target = private(to)?;
        let content = pass(source, &mut target)?;
        target.sync_all()?;
        io::Result::Ok(content)
    };
    copied().with_context(|| to.display().to_string())
}

/// Writes a text as a whole or not at all, over what was there.
pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    let new = path.with_extension("new");
    let written = || {
        let mut file = private(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    written().with_context(|| path.display().to_string())
}

/// Makes what another program has written its owner's alone, and has it on the disk.
pub(super) fn keep(path: &Path) -> Result<()> {
    let kept = || {
        fs::set_permissions(path, Permissions::from_mode(0o600))?;
        File::open(path)?.sync_all()
    };
    kept().with_context(|| path.display().to_string())
}

/// Makes a folder, and those above it, for its owner alone.
pub(super) fn folder(path: &Path) -> Result<()> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.with_context(|| path.display().to_string())
}

/// Has the names in a folder on the disk.
pub(super) fn sync_folder(path: &Path) -> Result<()> {
    File::open(path).and_then(|folder| folder.sync_all()).with_context(|| path.display().to_string())
}

fn private(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(path)
}

fn pass(mut from: impl Read, to: &mut impl Write) -> io::Result<Content> {
    let (mut hash, mut bytes) = (Sha256::new(), 0);
    let mut piece = vec![0; PIECE];
    loop {
        let read = from.read(&mut piece)?;
        if read == 0 {
            let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
            return Ok(Content { bytes, sha256 });
        }
        hash.update(&piece[..read]);
        to.write_all(&piece[..read])?;
        bytes += read as u64;
    }
}
