//! File descriptors: each connection and each open file takes one, and a process that has none left answers nobody.

use std::fs;

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::{
    error::{Error, Result},
    health::Health,
};

/// What everything but the connections of clients takes: databases, NATS, gRPC, files.
const OTHERS: u64 = 512;

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

/// Shows in `/readyz` how many are left, for a process that may have so many connections of clients.
pub(crate) fn watch(health: &Health, connections: usize) {
    let needed = connections as u64 + OTHERS;
    if let Some(limit) = limit().filter(|limit| *limit < needed) {
        tracing::error!(
            limit,
            needed,
            "file descriptors may run out: raise the limit (ulimit -n), or allow fewer connections"
        );
    }
    health.check("descriptors", &[], move || std::future::ready(check(needed)));
}

fn check(needed: u64) -> Result<Option<String>> {
    let (Some(open), Some(limit)) = (open(), limit()) else { return Ok(None) };
    let said = format!("{open} of {limit} are open");
    if open > limit / 10 * 9 {
        return Err(Error::unavailable(format!("{said}: connections are refused soon")));
    }
    let fits = limit >= needed;
    Ok(Some(if fits { said } else { format!("{said}; all connections that are allowed would need {needed}") }))
}
