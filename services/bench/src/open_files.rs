//! How many files and sockets this process may have open at a time, and whoever it starts.

use anyhow::{Result, ensure};
use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Raises the soft limit to so many, if it is lower: before the program starts, which inherits it.
pub fn allow(wanted: usize) -> Result<()> {
    let wanted = wanted as u64;
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    ensure!(hard >= wanted, "{wanted} open files are needed, and {hard} are the most (ulimit -Hn)");
    if soft < wanted {
        setrlimit(Resource::RLIMIT_NOFILE, wanted, hard)?;
    }
    Ok(())
}
