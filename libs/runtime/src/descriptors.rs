//! File descriptors: each connection and each open file takes one, and a process that has none left answers nobody.

use std::fs;

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Raises the limit of this process to what it may be, for itself and for whoever it starts.
pub fn raise_limit() {
    let raised = getrlimit(Resource::RLIMIT_NOFILE)
        .and_then(|(soft, hard)| if soft < hard { setrlimit(Resource::RLIMIT_NOFILE, hard, hard) } else { Ok(()) });
    if let Err(error) = raised {
        tracing::warn!(%error, "the limit of file descriptors could not be raised");
    }
}

/// How many there may be.
pub(crate) fn limit() -> Option<u64> {
    getrlimit(Resource::RLIMIT_NOFILE).ok().map(|(soft, _)| soft)
}

/// How many there are.
pub(crate) fn open() -> Option<u64> {
    u64::try_from(fs::read_dir("/proc/self/fd").ok()?.count()).ok()
}
