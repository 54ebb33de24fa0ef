//! What a synced write costs on this machine: what an acknowledgement waits for at least.

use std::{fs::File, io::Write, path::Path, time::Instant};

use anyhow::Result;

/// Bytes of one write: a message with what JetStream adds to it fits.
const BYTES: usize = 512;

/// Seconds of so many writes to a file of `folder`, each with an fsync(2) as the NATS server does.
pub fn synced_writes(folder: &Path, writes: usize) -> Result<Vec<f64>> {
    let path = folder.join("synced-writes");
    let mut file = File::create(&path)?;
    let mut seconds = Vec::with_capacity(writes);
    for _ in 0..writes {
        let begun = Instant::now();
        file.write_all(&[0x5a; BYTES])?;
        file.sync_all()?;
        seconds.push(begun.elapsed().as_secs_f64());
    }
    std::fs::remove_file(path)?;
    Ok(seconds)
}
