//! The folder that holds databases, keys and the managed NATS server.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
};

use anyhow::{Context as _, Result, bail};

const LOCK: &str = "armada.lock";

/// Makes the folder if need be; only its owner may look into it.
pub(crate) fn create(folder: &Path) -> Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .with_context(|| format!("data directory {}", folder.display()))
}

/// The right to run all services on these data. It ends with the process, however that ends.
pub(crate) struct Lock(#[allow(dead_code, reason = "the lock is held as long as the file is open")] File);

impl Lock {
    /// Takes it, or says who has it.
    pub(crate) fn take(folder: &Path) -> Result<Self> {
        let path = folder.join(LOCK);
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(&path)
            .with_context(|| format!("data directory {}", folder.display()))?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => bail!("another armada runs on the data directory {}", folder.display()),
            Err(TryLockError::Error(error)) => Err(error).with_context(|| path.display().to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = Lock::take(folder.path()).expect("the first one");
        assert!(Lock::take(folder.path()).is_err());
        drop(lock);
        Lock::take(folder.path()).expect("it is free again");
    }
}
