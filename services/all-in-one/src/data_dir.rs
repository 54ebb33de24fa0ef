//! The folder that holds databases, keys and the managed NATS server.

use std::{
    fs::{self, File, OpenOptions, Permissions, TryLockError},
    io::{ErrorKind, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt},
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail};
use armada_runtime::Secret;
use nix::unistd::Uid;

const LOCK: &str = "armada.lock";
/// The file of the secret key.
pub(crate) const SECRET_KEY: &str = "secret.key";
/// A tool that looks whether a program runs holds the lock for a moment.
const LOCK_WAIT: Duration = Duration::from_millis(500);

/// Makes the folder if need be; only its owner may look into it, also where it was there. A folder of somebody else is as they
/// want it.
pub(crate) fn create(folder: &Path) -> Result<()> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.with_context(|| format!("data directory {}", folder.display()))?;
    let there = fs::metadata(folder)?;
    if there.uid() == Uid::effective().as_raw() && there.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(folder, Permissions::from_mode(0o700))
            .with_context(|| format!("data directory {}", folder.display()))?;
    }
    Ok(())
}

/// The key that secrets in the databases are sealed with; the first time, one is made. Whoever has the databases alone
/// does not have it: keep a copy of it apart from theirs.
pub(crate) fn secret_key(folder: &Path) -> Result<Secret> {
    create(folder)?;
    let path = folder.join(SECRET_KEY);
    if !path.exists() {
        make_secret_key(&path).with_context(|| path.display().to_string())?;
    }
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(Secret::new(text.trim().to_owned()))
}

/// Whether there is one.
pub(crate) fn has_secret_key(folder: &Path) -> bool {
    folder.join(SECRET_KEY).is_file()
}

/// Whole or not at all: it gets its name when it is on the disk, unless another process was first.
fn make_secret_key(path: &Path) -> Result<()> {
    let new = path.with_extension(format!("new-{}", std::process::id()));
    let mut file = OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&new)?;
    let key = [armada_identity::generated_password()?, armada_identity::generated_password()?].join("-");
    writeln!(file, "{key}")?;
    file.sync_all()?;
    let named = fs::hard_link(&new, path);
    fs::remove_file(&new)?;
    match named {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}

/// The right to run all services on these data. It ends with the process, however that ends.
pub(crate) struct Lock(#[allow(dead_code, reason = "the lock is held as long as the file is open")] File);

impl Lock {
    /// Takes it, or says who has it.
    pub(crate) fn take(folder: &Path) -> Result<Self> {
        let started = Instant::now();
        loop {
            let file = Self::open(folder)?;
            match file.try_lock() {
                Ok(()) => return Ok(Self(file)),
                Err(TryLockError::WouldBlock) if started.elapsed() < LOCK_WAIT => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(TryLockError::WouldBlock) => {
                    bail!("another armada runs on the data directory {}", folder.display())
                }
                Err(TryLockError::Error(error)) => {
                    return Err(error).with_context(|| folder.join(LOCK).display().to_string());
                }
            }
        }
    }

    /// Whether somebody has it.
    pub(crate) fn is_taken(folder: &Path) -> bool {
        let looked = Self::open(folder).map(|file| file.try_lock_shared());
        matches!(looked, Ok(Err(TryLockError::WouldBlock)))
    }

    fn open(folder: &Path) -> Result<File> {
        let opened = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(folder.join(LOCK));
        opened.with_context(|| format!("data directory {}", folder.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secret_key_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let key = secret_key(folder.path()).expect("it is made");
        assert!(key.reveal().len() >= 32);
        assert_eq!(secret_key(folder.path()).expect("it is read"), key);
        let mode = fs::metadata(folder.path().join(SECRET_KEY)).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left behind");
    }

    #[test]
    fn a_folder_that_was_there_is_closed_to_others() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("they are set");
        create(folder.path()).expect("it is there");
        assert_eq!(fs::metadata(folder.path()).expect("it is there").permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn data_folder_is_locked() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = Lock::take(folder.path()).expect("the first one");
        assert!(Lock::take(folder.path()).is_err() && Lock::is_taken(folder.path()));
        drop(lock);
        assert!(!Lock::is_taken(folder.path()));
        Lock::take(folder.path()).expect("it is free again");
    }
}
