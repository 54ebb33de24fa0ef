//! Whether there are file descriptors left, for `/readyz`.

use crate::{
    descriptors::{limit, open},
    error::{Error, Result},
    health::{Health, Name, Part},
};

/// What everything but the connections of clients takes: databases, NATS, gRPC, files.
const OTHERS: u64 = 512;

/// This process alone has used them up.
const DESCRIPTORS: Part = Part::required(Name::Borrowed("descriptors"));

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
    health.check(DESCRIPTORS, &[], move || std::future::ready(check(needed)));
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
