//! Where tests put their files. All of a test process are below one folder, and a small watcher process removes it when
//! the test process has ended, however it ended: statics are not dropped, and a killed process cleans up nothing.

use std::{
    fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{ChildStdin, Command, Stdio},
    sync::OnceLock,
};

use tempfile::TempDir;

struct Scratch {
    root: PathBuf,
    /// The watcher reads from it and wakes when this process is gone.
    _alive: ChildStdin,
}

static SCRATCH: OnceLock<Scratch> = OnceLock::new();

/// A new folder that goes away when it is dropped, and with the test process at the latest.
pub fn temp_dir(name: &str) -> TempDir {
    let folder = tempfile::Builder::new().prefix(name).tempdir_in(root()).expect("a temporary folder");
    // PostgreSQL does not run as root: its user must be able to reach its folder.
    open_for_all(folder.path());
    folder
}

/// A folder that stays until the test process ends.
pub(crate) fn lasting_dir(name: &str) -> PathBuf {
    temp_dir(name).keep()
}

fn root() -> &'static Path {
    &SCRATCH.get_or_init(make).root
}

#[allow(clippy::zombie_processes, reason = "the watcher outlives this process")]
fn make() -> Scratch {
    let root = tempfile::Builder::new().prefix("armada-test-").tempdir().expect("a temporary folder").keep();
    open_for_all(&root);
    // SIGQUIT ends PostgreSQL at once; the folder goes after it, or it would complain about every missing file. What is
    // mounted in it goes first.
    let script = r#"read -r _; for pid in "$1"/*/*/postmaster.pid; do
        [ -f "$pid" ] && kill -CONT "$(head -n 1 "$pid")" && kill -QUIT "$(head -n 1 "$pid")"
    done 2>/dev/null; sleep 0.3
    while read -r _ at _; do case $at in "$1"/*) umount -l "$at";; esac; done </proc/mounts; rm -rf "$1""#;
    let mut watcher = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(&root)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .expect("sh");
    Scratch { root, _alive: watcher.stdin.take().expect("it was piped") }
}

fn open_for_all(folder: &Path) {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("permissions of a temporary folder");
}
